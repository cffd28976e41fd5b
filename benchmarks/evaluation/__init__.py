"""Measuring retrieval: sets of labelled queries, the memory they are asked of, and what the answers are worth."""

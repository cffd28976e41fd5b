"""Scopes: whose memory a record belongs to."""

"""Context out: from a prompt to at most two snippets within a budget, or to nothing."""

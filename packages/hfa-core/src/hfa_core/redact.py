"""Placeholder."""

from __future__ import annotations


def redact(text: str) -> str:
    """Nothing yet."""
    return text

"""Time as records spell it: UTC, ISO 8601, to the second."""

from __future__ import annotations

import time


def format_utc(seconds: float) -> str:
    """Seconds since the epoch as `2026-11-30T09:15:00Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))

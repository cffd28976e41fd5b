"""How results are shown: one JSON document, or plain lines."""

from __future__ import annotations

import json
import sys


def print_json(document: object) -> None:
    """Exactly one JSON document on stdout."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def print_lines(*lines: str) -> None:
    """Lines for a person on stdout."""
    for line in lines:
        print(line)


def plural(count: int, noun: str) -> str:
    """`1 record`, `2 records`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def show_progress(done: int, total: int) -> None:
    """How far long work has come, on one line of stderr that the next call writes over; nothing where nobody looks."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[Khfa: {done} of {total} files" if done < total else "\r\x1b[K")
        sys.stderr.flush()

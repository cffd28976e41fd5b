"""Payloads as hosts sent them, one folder a host version, one file an event; a further sample names what differs."""

from __future__ import annotations

import json
from pathlib import Path

CLAUDE = Path(__file__).parent / "claude-2.1.332"
"""What Claude Code 2.1.332 wrote to its hooks' stdin, with the project at `PROJECT`."""

CURSOR = Path(__file__).parent / "cursor-3"
"""What Cursor 3 writes to its hooks' stdin, by its documentation and published payloads; the project as above."""

ANTIGRAVITY = Path(__file__).parent / "antigravity"
"""What Antigravity writes to its hooks' stdin, by its documentation; `-newer` has fields that only its schema names."""

PROJECT = "/home/dev/project"

CLAUDE_SAMPLES = tuple(sorted(path.stem for path in CLAUDE.glob("*.json")))
"""The names of the samples, such as `Stop` and `PostToolUse-Edit`."""


ANTIGRAVITY_SAMPLES = tuple(sorted(path.stem for path in ANTIGRAVITY.glob("*.json")))
CURSOR_SAMPLES = tuple(sorted(path.stem for path in CURSOR.glob("*.json")))


def load_payload(sample: str, project: Path, **changes: object) -> dict[str, object]:
    """
    A recorded payload with the project moved to another folder.

    Args:
        sample: A name of `CLAUDE_SAMPLES`.
        project: The folder that stands for `PROJECT`.
        changes: Fields that get another value; None removes the field.
    """
    return load_sample(CLAUDE, sample, project, **changes)


def load_sample(folder: Path, sample: str, project: Path, **changes: object) -> dict[str, object]:
    """As `load_payload`, from one of the folders."""
    text = (folder / f"{sample}.json").read_text(encoding="utf-8")
    # In its quoted form, since the folder's name stands inside JSON strings.
    payload: dict[str, object] = json.loads(text.replace(PROJECT, json.dumps(str(project))[1:-1]))
    payload.update(changes)
    return {key: value for key, value in payload.items() if value is not None}


def event_of(sample: str) -> str:
    """The host's name of the event that a sample belongs to."""
    return sample.partition("-")[0]

"""One line of `hfa doctor`, as an adapter or core reports it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """
    Something a person should know about an installation.

    Attributes:
        code: A stable word for tests and scripts, such as `interpreter_missing`.
        severity: `error` means HFA does not work there, `warning` that it works in part, `info` neither.
        text: What was found, and where, in one sentence.
        fix: The one step that resolves it; empty if there is nothing to do.
    """

    code: str
    severity: Severity
    text: str
    fix: str

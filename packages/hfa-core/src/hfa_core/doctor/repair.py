"""What a finding may have done about it: each kind of repair as data, so that it is shown before it is made."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from hfa_core.hosts.findings import Finding, Severity

APPLY = "hfa doctor --apply"
"""The fix of every finding that can be mended without a person's judgement."""

Action: TypeAlias = Literal["finish", "write", "tidy", "mode", "rebuild", "refresh"]
ACTIONS: tuple[Action, ...] = ("finish", "write", "tidy", "mode", "rebuild", "refresh")
"""
The kinds of repair, in the order in which they are made:

- `finish`: an operation that was decided and interrupted is finished, as by the next command or hook
- `write`: a file of the memory gets the bytes `data`; what it held is kept in `history/legacy-backups/`
- `tidy`: a temporary file of a write that never counted is cleared away
- `mode`: a private file or folder gets the permission bits `mode`
- `rebuild`: the index is built anew from the records, and the pages that are then behind are written
- `refresh`: a page or view that is behind is written; a page of a person's own is kept as by every write
"""


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair: its kind, the file, and in words what happens to it; `data` and `mode` for the kinds that say so."""

    action: Action
    path: str
    text: str
    data: bytes = b""
    mode: int = 0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A finding with the file that it is about (empty if none), and what would mend it without a person's judgement."""

    finding: Finding
    path: str = ""
    repairs: tuple[Repair, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The form that `hfa doctor --json` promises."""
        one = self.finding
        return {
            "code": one.code,
            "severity": one.severity,
            "path": self.path,
            "text": one.text,
            "fix": one.fix,
            "mendable": bool(self.repairs),
        }


def diagnose(code: str, severity: Severity, path: str, text: str, *repairs: Repair) -> Diagnosis:
    """A finding about one file that its repairs mend."""
    return Diagnosis(Finding(code, severity, f"{path}: {text}", APPLY), path, repairs)


def plan_repairs(diagnoses: Iterable[Diagnosis]) -> list[Repair]:
    """
    Every repair once, in the order in which they are made. Of two that write one file the first counts; the other
    finding is looked at again in the next run.
    """
    found: dict[tuple[Action, str], Repair] = {}
    for diagnosis in diagnoses:
        for repair in diagnosis.repairs:
            found.setdefault((repair.action, repair.path), repair)
    return sorted(found.values(), key=lambda repair: ACTIONS.index(repair.action))


def show_diff(before: bytes, after: bytes, name: str) -> str:
    """What a write changes, as a unified diff; bytes that are no text are told by their number."""
    try:
        old, new = before.decode().splitlines(keepends=True), after.decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        return f"{name}: {len(before)} bytes that are no text become {len(after)} bytes\n"
    diff = difflib.unified_diff(old, new, f"{name} (as it is)", f"{name} (mended)")
    return "".join(line if line.endswith("\n") else line + "\n" for line in diff)

"""What verification finds: one fault or remark, with a stable code and how much it weighs."""

from __future__ import annotations

from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Severity = Literal["error", "warning", "info"]

ERROR: Severity = "error"
WARNING: Severity = "warning"
INFO: Severity = "info"
SEVERITIES = (ERROR, WARNING, INFO)
"""An error makes a verification fail; a warning asks for a person's decision; info is only worth knowing."""


class Problem(Record):
    """One finding: a stable code, the file, what is so in a sentence, and the step that mends it (may be empty)."""

    __slots__ = ("code", "fix", "path", "severity", "text")

    def __init__(self, code: str, path: str, text: str, fix: str = "", *, severity: Severity = ERROR) -> None:
        self.code = code
        self.path = path
        self.text = text
        self.fix = fix
        self.severity: Severity = severity

    def as_json(self) -> dict[str, str]:
        """The finding in the form that `--json` promises."""
        return {
            "code": self.code,
            "severity": self.severity,
            "path": self.path,
            "text": self.text,
            "fix": self.fix,
        }

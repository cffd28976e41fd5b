"""The names of scopes. The folder that holds a record decides its scope, never what stands in the record."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PROJECT = "project"
"""The scope of every record in a memory's own `chunks/`."""
FORMS: tuple[str, ...] = (
    PROJECT,
    "user",
    "sessions/NAME",
    "sessions/NAME/user",
    "sessions/NAME/vp/NAME",
    "sessions/NAME/feature/NAME",
    "sessions/NAME/topic/NAME",
    "sessions/NAME/topic/NAME/NAME",
    "chat/NAME",
    "chat/NAME/vp/NAME",
)
"""Every form of a scope's name; NAME stands for one of the author's."""
NAME_CHARACTERS = 64
_NAME = "NAME"
_ALLOWED = frozenset("._-")


def is_scope(text: str) -> bool:
    """Whether a text names a scope; it is then a safe relative path, too."""
    parts = text.split("/")
    return any(_fits(form.split("/"), parts) for form in FORMS)


def _fits(form: Sequence[str], parts: list[str]) -> bool:
    if len(form) != len(parts):
        return False
    return all(_is_name(part) if word == _NAME else part == word for word, part in zip(form, parts, strict=True))


def _is_name(part: str) -> bool:
    """Letters and digits of any script, dots, dashes and underscores; a dot is neither first nor last."""
    return (
        0 < len(part) <= NAME_CHARACTERS
        and all(character.isalnum() or character in _ALLOWED for character in part)
        and not (part.startswith(".") or part.endswith("."))
    )

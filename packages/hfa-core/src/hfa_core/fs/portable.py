"""Which file names every system can hold: what Windows refuses, or silently changes, is refused everywhere."""

from __future__ import annotations

RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{device}{digit}" for device in ("com", "lpt") for digit in "123456789¹²³"))
)
"""Windows' names of devices, with any ending (Microsoft, "Naming Files, Paths, and Namespaces")."""
FORBIDDEN = '<>:"|?*\\'
PATH_CHARACTERS = 150
"""Of a path relative to the memory: Windows' 260 for a whole path leave 109 for where the memory is."""


def find_unportable(path: str) -> str:
    """
    Why a relative path with forward slashes could not be checked out on every system, as the rest of a sentence about
    it; empty if it can. Unverified on Windows.
    """
    if len(path) > PATH_CHARACTERS:
        return f"has more than {PATH_CHARACTERS} characters, which is too long for Windows"
    for part in path.split("/"):
        if part.split(".", 1)[0].rstrip().lower() in RESERVED:
            return f"has a part that is a device on Windows ({part})"
        if part != part.rstrip(". "):
            return f"has a part with a dot or blank at its end, which Windows drops ({part!r})"
        if any(character in FORBIDDEN or character < " " for character in part):
            return f"has a part with a character that Windows refuses ({part!r})"
    return ""

"""A memory made because something is to be stored, unasked: only in a git work tree, and unseen by git until shared."""

from __future__ import annotations

import io
import os

from hfa_core.errors import NoProjectError
from hfa_core.fs.atomic import append_line, make_folder, write_atomic
from hfa_core.fs.layout import Layout
from hfa_core.fs.reading import read_bytes
from hfa_core.store.create import create_memory, refuse_foreign
from hfa_core.store.git_head import find_git_folders, find_work_tree
from hfa_core.store.locate import is_memory, read_project_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.settings import Environment

_TEMPORARY = ("TMPDIR", "TEMP", "TMP")
_TEMPORARY_FOLDERS = ("/tmp", "/var/tmp")  # noqa: S108  # nothing is written there: they are refused


def place_for_own_memory(environment: Environment, start: str) -> Layout:
    """
    Where a memory may be made unasked for the project that holds `start`: in the root of its git work tree.

    Raises:
        NoProjectError: Outside a work tree, or its root is the home folder, `/` or a temporary folder.
        ConfigError: The project's `.hfa.json` cannot be used.
    """
    root = find_work_tree(start)
    temporary = [environment.variables.get(name, "") for name in _TEMPORARY]
    never = [environment.home, *filter(None, temporary), *_TEMPORARY_FOLDERS]
    if not root or root == os.path.dirname(root) or root in map(os.path.realpath, never):
        raise NoProjectError(root or start)
    return Layout(os.path.join(root, read_project_settings(root).memory_dir))


def create_own_memory(layout: Layout) -> bool:
    """
    Make a memory at the place that `place_for_own_memory` gave; whether it was made now.

    Git is told first not to look at it, in `info/exclude`, which no commit holds: no repository is changed unasked.

    Raises:
        ForeignMemoryError: The folder holds files that are not ours. It was left as it was.
        StorageError: The system refused a file.
    """
    if is_memory(layout.root):
        return False
    refuse_foreign(layout)
    _exclude(layout)
    return create_memory(layout, os.path.basename(layout.workspace) or "Main line")


def share_memory(layout: Layout) -> bool:
    """
    Put a memory under git's eyes again: take its line out of `info/exclude`; whether it stood there.

    Raises:
        StorageError: The file could not be written; it is as it was.
    """
    path, line = _exclusion(layout)
    lines = _read_lines(path)
    kept = [one for one in lines if one.strip() != line]
    if not path or kept == lines:
        return False
    write_atomic(path, "".join(kept).encode("utf-8", "surrogateescape"))
    return True


def _exclude(layout: Layout) -> None:
    path, line = _exclusion(layout)
    lines = _read_lines(path)
    if not path or any(one.strip() == line for one in lines):
        return
    make_folder(os.path.dirname(path))
    joined = "" if not lines or lines[-1].endswith("\n") else "\n"
    append_line(path, f"{joined}{line}\n".encode("utf-8", "surrogateescape"), mode=0o644)


def _exclusion(layout: Layout) -> tuple[str, str]:
    """The file of patterns that this clone alone ignores, empty outside git, and the memory's line in it."""
    _, common = find_git_folders(layout.workspace)
    root = find_work_tree(layout.workspace)
    inside = os.path.relpath(
        os.path.join(os.path.realpath(layout.workspace), os.path.basename(layout.root)), root or "/"
    )
    pattern = "".join("\\" + one if one in "\\*?[ #!" else one for one in inside.replace(os.sep, "/"))
    return os.path.join(common, "info", "exclude") if common else "", f"/{pattern}/"


def _read_lines(path: str) -> list[str]:
    try:
        text = read_bytes(path).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return []
    return io.StringIO(text, newline="\n").readlines()

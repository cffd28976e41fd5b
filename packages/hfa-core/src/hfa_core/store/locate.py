"""Where a memory is: the argument, the environment, or the nearest one from a folder upwards."""

from __future__ import annotations

import os

from hfa_core.errors import ConfigError, ForeignMemoryError, MemoryNotFoundError
from hfa_core.fs.layout import MEMORY_FOLDER, PROJECT_SETTINGS, Layout
from hfa_core.fs.reading import read_bytes
from hfa_core.light.json_codec import as_mapping, parse_json
from hfa_core.light.text import decode_utf8
from hfa_core.model import Record
from hfa_core.store.config import has_format_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.settings import Environment


class ProjectSettings(Record):
    """What `.hfa.json` at a project's root says: the memory folder's name, and whether the memory is off there."""

    __slots__ = ("memory_dir", "off")

    def __init__(self, memory_dir: str = MEMORY_FOLDER, *, off: bool = False) -> None:
        self.memory_dir = memory_dir
        self.off = off


def read_project_settings(folder: str) -> ProjectSettings:
    """
    The project settings in `folder`; defaults where there are none.

    Raises:
        ConfigError: The file is not a JSON object, or a value cannot be used.
    """
    path = os.path.join(folder, PROJECT_SETTINGS)
    try:
        content = parse_json(decode_utf8(read_bytes(path)))
    except OSError:
        return ProjectSettings()
    except ValueError as error:
        raise ConfigError(path, "(whole file)", f"is not JSON: {error}") from None
    settings = as_mapping(content)
    if not isinstance(content, dict):
        raise ConfigError(path, "(whole file)", "must be a JSON object")
    name = settings.get("memory_dir", MEMORY_FOLDER)
    if not isinstance(name, str) or not name or os.path.isabs(name) or ".." in name.replace("\\", "/").split("/"):
        raise ConfigError(path, "memory_dir", f"must be a folder inside the project, found {name!r}")
    off = settings.get("off", False)
    if not isinstance(off, bool):
        raise ConfigError(path, "off", f"must be true or false, found {off!r:.60}")
    return ProjectSettings(name, off=off)


def find_memory(explicit: str, environment: Environment, start: str) -> Layout | None:
    """
    The memory that `explicit` or the environment names, else the nearest one from `start` upwards.

    Outside a git work tree the search stops below the home folder; inside one, at its root.

    Raises:
        ForeignMemoryError: The named folder is there but is not a memory.
        MemoryNotFoundError: The named folder is not there.
        ConfigError: A `.hfa.json` on the way cannot be used.
    """
    named = explicit or environment.memory_dir
    if named:
        root = os.path.abspath(os.path.join(start, named))
        if is_memory(root) or _has_damaged_config(root):
            return Layout(root)
        if os.path.isdir(root) and os.listdir(root):
            raise ForeignMemoryError(root)
        raise MemoryNotFoundError(root)
    for folder in ancestors(start, environment.home):
        root = os.path.join(folder, read_project_settings(folder).memory_dir)
        if is_memory(root) or _has_damaged_config(root):
            return Layout(root)
    return None


def require_memory(explicit: str, environment: Environment, start: str) -> Layout:
    """As `find_memory`, but finding none raises MemoryNotFoundError."""
    layout = find_memory(explicit, environment, start)
    if layout is None:
        raise MemoryNotFoundError(start)
    return layout


def is_memory(root: str) -> bool:
    """Whether a folder has a `config.json` with our format key."""
    try:
        return has_format_key(decode_utf8(read_bytes(os.path.join(root, "config.json")), "replace"))
    except OSError:
        return False


def _has_damaged_config(root: str) -> bool:
    """Whether only the config of a memory is unreadable: it is found all the same, so that reading says what broke."""
    try:
        ours = read_bytes(os.path.join(root, "directory.md")).partition(b"\n")[0].strip() == b"# Directory"
    except OSError:
        return False
    return ours and os.path.lexists(os.path.join(root, "config.json"))


def is_off(environment: Environment, layout: Layout) -> str:
    """The switch that turns this memory off, for messages; empty if it is on."""
    if environment.off:
        return "HFA_OFF is set"
    for folder in ancestors(layout.workspace, environment.home):
        if read_project_settings(folder).off:
            return f'"off" in {os.path.join(folder, PROJECT_SETTINGS)}'
    return ""


def ancestors(start: str, home: str) -> list[str]:
    """`start` and the folders above it, up to the root of its git work tree, or else to just below the home folder."""
    folders: list[str] = []
    stops = {os.path.realpath(home), os.path.dirname(os.path.realpath(home))}
    folder = os.path.realpath(start)
    # The home folder is no project even where it is a work tree, as for people who keep their settings in git.
    while folder not in stops and os.path.dirname(folder) != folder:
        folders.append(folder)
        if os.path.exists(os.path.join(folder, ".git")):
            break
        folder = os.path.dirname(folder)
    return folders

"""Making a memory: the template tree, written so that a half-made one is not yet a memory."""

from __future__ import annotations

import os

from hfa_core.errors import ForeignMemoryError
from hfa_core.fs.atomic import TEMPORARY_PREFIX, make_folder, write_atomic
from hfa_core.fs.lock import MemoryLock
from hfa_core.fs.reading import read_bytes
from hfa_core.model import Node
from hfa_core.redact import redact
from hfa_core.store.config import Config, render_config
from hfa_core.store.directory import ACTIVE, Directory, render_directory
from hfa_core.store.epochs import ACTIVE as EPOCH_ACTIVE
from hfa_core.store.epochs import render_framework
from hfa_core.store.locate import is_memory
from hfa_core.store.schema import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout

GIT_FILES = (".gitignore", ".gitattributes")
GITIGNORE = "index/\n.local/\n.hfa.lock\n.hfa-transaction.json\n.hfa-tmp-*\nhistory/access.jsonl\n"
GITATTRIBUTES = (
    "* text=auto eol=lf\n"
    "tombstones.jsonl merge=union\n"
    "history/stream.md merge=union\n"
    "history/**/summaries.md merge=union linguist-generated\n"
    "history/**/framework.md merge=union linguist-generated\n"
)
_ALLOWED_BEFORE = (".gitignore", ".gitattributes", ".hfa.lock", ".DS_Store")
FIRST_NODE = "M1"
"""The main line that a new memory begins with."""
_FOLDERS = ("chunks", "profile", "branches")
_TEMPLATE = (*_FOLDERS, "directory.md", "main", "tombstones.jsonl", "history")


def create_memory(layout: Layout, title: str) -> bool:
    """
    Make the template tree; whether it was made now. A memory that is there stays as it is.

    `config.json` comes last: its appearance is the commit point, and a run cut short is finished by the next one.

    Raises:
        ForeignMemoryError: The folder holds files that are not ours. Nothing was written.
        StorageError: The system refused a file.
    """
    if is_memory(layout.root):
        return False
    title = clean_text(redact(title))
    refuse_foreign(layout)
    make_folder(layout.root)
    # Under the lock, so that no other writer takes the temporary files of this one for a dead one's.
    with MemoryLock(layout.lock):
        return not is_memory(layout.root) and _make_template(layout, title)


def refuse_foreign(layout: Layout) -> None:
    """Raise ForeignMemoryError if the folder of a memory to be made holds files that are not ours."""
    if os.path.isdir(layout.root) and not all(_is_ours(layout, name) for name in os.listdir(layout.root)):
        raise ForeignMemoryError(layout.root)


def _make_template(layout: Layout, title: str) -> bool:
    directory = Directory((Node(id=FIRST_NODE, title=title, path="main/M1.md", state=ACTIVE, branch="", hit_words=()),))
    files = {
        layout.directory: render_directory(directory),
        os.path.join(layout.root, "main", "M1.md"): f"# {title}\n\nThe main line of this project.\n",
        layout.tombstones: "",
        os.path.join(layout.root, ".gitignore"): GITIGNORE,
        os.path.join(layout.root, ".gitattributes"): GITATTRIBUTES,
        layout.framework(1): render_framework(1, EPOCH_ACTIVE),
        layout.summaries(1): "",
        layout.config: render_config(Config(memory_id=os.urandom(8).hex())),
    }
    for folder in _FOLDERS:
        make_folder(os.path.join(layout.root, folder), within=layout.root)
    for path, text in files.items():
        make_folder(os.path.dirname(path), within=layout.root)
        if not os.path.exists(path):
            write_atomic(path, text.encode(), within=layout.root)
    return True


def _is_ours(layout: Layout, name: str) -> bool:
    """Whether a run that was cut short may have left this: with a directory of ours, the rest of the tree is ours."""
    if name in _ALLOWED_BEFORE or name.startswith(TEMPORARY_PREFIX):
        return True
    if _has_directory(layout):
        return name in _TEMPLATE
    path = os.path.join(layout.root, name)
    return name in _FOLDERS and os.path.isdir(path) and not os.listdir(path)


def _has_directory(layout: Layout) -> bool:
    try:
        return read_bytes(layout.directory).partition(b"\n")[0].strip() == b"# Directory"
    except (OSError, ValueError):
        return False

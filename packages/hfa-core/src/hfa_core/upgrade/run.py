"""An upgrade on disk: what it would change, the change as one transaction with its backup, and the way back."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from hfa_core.errors import HfaError, StorageError, UnsupportedFormatError, UpgradeError
from hfa_core.fs.atomic import TEMPORARY_PREFIX
from hfa_core.fs.layout import Layout
from hfa_core.fs.reading import read_bytes
from hfa_core.index.pages import rebuild_derived
from hfa_core.light.json_codec import as_list, as_mapping, as_text, parse_json, render_json
from hfa_core.light.sha256 import sha256_hex
from hfa_core.model import MEMORY_FORMAT
from hfa_core.settings import Environment
from hfa_core.store.backups import backups_folder
from hfa_core.store.config import read_config
from hfa_core.store.locate import ancestors, find_memory, read_project_settings
from hfa_core.transaction.commit import commit_files
from hfa_core.transaction.journal import is_inside
from hfa_core.transaction.recover import writing
from hfa_core.upgrade.seed import SEED_FORMAT, is_seed
from hfa_core.upgrade.steps import STEPS, Step, convert_files, plan_steps

MANIFEST = "manifest.json"
MANIFEST_FORMAT = "hfa-upgrade/1"
_NOT_TRUTH = ("index", ".local", ".git")


@dataclass(frozen=True, slots=True)
class Plan:
    """
    A change of format: files by their paths relative to the memory, with forward slashes.

    Attributes:
        before, after: The formats; equal if there is nothing to do.
        texts: What each step does.
        files: The bytes that files get.
        backup: The folder that keeps what they held, or, for the way back, held it; absolute.
        copies: What is written there.
    """

    before: str
    after: str
    texts: tuple[str, ...]
    files: dict[str, bytes]
    backup: str
    copies: dict[str, bytes]


def find_upgradable(explicit: str, environment: Environment, start: str) -> Layout | None:
    """
    The memory that any command would find, or, where it finds none, one of an earlier form in the same places.

    Raises:
        ForeignMemoryError, MemoryNotFoundError, ConfigError: As `find_memory`.
    """
    named = explicit or environment.memory_dir
    if named and is_seed(Layout(os.path.abspath(os.path.join(start, named)))):
        return Layout(os.path.abspath(os.path.join(start, named)))
    found = find_memory(explicit, environment, start)
    if found is not None:
        return found
    for folder in ancestors(start, environment.home):
        layout = Layout(os.path.join(folder, read_project_settings(folder).memory_dir))
        if is_seed(layout):
            return layout
    return None


def read_format(layout: Layout) -> str:
    """The format of a memory, `hfa-memory/0` for the form that names none. Raises as `read_config`."""
    return SEED_FORMAT if is_seed(layout) else read_config(layout).format


def plan_upgrade(layout: Layout, *, steps: Sequence[Step] = STEPS, wanted: str = MEMORY_FORMAT) -> Plan:
    """
    What an upgrade would do; no files if the memory has the format.

    Raises:
        UpgradeError: A file cannot be understood.
        UnsupportedFormatError: A newer HFA made the memory.
    """
    found = read_format(layout)
    try:
        path = plan_steps(found, steps=steps, wanted=wanted)
    except LookupError:
        raise UnsupportedFormatError(layout.config, found, wanted, verb="upgrade") from None
    backup = _free_backup(layout)
    if not path:
        return Plan(found, found, (), {}, backup, {})
    files = _read_files(layout)
    try:
        changed = convert_files(files, path)
    except UpgradeError as error:
        raise UpgradeError(os.path.join(layout.root, *error.path.split("/")), error.reason) from None
    manifest = {
        "format": MANIFEST_FORMAT,
        "from": found,
        "to": wanted,
        "files": [
            {"path": name, "before": sha256_hex(files[name]) if name in files else "", "after": sha256_hex(data)}
            for name, data in changed.items()
        ],
    }
    copies = {f"files/{name}": files[name] for name in changed if name in files}
    copies[MANIFEST] = (render_json(manifest, indent=2) + "\n").encode()
    return Plan(found, wanted, tuple(step.text for step in path), changed, backup, copies)


def plan_undo(layout: Layout) -> Plan:
    """
    The way back from the newest upgrade that made the memory what it is; no files if there is none.

    Files that an upgrade added stay, and so do records that were stored since.

    Raises:
        UpgradeError: A file was changed since, or its copy is gone or damaged.
    """
    found = read_format(layout)
    for folder in reversed(_list_backups(layout)):
        manifest = _read_manifest(folder)
        if as_text(manifest.get("to")) != found:
            continue
        files: dict[str, bytes] = {}
        for entry in (as_mapping(item) for item in as_list(manifest.get("files"))):
            name, before, after = (as_text(entry.get(key)) for key in ("path", "before", "after"))
            if before:
                files[name] = _read_copy(layout, folder, name, before, after)
        return Plan(found, as_text(manifest.get("from")), ("brings back the files of before",), files, folder, {})
    return Plan(found, found, (), {}, "", {})


def apply_plan(
    layout: Layout, *, undo: bool = False, steps: Sequence[Step] = STEPS, wanted: str = MEMORY_FORMAT
) -> Plan:
    """
    Upgrade, or go back, as one transaction with the copies of what it replaces; the plan that was carried out.

    A crash leaves the memory as before or as after: the next command that opens it finishes what was decided.

    Raises:
        UpgradeError, UnsupportedFormatError, LockTimeoutError, JournalError: Nothing was changed.
        StorageError: The system refused. The files are all as before, or all as after.
    """
    with writing(layout):
        plan = plan_undo(layout) if undo else plan_upgrade(layout, steps=steps, wanted=wanted)
        if not plan.files:
            return plan
        copies = {os.path.join(plan.backup, *name.split("/")): data for name, data in plan.copies.items()}
        # The settings come last among the files; all of it counts from one rename.
        order = sorted(plan.files, key=lambda name: (name == "config.json", name))
        files = {os.path.join(layout.root, *name.split("/")): plan.files[name] for name in order}
        commit_files(layout, "undo of an upgrade" if undo else "upgrade", {**copies, **files})
    if plan.after == MEMORY_FORMAT:
        rebuild_derived(layout)
    return plan


def _read_files(layout: Layout) -> dict[str, bytes]:
    """Every file of truth: nothing derived, no backup, nothing of a writer at work; links are not followed."""
    found: dict[str, bytes] = {}
    skipped = backups_folder(layout)
    for folder, folders, names in os.walk(layout.root):
        folders[:] = [name for name in folders if name not in _NOT_TRUTH and os.path.join(folder, name) != skipped]
        for name in names:
            path = os.path.join(folder, name)
            if name.startswith((TEMPORARY_PREFIX, ".hfa")) or os.path.islink(path) or not os.path.isfile(path):
                continue
            found[os.path.relpath(path, layout.root).replace(os.sep, "/")] = _read(path)
    return found


def _read(path: str) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error


def _list_backups(layout: Layout) -> list[str]:
    """The backup folders of upgrades, oldest first; one without a manifest is of an upgrade that never counted."""
    folder = backups_folder(layout)
    try:
        numbers = [name.removeprefix("upgrade-") for name in os.listdir(folder) if name.startswith("upgrade-")]
    except OSError:
        return []
    known = sorted(int(number) for number in numbers if number.isascii() and number.isdigit())
    paths = [os.path.join(folder, f"upgrade-{number}") for number in known]
    return [path for path in paths if os.path.isfile(os.path.join(path, MANIFEST))]


def _free_backup(layout: Layout) -> str:
    taken = [int(path.rpartition("-")[2]) for path in _list_backups(layout)]
    return os.path.join(backups_folder(layout), f"upgrade-{max(taken, default=0) + 1}")


def _read_manifest(folder: str) -> dict[str, object]:
    """The manifest of a backup; empty where it cannot be understood, so that no way back is taken from it."""
    try:
        content = as_mapping(parse_json(_read(os.path.join(folder, MANIFEST)).decode()))
    except (HfaError, ValueError):
        return {}
    return content if content.get("format") == MANIFEST_FORMAT else {}


def _read_copy(layout: Layout, folder: str, name: str, before: str, after: str) -> bytes:
    path = os.path.join(layout.root, *name.split("/"))
    if not is_inside(layout, name):
        raise UpgradeError(os.path.join(folder, MANIFEST), f"names {name!r}, which is not a file of the memory")
    if not os.path.isfile(path) or sha256_hex(_read(path)) != after:
        raise UpgradeError(path, "was changed since the upgrade, so it is not replaced; bring it back to what it was")
    copy = os.path.join(folder, "files", *name.split("/"))
    if not os.path.isfile(copy) or sha256_hex(data := _read(copy)) != before:
        raise UpgradeError(copy, "is gone or damaged, so there is no way back from the upgrade")
    return data

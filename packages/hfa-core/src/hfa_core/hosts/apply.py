"""Making and unmaking edits in files: planned whole before the first write, recorded so that removal is exact.

The record of what an installation had to make lies in the user's private folder and holds no content of any settings.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from hfa_core.errors import HostConfigError, StorageError, UnsupportedFormatError
from hfa_core.fs.atomic import PRIVATE_FILE, make_folder, remove_if_there, write_atomic
from hfa_core.fs.lock import MemoryLock
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.edits import Edit, Pointer, Traces, add_edits, has_edits, remove_edits
from hfa_core.hosts.json_text import Json, decode

RECORD_NAME = "installs.json"
LOCK_NAME = "installs.lock"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class FileRecord:
    """
    What installations made in and around one file.

    Attributes:
        owners: Whose elements are in the file.
        created_file: Whether there was no file before.
        created_folders: The folders that were missing, outermost first.
        traces: What was added to the text beside the elements.
    """

    owners: tuple[str, ...]
    created_file: bool = False
    created_folders: tuple[str, ...] = ()
    traces: Traces = field(default_factory=Traces)


@dataclass(frozen=True, slots=True)
class FileChange:
    """
    What a plan does to one file.

    Attributes:
        path: The absolute path as the adapter named it; a symbolic link is followed when writing.
        before: The bytes that the plan is made for; None if there is no file.
        after: The bytes that the file will hold; None if it will be removed.
        record: What is on record about the file afterwards; None if nothing.
        spare_folders: Folders to remove with the file if nothing else is in them, outermost first.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    record: FileRecord | None = None
    spare_folders: tuple[str, ...] = ()

    def diff(self) -> str:
        """The change as a unified diff that ends in a newline; empty if the bytes stay as they are."""
        old = "/dev/null" if self.before is None else str(self.path)
        new = "/dev/null" if self.after is None else str(self.path)
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), old, new)
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


_Records: TypeAlias = dict[str, FileRecord]
_Plan: TypeAlias = Callable[[Path, Sequence[Edit], FileRecord | None], FileChange]


def plan_changes(edits: Sequence[Edit], user_state: Path) -> list[FileChange]:
    """
    What `apply_edits` would change now, in the order of the edits; empty if everything is in place.

    Raises:
        HostConfigError: A file cannot be read or edited safely.
        UnsupportedFormatError: A newer HFA wrote the record of installations.
    """
    return [change for change in _plan_all(edits, user_state, _plan_install) if change.before != change.after]


def plan_undo(edits: Sequence[Edit], user_state: Path) -> list[FileChange]:
    """
    What `undo_edits` would change now; empty if nothing of ours is there.

    Raises:
        HostConfigError: A file cannot be read or edited safely.
        UnsupportedFormatError: A newer HFA wrote the record of installations.
    """
    return [change for change in _plan_all(edits, user_state, _plan_undo) if change.before != change.after]


def apply_edits(edits: Sequence[Edit], user_state: Path) -> list[FileChange]:
    """
    Make the edits; a second time changes nothing.

    Args:
        edits: From one or more adapters, of any number of files.
        user_state: HFA's private folder, made if it is missing. The record and its lock lie there.

    Returns:
        The files that were changed.

    Raises:
        HostConfigError: A file cannot be edited safely, or changed meanwhile. No file is changed.
        LockTimeoutError: Another installation is at work. No file is changed.
        StorageError: The system refused. Every file is as it was.
        UnsupportedFormatError: A newer HFA wrote the record of installations. No file is changed.
    """
    return _locked(edits, user_state, _plan_install)


def undo_edits(edits: Sequence[Edit], user_state: Path) -> list[FileChange]:
    """
    Take back what `apply_edits` made: our elements, whatever their form, and what was added only for them.

    A file that nobody else changed has its old bytes again; one that we made is gone, with the folders made for it.

    Args:
        edits: What an installation would make now.
        user_state: As for `apply_edits`. Without a record there our elements and the containers that they leave
            empty are removed.

    Returns:
        The files that were changed.

    Raises:
        HostConfigError: A file cannot be edited safely, or changed meanwhile. No file is changed.
        LockTimeoutError: Another installation is at work. No file is changed.
        StorageError: The system refused. Every file is as it was.
        UnsupportedFormatError: A newer HFA wrote the record of installations. No file is changed.
    """
    return _locked(edits, user_state, _plan_undo)


def write_changes(changes: Sequence[FileChange]) -> None:
    """
    Make planned changes, after looking once more that every file still holds what the plan was made for.

    Raises:
        HostConfigError: A file changed since it was planned. No file is changed.
        StorageError: The system refused. Files that were written already hold their old bytes again.
    """
    for change in changes:
        _demand_unchanged(change)
    done: list[FileChange] = []
    try:
        for change in changes:
            _demand_unchanged(change)
            done.append(change)
            _write(change.path, change.after)
            if change.after is None:
                _remove_folders(change.spare_folders)
    except (HostConfigError, StorageError):
        for change in reversed(done):
            if _read(change.path) == change.after != change.before:
                _write(change.path, change.before)
        raise


def _locked(edits: Sequence[Edit], user_state: Path, plan: _Plan) -> list[FileChange]:
    # Looked at first without the lock: a command that is refused or has nothing to do leaves no folder behind.
    changes, before, after = _plan_with_records(edits, user_state, plan)
    if not changes and before == after:
        return []
    make_folder(str(user_state), private=True)
    with MemoryLock(str(user_state / LOCK_NAME)):
        changes, before, after = _plan_with_records(edits, user_state, plan)
        # Before and after both: a crash leaves a record of too much, never elements of ours without one.
        _write_records(user_state, before, {**before, **after})
        write_changes(changes)
        _write_records(user_state, {**before, **after}, after)
    return changes


def _plan_with_records(
    edits: Sequence[Edit], user_state: Path, plan: _Plan
) -> tuple[list[FileChange], _Records, _Records]:
    """The changes that are any, the records now, and the records afterwards."""
    before = _read_records(user_state)
    planned = _plan_all(edits, user_state, plan)
    after = {path: record for path, record in before.items() if path not in {str(change.path) for change in planned}}
    after.update({str(change.path): change.record for change in planned if change.record is not None})
    return [change for change in planned if change.before != change.after], before, after


def _plan_all(edits: Sequence[Edit], user_state: Path, plan: _Plan) -> list[FileChange]:
    records = _read_records(user_state)
    by_path: dict[Path, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path.absolute(), []).append(edit)
    return [plan(path, of_file, records.get(str(path))) for path, of_file in by_path.items()]


def _plan_install(path: Path, edits: Sequence[Edit], record: FileRecord | None) -> FileChange:
    before = _read(path)
    text = "" if before is None else decode(before, str(path))
    owners = tuple(dict.fromkeys(edit.owner for edit in edits))
    was_installed = has_edits(text, edits)
    if record and not was_installed and set(record.owners) <= set(owners):
        # Our elements were removed by other means, so what stands there now is the user's own.
        record = None
    text, traces = add_edits(text, edits)
    after = _encode(text, path)
    if record:
        owners = tuple(dict.fromkeys(record.owners + owners))
        return FileChange(path, before, after, replace(record, owners=owners, traces=record.traces.and_then(traces)))
    if was_installed:
        # The record is lost. A new one would take the containers that we once added for the user's own.
        return FileChange(path, before, after)
    if before is None:
        traces = replace(traces, blank=None)
        return FileChange(path, None, after, FileRecord(owners, True, _missing_folders(path), traces))
    return FileChange(path, before, after, FileRecord(owners, traces=traces))


def _plan_undo(path: Path, edits: Sequence[Edit], record: FileRecord | None) -> FileChange:
    before = _read(path)
    if before is None:
        return FileChange(path, None, None)
    removal = remove_edits(decode(before, str(path)), edits, record.traces if record else None)
    after = _encode(removal.text, path)
    owners = {edit.owner for edit in edits}
    others = tuple(owner for owner in record.owners if owner not in owners) if record else ()
    if record and others:
        return FileChange(path, before, after, replace(record, owners=others))
    if record and record.created_file and removal.is_empty and after != before:
        return FileChange(path, before, None, None, record.created_folders)
    return FileChange(path, before, after)


def _demand_unchanged(change: FileChange) -> None:
    if _read(change.path) != change.before:
        raise HostConfigError(str(change.path), "changed while the edit was planned; run the command again")


def _read(path: Path) -> bytes | None:
    try:
        return read_bytes(str(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HostConfigError(str(path), f"cannot be read ({error.strerror or error})") from error


def _encode(text: str, path: Path) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise HostConfigError(str(path), "a path that has to be written there is not valid Unicode") from error


def _write(path: Path, data: bytes | None) -> None:
    target = os.path.realpath(path)
    if data is not None:
        make_folder(os.path.dirname(target))
        write_atomic(target, data)
    elif not remove_if_there(target) and os.path.lexists(target):
        raise StorageError(str(path), "cannot be taken away")


def _missing_folders(path: Path) -> tuple[str, ...]:
    missing: list[str] = []
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.lexists(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(missing)


def _remove_folders(folders: Sequence[str]) -> None:
    for folder in reversed(folders):
        # The system removes a folder only if it is empty; one that is in use by now stays.
        with suppress(OSError):
            os.rmdir(folder)


def _lines(data: bytes | None) -> list[str]:
    pieces = (data or b"").decode("utf-8", "replace").split("\n")
    return [piece + "\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def _read_records(user_state: Path) -> _Records:
    path = user_state / RECORD_NAME
    data = _read(path)
    try:
        loaded: Json = json.loads(data) if data else None
    except ValueError:
        loaded = None
    if not isinstance(loaded, Mapping):
        return {}
    version = loaded.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise UnsupportedFormatError(str(path), str(version), str(FORMAT))
    files = loaded.get("files")
    found = {key: _parse_record(value) for key, value in files.items()} if isinstance(files, Mapping) else {}
    return {key: record for key, record in found.items() if record is not None}


def _parse_record(value: Json) -> FileRecord | None:
    """The record as it was written; None for one that somebody damaged, which then counts as lost."""
    if not isinstance(value, Mapping):
        return None
    blank, lead = value.get("blank"), value.get("lead")
    spaces = [pair for pair in _items(value.get("spaces")) if isinstance(pair, Sequence) and len(pair) == 2]
    return FileRecord(
        owners=_texts(value.get("owners")),
        created_file=value.get("created_file") is True,
        created_folders=_texts(value.get("created_folders")),
        traces=Traces(
            created=tuple(_texts(pointer) for pointer in _items(value.get("created"))),
            spaces=tuple((_texts(pointer), str(space)) for pointer, space in spaces),
            blank=blank if isinstance(blank, str) else None,
            lead=lead if isinstance(lead, str) else "",
        ),
    )


def _items(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _texts(value: Json) -> Pointer:
    return tuple(item for item in _items(value) if isinstance(item, str))


def _write_records(user_state: Path, before: _Records, after: _Records) -> None:
    path = str(user_state / RECORD_NAME)
    if after == before:
        return
    if not after:
        remove_if_there(path)
        return
    files: Json = {
        name: {
            "owners": record.owners,
            "created_file": record.created_file,
            "created_folders": record.created_folders,
            "created": record.traces.created,
            "spaces": record.traces.spaces,
            "blank": record.traces.blank,
            "lead": record.traces.lead,
        }
        for name, record in after.items()
    }
    text = json.dumps({"format": FORMAT, "files": files}, indent=2) + "\n"
    write_atomic(path, text.encode(), mode=PRIVATE_FILE)

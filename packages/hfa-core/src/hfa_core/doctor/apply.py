"""Carrying repairs out: under the memory's lock, from a second look, with a copy of everything that is replaced."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from hfa_core.doctor.memory import examine_memory, is_newer
from hfa_core.doctor.repair import Repair, plan_repairs
from hfa_core.errors import StorageError
from hfa_core.fs.atomic import remove_if_there, set_mode
from hfa_core.fs.layout import Layout
from hfa_core.fs.reading import read_bytes
from hfa_core.index.pages import rebuild_derived, refresh_all_views
from hfa_core.store.backups import backups_folder, place_backup
from hfa_core.transaction.commit import commit_files
from hfa_core.transaction.recover import writing


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done: the repairs in their order, and where the copies of what they replaced are."""

    repairs: tuple[Repair, ...]
    backups: tuple[str, ...]


def mend_memory(layout: Layout, planned: Sequence[Repair]) -> Mended:
    """
    Make the repairs that were planned, and that a fresh examination under the lock still proposes.

    The writes and the copies of what they replace happen as a whole; copies come first. An operation that stands
    unfinished is finished before, as by any write.

    Raises:
        JournalError: The journal is damaged. Nothing was changed.
        LockTimeoutError: Another process is at work. Nothing was changed.
        StorageError: The system refused. The files of truth are all as before, or all mended.
    """
    if not planned:
        return Mended((), ())
    kept = _list_backups(layout)
    if is_newer(layout):
        # Only the index is this version's own, and it is not under the lock.
        done, places = [repair for repair in planned if repair.action == "rebuild"], list[str]()
    else:
        done, places = _mend_files(layout, planned)
    actions = {repair.action for repair in done}
    if "rebuild" in actions:
        rebuild_derived(layout)
    elif "refresh" in actions:
        refresh_all_views(layout)
    new = sorted(_list_backups(layout) - kept - set(places))
    return Mended(tuple(done), (*places, *new))


def _mend_files(layout: Layout, planned: Sequence[Repair]) -> tuple[list[Repair], list[str]]:
    wanted = {(repair.action, repair.path) for repair in planned}
    # A journal is finished by entering, so what it would have changed is looked at as it is then.
    finished = [repair for repair in planned if repair.action == "finish"]
    with writing(layout):
        found = plan_repairs(examine_memory(layout))
        repairs = [repair for repair in found if (repair.action, repair.path) in wanted]
        writes = {repair.path: repair.data for repair in repairs if repair.action == "write"}
        copies, places = plan_backups(layout, repairs)
        if writes:
            commit_files(layout, "doctor", {**copies, **writes})
        for repair in repairs:
            if repair.action == "tidy":
                remove_if_there(repair.path)
    return [*finished, *repairs], places


def set_modes(repairs: Sequence[Repair]) -> None:
    """Make the changes of permission bits among repairs. Raises StorageError; those before it were made."""
    for repair in repairs:
        if repair.action == "mode":
            set_mode(repair.path, repair.mode)


def plan_backups(layout: Layout, repairs: Sequence[Repair]) -> tuple[dict[str, bytes], list[str]]:
    """
    The copies to make of the files that repairs replace, by their paths, and the paths of all copies, those included
    that an earlier run has made of the same bytes.

    Raises:
        StorageError: A file cannot be read, so it is not replaced.
    """
    copies: dict[str, bytes] = {}
    places: list[str] = []
    for repair in repairs:
        if repair.action == "write" and os.path.exists(repair.path):
            folder, name = os.path.split(os.path.relpath(repair.path, layout.root))
            data = read_file(repair.path)
            # Without its dot: a copy of `.gitignore` must not be one.
            copy = "/".join(part for part in ("doctor", *folder.split(os.sep), name.lstrip(".")) if part)
            path, is_there = place_backup(layout, copy, data)
            places.append(path)
            if not is_there:
                copies[path] = data
    return copies, places


def read_file(path: str) -> bytes:
    """A file's bytes; none where it is missing. Raises StorageError where it cannot be read."""
    try:
        return read_bytes(path)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error


def _list_backups(layout: Layout) -> set[str]:
    return {os.path.join(folder, name) for folder, _, names in os.walk(backups_folder(layout)) for name in names}

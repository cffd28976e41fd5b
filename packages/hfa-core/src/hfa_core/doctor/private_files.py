"""The examination of a user's private folder: nobody else may read it, and what the hooks left in their log."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from hfa_core.doctor.repair import APPLY, Diagnosis, Repair
from hfa_core.fs.atomic import PRIVATE_FILE, PRIVATE_FOLDER
from hfa_core.fs.layout import UserLayout
from hfa_core.hook.log import read_entries
from hfa_core.hosts.apply import RECORD_NAME
from hfa_core.hosts.findings import Finding

MAXIMUM_ENTRIES = 2000
"""How far back the hook log is read."""
SHOWN_FAILURES = 5
SHOWN_PATHS = 3


def check_modes(user: UserLayout) -> Iterator[Diagnosis]:
    """Files and folders of ours that others on this machine may read or change. Windows keeps no such bits."""
    if os.name == "nt":
        return
    repairs: list[Repair] = []
    for path in _list_private(user):
        try:
            facts = os.lstat(path)
        except FileNotFoundError:
            # A session that a hook has just forgotten.
            continue
        wanted = PRIVATE_FOLDER if stat.S_ISDIR(facts.st_mode) else PRIVATE_FILE
        found = stat.S_IMODE(facts.st_mode)
        if not stat.S_ISLNK(facts.st_mode) and facts.st_uid == os.getuid() and found & 0o077:
            repairs.append(Repair("mode", path, f"mode {found:04o} becomes {wanted:04o}", mode=wanted))
    if repairs:
        shown = ", ".join(repair.path for repair in repairs[:SHOWN_PATHS])
        more = f" and {len(repairs) - SHOWN_PATHS} more" if len(repairs) > SHOWN_PATHS else ""
        text = f"others on this machine may read {shown}{more}"
        yield Diagnosis(Finding("private_open", "warning", text, APPLY), user.folder, tuple(repairs))


def _list_private(user: UserLayout) -> Iterator[str]:
    """Only what HFA makes: the folder of the memory with all in it, and the few files beside it."""
    log = UserLayout(user.root).hook_log
    beside = (user.root, os.path.join(user.root, RECORD_NAME), log, log + ".1")
    yield from (path for path in beside if os.path.lexists(path))
    if user.memory_id and os.path.isdir(user.folder):
        for folder, folders, names in os.walk(user.folder):
            folders.sort()
            yield folder
            yield from (os.path.join(folder, name) for name in sorted(names))


def check_log(user: UserLayout) -> Iterator[Diagnosis]:
    """The hook log: when hooks last ran, and the newest failures."""
    entries = read_entries(user.hook_log, limit=MAXIMUM_ENTRIES)
    if entries and user.memory_id:
        newest = entries[0]
        text = f"the last hook was {newest.get('host')} {newest.get('event')} at {newest.get('time')}"
        yield Diagnosis(Finding("hook_last_run", "info", text, ""), user.hook_log)
    failures = [entry for entry in entries if entry.get("outcome") == "error"]
    # Before a memory is found, nobody can say whose failure it is.
    place = "" if user.memory_id else ", outside any memory,"
    for entry in failures[:SHOWN_FAILURES]:
        text = (
            f"{entry.get('host')} {entry.get('event')} at {entry.get('time')}{place} answered with nothing: "
            f"{entry.get('error')}: {entry.get('message')}"
        )
        yield Diagnosis(Finding("hook_failed", "warning", text, f"see {user.hook_log}"), user.hook_log)

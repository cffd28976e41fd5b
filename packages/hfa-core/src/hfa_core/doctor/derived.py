"""The examination of what is derived: lagging is no fault, and every part of it can be made anew from the records."""

from __future__ import annotations

from collections.abc import Iterator

from hfa_core.doctor.repair import Diagnosis, Repair, diagnose
from hfa_core.errors import HfaError
from hfa_core.fs.layout import Layout
from hfa_core.hosts.findings import Finding
from hfa_core.index.database import DAMAGED, MISSING, OTHER_VERSION, inspect_file, open_for_reading
from hfa_core.index.pages import list_behind
from hfa_core.index.sync import is_behind
from hfa_core.store.directory import read_directory

REBUILT = "is built anew from the records, and the pages that are then behind are written"


def check_derived(layout: Layout, *, with_pages: bool) -> Iterator[Diagnosis]:
    """The index, and the pages and views if asked. A damaged index is verification's to name."""
    state, _ = inspect_file(layout)
    rebuild = Repair("rebuild", layout.database, REBUILT)
    try:
        directory = read_directory(layout)
    except HfaError:
        # Verification says what is wrong with L0, and nothing can be derived without it.
        return
    try:
        if state in (MISSING, OTHER_VERSION):
            text = "the index is missing" if state == MISSING else "the index was built by another version of HFA"
            yield diagnose("index_missing", "info", layout.database, text, rebuild)
        elif state != DAMAGED:
            with open_for_reading(layout) as database:
                behind = is_behind(database)
            if behind:
                yield diagnose("index_behind", "info", layout.database, "the index is behind the files", rebuild)
        for path in list_behind(layout, directory) if with_pages else []:
            repair = Repair("refresh", path, "is written anew; a page of your own is kept in history/legacy-backups/")
            yield diagnose("page_behind", "info", path, "is missing or behind the records", repair)
    except HfaError as error:
        fix = "make the file readable for you, then run `hfa doctor` again"
        yield Diagnosis(Finding("derived_unreadable", "warning", str(error), fix), layout.index)

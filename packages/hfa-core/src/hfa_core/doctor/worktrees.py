"""The examination of other checkouts of the repository: records there that no commit has, and that go with them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

from hfa_core.doctor.git import list_committed, list_other_worktrees, path_in_repository
from hfa_core.doctor.repair import Diagnosis
from hfa_core.fs.layout import Layout
from hfa_core.hosts.findings import Finding
from hfa_core.store.chunks import id_of_file

SHOWN_IDS = 5


def check_worktrees(layout: Layout) -> Iterator[Diagnosis]:
    """One finding for each other worktree whose memory holds records that are not committed there."""
    inside = path_in_repository(layout.root) if os.path.isdir(layout.root) else ""
    if not inside:
        return
    folder = os.path.join(inside, "chunks")
    for worktree in list_other_worktrees(layout.root):
        committed = list_committed(worktree.path, folder)
        try:
            names = sorted(os.listdir(os.path.join(worktree.path, folder)))
        except OSError:
            continue
        ids = [id_of_file(name) for name in names if id_of_file(name) and name not in committed]
        if ids:
            shown = ", ".join(ids[:SHOWN_IDS]) + (f" and {len(ids) - SHOWN_IDS} more" if len(ids) > SHOWN_IDS else "")
            count = f"{len(ids)} record{'s' if len(ids) > 1 else ''}"
            on = f" (branch {worktree.branch})" if worktree.branch else ""
            text = f"the worktree {worktree.path}{on} has {count} that no commit holds: {shown}"
            there = f"git -C {shlex.quote(worktree.path)}"
            fix = f"commit them there: {there} add {shlex.quote(folder)}, then {there} commit"
            yield Diagnosis(Finding("worktree_uncommitted", "warning", text, fix), os.path.join(worktree.path, folder))

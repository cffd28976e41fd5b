"""Asking a memory a question, with everything that a hook has no time for: exact counts, and what git has committed."""

from __future__ import annotations

import time

from hfa_core.index.commits import refresh_commits
from hfa_core.index.database import open_database
from hfa_core.index.sync import sync_to_read
from hfa_core.recall.recall import Request, recall
from hfa_core.recall.result import OFF, Recall
from hfa_core.recall.unlock import note_unlock
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.store.locate import is_off
from hfa_core.tokens import METHOD_ESTIMATE
from hfa_core.tokens.exact import load_counter
from hfa_core.transaction.opening import ensure_recovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hfa_core.fs.layout import Layout
    from hfa_core.settings import Environment

REASON_CHARACTERS = 1_000
"""A longer reason to open the focus lock is cut: it becomes one line of a log."""


def answer_query(
    layout: Layout,
    environment: Environment,
    query: str,
    *,
    unlock: str | None = None,
    propose: Callable[[str], tuple[str, ...]] | None = None,
) -> Recall:
    """
    What the memory knows about a query; status `off` where it is switched off.

    Args:
        layout: The memory.
        environment: The switches of the user.
        query: What is asked.
        unlock: The reason to open the focus lock, or None.
        propose: Another search engine; from a query to the ids of records, best first.

    Raises:
        BackendError: `propose` did.
        UnlockReasonError: `unlock` is blank. Nothing was shown.
        HfaError: As `ensure_recovered`, `sync_to_read` and `recall`; nothing was changed.
    """
    ensure_recovered(layout)
    if is_off(environment, layout):
        return Recall(OFF, method=METHOD_ESTIMATE)
    reason = None if unlock is None else unlock[:REASON_CHARACTERS]
    proposed = propose(query) if propose else None
    directory = read_directory(layout)
    with open_database(layout) as database:
        sync_to_read(database, directory, find_counter=load_counter)
        refresh_commits(database, environment.variables)
        answer = recall(database, directory, read_config(layout), Request(query, unlock=reason, proposed=proposed))
    if reason is not None:
        note_unlock(layout, reason, answer, now=time.time())
    return answer

"""The audit line of an opened focus lock."""

from __future__ import annotations

import os

from hfa_core.fs.atomic import append_line, make_folder
from hfa_core.light.clock import format_utc
from hfa_core.light.json_codec import render_json
from hfa_core.redact import redact
from hfa_core.store.schema import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.recall.result import Recall


def note_unlock(layout: Layout, reason: str, answer: Recall, *, now: float) -> None:
    """
    Add the audit line of an opened focus lock; it comes before anything is shown.

    Raises:
        StorageError: The line could not be written, so nothing may be shown.
    """
    entry = {"time": format_utc(now), "reason": redact(clean_text(reason)), "ids": [one.id for one in answer.selected]}
    make_folder(os.path.dirname(layout.access_log), within=layout.root)
    append_line(layout.access_log, (render_json(entry) + "\n").encode(), within=layout.root)

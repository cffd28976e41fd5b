"""A session starts, resumes or has been compacted: what the host is told about the memory as a whole."""

from __future__ import annotations

from hfa_core.active.registry import Session
from hfa_core.index.database import READ_TIMEOUT_S, open_database
from hfa_core.index.lookup import list_superseded
from hfa_core.index.sync import sync
from hfa_core.model import HookReply
from hfa_core.recall.frame import frame
from hfa_core.store.directory import read_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent

NEW_CONTEXT = ("startup", "clear", "compact")
"""After these the model no longer has what was shown before; a resumed or forked session keeps it."""


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """The active line and the number of records; nothing for an empty memory."""
    if event.trigger in NEW_CONTEXT:
        Session(occasion.user, event.session_id).note_cleared()
    directory = read_directory(occasion.layout)
    main = directory.active_main(occasion.layout.directory)
    with open_database(occasion.layout, timeout_s=READ_TIMEOUT_S) as database:
        sync(database, directory)
        count = database.get_meta("count")
        superseded = len(list_superseded(database))
    if not isinstance(count, int) or count < 1:
        return HookReply()
    current = count - superseded
    return HookReply(frame(f"Active line: {main.id} {main.title}. {current} current records, {superseded} superseded."))

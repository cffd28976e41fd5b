"""A session starts, resumes or has been compacted: what the host is told about the memory as a whole."""

from __future__ import annotations

from hfa_core.active.registry import Session
from hfa_core.hook.occasion import ANSWERED_ELSEWHERE
from hfa_core.index.commits import refresh_commits
from hfa_core.index.database import READ_TIMEOUT_S, open_database
from hfa_core.index.lookup import list_superseded
from hfa_core.index.sync import sync_to_read
from hfa_core.model import HookReply
from hfa_core.recall.frame import frame
from hfa_core.settings import current_environment
from hfa_core.store.directory import read_directory
from hfa_core.store.snippet import LINE_MARK, defuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent

HAND_OVER = (
    "A decision is recorded from a fenced block at the end of an answer: ```hfa-memory, then lines "
    "`title:`, `hit_words:` (1-8, comma-separated) and `conclusion:`."
)
"""How an agent hands over a decision, in at most 60 tokens; a fact and not an order, which hosts may distrust."""
NEW_CONTEXT = ("startup", "clear", "compact")
"""After these the model no longer has what was shown before; a resumed or forked session keeps it."""


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """The active line, the number of records, and how to hand over a decision; nothing for an empty memory."""
    session = Session(occasion.user, event.session_id)
    if session.is_claimed(claim := f"session start {event.trigger}", now=occasion.now):
        return HookReply(note=ANSWERED_ELSEWHERE)
    if event.trigger in NEW_CONTEXT:
        session.note_cleared()
    directory = read_directory(occasion.layout)
    main = directory.active_main(occasion.layout.directory)
    with open_database(occasion.layout, timeout_s=READ_TIMEOUT_S) as database:
        sync_to_read(database, directory)
        refresh_commits(database, current_environment().variables)
        count = database.get_meta("count")
        superseded = len(list_superseded(database))
    if not isinstance(count, int) or count < 1:
        return HookReply()
    if not session.claim(claim, now=occasion.now):
        return HookReply(note=ANSWERED_ELSEWHERE)
    briefing = f"Active line: {main.id} {main.title}. {count - superseded} current records, {superseded} superseded."
    return HookReply(frame(f"{LINE_MARK}{defuse(briefing)}\n{LINE_MARK}{HAND_OVER}"))

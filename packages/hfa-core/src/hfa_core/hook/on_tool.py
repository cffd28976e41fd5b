"""A tool ran: which files the turn touched, and what the memory holds about them."""

from __future__ import annotations

from hfa_core.active.registry import Session
from hfa_core.capture.extract import relative_paths
from hfa_core.model import HookReply
from hfa_core.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """
    Note the files, and answer with the records about them that this context does not have yet, at most two.

    A sub-agent's files are not those of the turn, and its context is its own.
    """
    if not event.files or event.agent_id:
        return HookReply()
    session = Session(occasion.user, event.session_id)
    files = files_of(event, occasion)
    state = session.read()
    session.note_touched(files, looked=True)
    # A file that this turn looked at before was asked about then.
    new = tuple(file for file in files if file not in state.looked)
    if not new or state.muted:
        return HookReply()
    from hfa_core.hook.inject import inject

    return inject(event, occasion, session, files=new)


def files_of(event: HookEvent, occasion: Occasion) -> tuple[str, ...]:
    """The files of an event inside the workspace, relative to it."""
    # Before a path is shortened: what tells a secret may be at its front.
    return relative_paths(tuple(redact(file) for file in event.files), occasion.layout.workspace)

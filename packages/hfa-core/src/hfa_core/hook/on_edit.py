"""The host tells of an edit and takes no answer: the files belong to the turn, and nothing is looked up for them."""

from __future__ import annotations

from hfa_core.active.registry import Session
from hfa_core.hook.on_tool import files_of
from hfa_core.model import HookReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.hook.occasion import Occasion
    from hfa_core.model import HookEvent


def handle(event: HookEvent, occasion: Occasion) -> HookReply:
    """Note the files; a sub-agent's are not those of the turn."""
    if event.files and not event.agent_id:
        Session(occasion.user, event.session_id).note_touched(files_of(event, occasion))
    return HookReply()

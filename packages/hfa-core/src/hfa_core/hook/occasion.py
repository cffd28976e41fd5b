"""The circumstances of one event of a host, and the marks that any handler may meet."""

from __future__ import annotations

from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout, UserLayout

NO_MEMORY_TAG = "#nomemory"
"""A prompt with this in it is neither recalled for nor captured."""
ANSWERED_ELSEWHERE = "answered by another process"
"""The note of a hook that left an event to another one, which the same host started for it."""


class Occasion(Record):
    """Where an event meets a memory: its layout, the user's folder for it, and the time in seconds since the epoch."""

    __slots__ = ("layout", "now", "user")

    def __init__(self, layout: Layout, user: UserLayout, now: float) -> None:
        self.layout = layout
        self.user = user
        self.now = now

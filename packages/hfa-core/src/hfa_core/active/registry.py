"""The session registry: one file a session, of lines that are only ever added, so parallel hooks lose nothing.

It holds ids, paths and marks, never a record's text. Each line is one JSON object: `{"shown": ID}`,
`{"touched": PATH}` with `"looked": true` where the memory was asked about it, `{"turn": ID}` where a new turn begins,
`{"claim": EVENT, "by": PROCESS, "at": SECONDS}` where a process answers an event, or `{"cleared": true}` where the host
dropped the context.
"""

from __future__ import annotations

import os

from hfa_core.errors import StorageError
from hfa_core.fs.atomic import append_line, make_folder, remove_if_there
from hfa_core.light.json_codec import as_mapping, as_text, parse_json, render_json
from hfa_core.light.sha256 import sha256_hex
from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hfa_core.fs.layout import UserLayout

KEPT_SESSIONS = 200
CLAIM_S = 10
"""choice: hooks that one event started come within the host's longest time-out for them; later, it is another event."""
MAXIMUM_BYTES = 256 * 1024
"""A session file that grew beyond this takes no more touched files; ids shown are few and always taken."""


class SessionState(Record):
    """
    What the lines of a session add up to: `context`, the number of times its context was dropped; ids in the present
    one; files touched in its current turn, in order, and those of them that the memory was asked about; and whether the
    user kept the memory out of that turn.
    """

    __slots__ = ("context", "looked", "muted", "shown", "touched")

    def __init__(
        self,
        context: int,
        shown: frozenset[str],
        touched: tuple[str, ...],
        *,
        looked: frozenset[str] = frozenset(),
        muted: bool,
    ) -> None:
        self.context = context
        self.looked = looked
        self.muted = muted
        self.shown = shown
        self.touched = touched


def session_name(session_id: str) -> str:
    """A session's id as files and logs on this machine spell it: always short, and telling nothing."""
    return sha256_hex(session_id.encode("utf-8", "replace"))[:16]


class Session:
    """One session's entry in the registry; without a session id it remembers nothing and has seen nothing."""

    def __init__(self, user: UserLayout, session_id: str) -> None:
        name = session_name(session_id) if session_id and user.memory_id else ""
        self._folder = user.sessions
        self._path = os.path.join(user.sessions, f"{name}.jsonl") if name else ""

    def read(self) -> SessionState:
        """The state so far; lines that cannot be read are passed over, an unreadable file is an empty state."""
        shown: dict[str, None] = {}
        touched: dict[str, None] = {}
        looked: set[str] = set()
        context = 0
        muted = False
        for line in self._lines():
            entry = _parse(line)
            if entry.get("cleared"):
                context += 1
                shown.clear()
            elif entry.get("turn"):
                touched.clear()
                looked.clear()
                muted = entry.get("muted") is True
            elif entry.get("shown"):
                shown[as_text(entry["shown"])] = None
            elif entry.get("touched"):
                touched[as_text(entry["touched"])] = None
                if entry.get("looked") is True:
                    looked.add(as_text(entry["touched"]))
        return SessionState(context, frozenset(shown), tuple(touched), looked=frozenset(looked), muted=muted)

    def claim(self, event: str, *, now: float) -> bool:
        """
        Whether this process is the one that answers an event. A host whose settings install HFA several times, or that
        loads another host's settings, starts a process for each at once, and the first to ask has it.

        Args:
            event: What tells this event from the others of the session.
            now: Seconds since the epoch.

        Returns:
            True where there is no session id to tell by.

        Raises:
            StorageError: The claim could not be written.
        """
        if not self._path:
            return True
        by = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._add([{"claim": session_name(event), "by": by, "at": int(now)}])
        return self._holder(event, now) in ("", by)

    def is_claimed(self, event: str, *, now: float) -> bool:
        """Whether a process has answered this event already, or is about to."""
        return bool(self._holder(event, now))

    def _holder(self, event: str, now: float) -> str:
        """Who claimed an event first; empty if nobody did."""
        name = session_name(event)
        mark = name.encode()
        for line in self._lines():
            if mark not in line:
                continue
            entry = _parse(line)
            at = entry.get("at")
            if entry.get("claim") == name and isinstance(at, int) and abs(now - at) <= CLAIM_S:
                return as_text(entry.get("by"))
        return ""

    def note_shown(self, chunk_ids: Iterable[str]) -> None:
        """These records are now in the session's context."""
        self._add([{"shown": chunk_id} for chunk_id in chunk_ids])

    def note_touched(self, paths: Iterable[str], *, looked: bool = False) -> None:
        """
        The current turn touched these files (paths relative to the workspace).

        Args:
            paths: The files.
            looked: Whether the memory is asked about them, which is done once a turn.
        """
        try:
            full = bool(self._path) and os.stat(self._path).st_size > MAXIMUM_BYTES
        except OSError:
            full = False
        if not full:
            state = self.read()
            known = state.looked if looked else frozenset(state.touched)
            mark = {"looked": True} if looked else {}
            self._add([{"touched": path, **mark} for path in paths if path not in known])

    def note_turn(self, turn_id: str, *, muted: bool = False) -> None:
        """A new turn began; `muted` if its prompt keeps the memory out."""
        self._add([{"turn": turn_id or "next", "muted": muted} if muted else {"turn": turn_id or "next"}])

    def note_cleared(self) -> None:
        """The host dropped or summarised the context: nothing that was shown counts as seen any more."""
        self._add([{"cleared": True}])

    def _lines(self) -> list[bytes]:
        try:
            with open(self._path, "rb") as stream:
                return stream.read().splitlines()
        except OSError:
            return []

    def _add(self, entries: list[dict[str, object]]) -> None:
        if not (self._path and entries):
            return
        make_folder(self._folder, private=True)
        # A line that a crash cut off has no end; the blank line before ours keeps it from spoiling them.
        lines = ["", *(render_json(entry) for entry in entries), ""]
        append_line(self._path, "\n".join(lines).encode("utf-8", "replace"))


def _parse(line: bytes) -> Mapping[str, object]:
    """The entry of a line; empty if it cannot be read."""
    try:
        return as_mapping(parse_json(line.decode("utf-8", "replace")))
    except ValueError:
        return {}


def prune_sessions(user: UserLayout) -> int:
    """Forget the sessions last used before the newest `KEPT_SESSIONS`; how many were forgotten."""
    try:
        with os.scandir(user.sessions) as entries:
            aged = sorted((entry.stat().st_mtime_ns, entry.path) for entry in entries)
    except (OSError, StorageError):
        return 0
    return sum(remove_if_there(path) for _, path in aged[:-KEPT_SESSIONS])

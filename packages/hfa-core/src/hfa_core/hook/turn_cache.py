"""What one turn of a host has to keep from one hook process to the next: the agent's message, and an injected text.

It lies in `.local/turn-cache` of the memory, which git never sees: one small file a session and kind, for the owner
only. Losing it costs a recall or a record that the host could have repeated, never a stored one.
"""

from __future__ import annotations

import os

from hfa_core.active.registry import session_name
from hfa_core.errors import StorageError
from hfa_core.fs.atomic import PRIVATE_FILE, make_folder, remove_if_there, write_atomic
from hfa_core.fs.reading import read_bytes
from hfa_core.light.json_codec import as_mapping, as_text, parse_json, render_json
from hfa_core.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout

KEPT_FILES = 64
MAXIMUM_BYTES = 256 * 1024
"""A longer message is not kept: no decision that fits a record comes near it."""


class TurnCache:
    """The cache of one session; without a session id it keeps nothing. Secrets are redacted before they are written."""

    def __init__(self, layout: Layout, session_id: str) -> None:
        self._folder = layout.turn_cache
        self._name = session_name(session_id) if session_id else ""

    def put_message(self, turn: str, message: str) -> None:
        """
        The agent's message of a turn so far; a later one of the same turn is added to it.

        Raises:
            StorageError: It could not be written. What was there before is unchanged.
        """
        before, message = self.message(turn), redact(message)
        # A host that runs several hooks for one event tells of it as often.
        if message not in before:
            self._put("message", turn, f"{before}\n\n{message}" if before else message)

    def message(self, turn: str) -> str:
        """What the agent said in a turn; empty if nothing was kept of it."""
        return self._get("message", turn) or ""

    def put_context(self, turn: str, context: str) -> None:
        """
        The text that a turn's model calls are given, which may be empty.

        Raises:
            StorageError: As `put_message`.
        """
        self._put("context", turn, context)

    def context(self, turn: str) -> str | None:
        """The text for the model calls of a turn; None if the turn is new."""
        return self._get("context", turn)

    def _path(self, kind: str) -> str:
        return os.path.join(self._folder, f"{self._name}.{kind}.json")

    def _get(self, kind: str, turn: str) -> str | None:
        if not self._name:
            return None
        try:
            data = read_bytes(self._path(kind), limit=2 * MAXIMUM_BYTES, follow=False)
            entry = as_mapping(parse_json(data.decode("utf-8", "replace")))
        except (OSError, ValueError, RecursionError):
            return None
        return as_text(entry.get("text")) if entry.get("turn") == session_name(turn) else None

    def _put(self, kind: str, turn: str, text: str) -> None:
        if not self._name:
            return
        entry = render_json({"turn": session_name(turn), "text": text}).encode("utf-8", "replace")
        if len(entry) > MAXIMUM_BYTES:
            return
        make_folder(self._folder, private=True)
        write_atomic(self._path(kind), entry, mode=PRIVATE_FILE, durable=False)
        self._prune()

    def _prune(self) -> None:
        try:
            with os.scandir(self._folder) as entries:
                aged = sorted((entry.stat().st_mtime_ns, entry.path) for entry in entries)
            for _, path in aged[:-KEPT_FILES]:
                remove_if_there(path)
        except (OSError, StorageError):
            # Another hook prunes at the same time.
            return

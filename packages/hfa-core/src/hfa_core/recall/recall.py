"""Recall: one prompt to the records that answer it, the way every front end asks for it."""

from __future__ import annotations

from hfa_core.errors import MemoryDamagedError, StorageError, UnlockReasonError, UnsupportedFormatError
from hfa_core.index.analyzer import analyze_query
from hfa_core.index.freshness import source_digest
from hfa_core.index.lookup import find_by_path, find_entry, find_line_tokens, find_predecessors, find_successors
from hfa_core.index.search import search
from hfa_core.index.stop_words import is_telling
from hfa_core.index.synonyms import widen
from hfa_core.model import Record
from hfa_core.recall.budget import MAXIMUM_SNIPPETS, exceeds_bytes, fits
from hfa_core.recall.rank import rank
from hfa_core.recall.result import HIT, NONE, Deferred, Recall, Selected
from hfa_core.router.focus import reason_to_defer, route_nodes
from hfa_core.store.chunks import read_chunk
from hfa_core.store.schema import clean_text
from hfa_core.store.snippet import render_router_line, render_snippet
from hfa_core.tokens import ESTIMATED_LINE_END, METHOD_ESTIMATE, METHOD_EXACT, estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hfa_core.index.analyzer import Query
    from hfa_core.index.database import Database
    from hfa_core.index.lookup import Entry
    from hfa_core.store.config import Config
    from hfa_core.store.directory import Directory

_CHAIN_LIMIT = 64


class Request(Record):
    """
    A prompt and its circumstances: `unlock` is a reason or None, `in_context` the ids the session already has,
    `characters` the longest text that the asking host takes, 0 for any. `brief` is for a host's hook, which shows
    neither the router's lines nor what is deferred once the snippets are full. `query` is the prompt as analysed, where
    that was done already. With `files` (paths relative to the workspace) the records about these are meant, whatever
    the prompt says; with `proposed`, the ids that another search engine found, best first, only these.
    """

    __slots__ = ("brief", "characters", "files", "in_context", "prompt", "proposed", "query", "unlock")

    def __init__(
        self,
        prompt: str,
        *,
        unlock: str | None = None,
        in_context: frozenset[str] = frozenset(),
        characters: int = 0,
        brief: bool = False,
        query: Query | None = None,
        files: tuple[str, ...] = (),
        proposed: tuple[str, ...] | None = None,
    ) -> None:
        self.files = files
        self.proposed = proposed
        self.prompt = prompt
        self.unlock = unlock
        self.in_context = in_context
        self.characters = characters
        self.brief = brief
        self.query = query


def recall(database: Database, directory: Directory, config: Config, request: Request) -> Recall:
    """
    What the memory knows about a prompt, from an index that is in step.

    Every record that is returned was read from its file and fits its digest. A superseded one is never returned: a
    hit on it leads to its current successor. Out of focus means deferred, without text, unless `unlock` gives a reason.

    Raises:
        UnlockReasonError: `unlock` is blank.
        MemoryDamagedError: L0 has no single active main line.
    """
    if request.unlock is not None and not clean_text(request.unlock):
        raise UnlockReasonError
    directory.active_main(database.layout.directory)
    packing = _Packing(database, directory, config, request)
    node_grams: dict[str, dict[str, str]] = {}
    if request.proposed is not None:
        matches = [(one, ("proposed by the backend",)) for one in request.proposed]
    elif request.files:
        matches = [(one, (f"file: {file}",)) for file in request.files for one in find_by_path(database, file)]
    else:
        query = request.query or analyze_query(request.prompt)
        found = search(database, widen(query, config.aliases))
        node_grams = found.node_grams
        matches = [(one.candidate.id, one.explanation) for one in rank(found)]
    for chunk_id, explanation in matches:
        if request.brief and packing.is_full:
            break
        packing.consider(chunk_id, explanation)
    return packing.answer(node_grams)


class _Packing:
    """The snippets taken so far for one request, and why others were not."""

    def __init__(self, database: Database, directory: Directory, config: Config, request: Request) -> None:
        self._database = database
        self._directory = directory
        self._config = config
        self._request = request
        self._seen: set[str] = set()
        self._selected: list[Selected] = []
        self._deferred: list[Deferred] = []
        self._texts: list[str] = []
        self._nodes: list[str] = []
        self._used = 0
        self._line_end = 0
        self._exact = True

    @property
    def is_full(self) -> bool:
        """Whether no further snippet can be taken."""
        return len(self._selected) >= MAXIMUM_SNIPPETS

    def consider(self, candidate: str, explanation: tuple[str, ...]) -> None:
        """
        Select or defer one candidate, or, where it was superseded, its current successors instead. Of records that
        dispute what they succeeded, one does not come without the others.
        """
        pending = self._current(candidate)
        redirected = () if candidate in pending else (f"supersedes {candidate}",)
        for chunk_id in pending:
            entry = None if chunk_id in self._seen else find_entry(self._database, chunk_id)
            if entry is None:
                continue
            self._seen.add(chunk_id)
            rivals = self._rivals(chunk_id)
            pending.extend(rival for rival in rivals if rival not in pending)
            match = (*explanation, *redirected, *(f"disputed by {rival}" for rival in rivals))
            locked = self._reason_to_lock(entry)
            reason = locked or self._reason_to_defer(entry) or self._take(entry, match)
            if reason:
                self._deferred.append(Deferred(chunk_id, entry.title, reason, locked=bool(locked)))

    def _reason_to_lock(self, entry: Entry) -> str:
        if self._request.unlock is not None:
            return ""
        return reason_to_defer(self._directory, entry.node) or self._off_branch(entry)

    def _reason_to_defer(self, entry: Entry) -> str:
        self._nodes.append(entry.node)
        if entry.id in self._request.in_context:
            return "already in this session's context"
        return fits(self._used + self._line_end, len(self._selected), entry.tokens, self._config.recall_budget)

    def _is_elsewhere(self, chunk_id: str) -> bool:
        """Whether a record does not hold on this branch, so that what it supersedes still does."""
        entry = find_entry(self._database, chunk_id)
        return entry is not None and bool(self._off_branch(entry))

    def _off_branch(self, entry: Entry) -> str:
        """Why a record does not hold on the branch that is checked out, if so."""
        if not entry.branch or entry.committed:
            return ""
        # Once its record is committed, a prompt does not need it.
        from hfa_core.router.branch import reason_off_branch

        return reason_off_branch(self._database, entry)

    def _take(self, entry: Entry, match: tuple[str, ...]) -> str:
        """Select a record from its file, which has the last word; why that failed, or nothing."""
        try:
            chunk = read_chunk(self._database.layout, entry.id)
        except (MemoryDamagedError, StorageError, UnsupportedFormatError) as error:
            return f"its file cannot be used: {error}"
        if chunk.digest != entry.digest:
            return "its file was replaced since it was indexed; `hfa reindex` takes the new one in"
        text = render_snippet(chunk)
        whole = "\n".join([*self._texts, text])
        if self._request.characters and len(whole) > self._request.characters:
            return f"the host takes no more than {self._request.characters} characters"
        exact = self._exact and entry.exact
        too_long = "" if exact else exceeds_bytes(whole, self._config.recall_budget)
        if too_long:
            return too_long
        self._used += self._line_end + entry.tokens
        self._line_end = entry.line_end
        self._exact = exact
        self._texts.append(text)
        self._selected.append(Selected(chunk.id, chunk.title, match, entry.tokens))
        return ""

    def _rivals(self, chunk_id: str) -> list[str]:
        """The other current successors of what this record supersedes, as a merge of two branches leaves them."""
        found: dict[str, None] = {}
        for old in find_predecessors(self._database, chunk_id):
            found.update(dict.fromkeys(self._current(old)))
        found.pop(chunk_id, None)
        return list(found)

    def _current(self, chunk_id: str) -> list[str]:
        """The record itself, or the ends of its chain of successors; a cycle made by hand has no end and no record."""
        ends: list[str] = []
        pending, seen = [chunk_id], set[str]()
        while pending and len(seen) < _CHAIN_LIMIT:
            current = pending.pop(0)
            if current in seen:
                continue
            seen.add(current)
            successors = [one for one in find_successors(self._database, current) if not self._is_elsewhere(one)]
            pending.extend(successors)
            if not successors:
                ends.append(current)
        return ends

    def answer(self, node_grams: Mapping[str, Mapping[str, str]]) -> Recall:
        """The recall, with the L0 lines of every node it routes to, as many as fit."""
        lines, router_tokens = ([], 0) if self._request.brief else self._route(node_grams)
        # Where nothing was counted, nothing is called exact.
        exact = self._exact and bool(self._texts or lines)
        return Recall(
            HIT if self._selected else NONE,
            selected=tuple(self._selected),
            deferred=tuple(self._deferred),
            recall_text="\n".join(self._texts),
            router_text="\n".join(lines),
            recall_tokens=self._used,
            router_tokens=router_tokens,
            method=METHOD_EXACT if exact else METHOD_ESTIMATE,
            exact=exact,
            source_digest=source_digest(self._database, self._database.layout),
        )

    def _route(self, node_grams: Mapping[str, Mapping[str, str]]) -> tuple[list[str], int]:
        """The L0 lines of the nodes that the prompt routes to, as many as fit, and their tokens."""
        lines: list[str] = []
        used = line_end = 0
        budget = self._config.router_budget
        named = [node for node, grams in node_grams.items() if any(is_telling(gram) for gram in grams)]
        for node in route_nodes(self._directory, (*self._nodes, *named)):
            line = render_router_line(node)
            counted = find_line_tokens(self._database, line)
            tokens, following = counted or (estimate_tokens(line), ESTIMATED_LINE_END)
            exact = self._exact and counted is not None
            too_long = not exact and exceeds_bytes("\n".join([*lines, line]), budget)
            if too_long or used + line_end + tokens > budget:
                break
            lines.append(line)
            used += line_end + tokens
            line_end = following
            self._exact = exact
        return lines, used

"""Storing a record that somebody hands over on purpose, and bringing its page up to date."""

from __future__ import annotations

import time

from hfa_core.capture.remember import remember
from hfa_core.errors import InvalidRecordError, LockTimeoutError, StorageError
from hfa_core.index.pages import refresh_views
from hfa_core.model import Draft, Record, Source
from hfa_core.store.git_head import read_head
from hfa_core.store.schema import split_hit_words
from hfa_core.tokens.exact import load_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hfa_core.fs.layout import Layout

FIELD_CHARACTERS = 100_000
"""
A field beyond this is refused unread. No valid one has a tenth of it, and looking for secrets in a hostile 10 MB takes
half a minute (measured).
"""


class Stored(Record):
    """
    The outcome: the record's id, whether it was there before, and why its page is behind, if so. The record itself is
    stored all the same.
    """

    __slots__ = ("duplicate", "id", "lag")

    def __init__(self, id: str, *, duplicate: bool, lag: str = "") -> None:
        self.id = id
        self.duplicate = duplicate
        self.lag = lag

    def as_json(self) -> dict[str, object]:
        """The outcome as the JSON of `hfa add-topic --json`."""
        return {"id": self.id, "duplicate": self.duplicate}


def draft_of(
    layout: Layout,
    *,
    title: str,
    hit_words: Sequence[str],
    conclusion: Sequence[str],
    kind: str,
    node: str,
    paths: Sequence[str],
    tags: Sequence[str],
    ref: str,
    supersedes: Sequence[str],
    request_id: str,
    source_kind: str,
    host: str = "",
    session: str = "",
) -> Draft:
    """
    The draft that some words mean: hit words may be separated by commas within one text, conclusions by line ends.

    Raises:
        InvalidRecordError: A field is beyond all bounds. Nothing was written.
    """
    given = {"title": [title], "hit_words": hit_words, "conclusion": conclusion, "kind": [kind], "node": [node]}
    given |= {"paths": paths, "tags": tags, "source": [ref], "supersedes": supersedes, "request_id": [request_id]}
    for name, texts in given.items():
        size = sum(len(text) for text in texts)
        if size > FIELD_CHARACTERS:
            raise InvalidRecordError(name, f"{size} characters", "are too many to be looked at")
    branch, commit = read_head(layout.root)
    return Draft(
        title=title,
        hit_words=[word for text in hit_words for word in split_hit_words(text)],
        conclusion=[line for text in conclusion for line in text.splitlines()],
        source=Source(source_kind, host=host, session=session, ref=ref, branch=branch, commit=commit),
        kind=kind,
        node=node,
        paths=paths,
        tags=tags,
        supersedes=supersedes,
        request_id=request_id,
    )


def store(layout: Layout, draft: Draft) -> Stored:
    """
    Remember a draft, then refresh the generated pages.

    Raises:
        HfaError: As `remember`.
    """
    remembered = remember(layout, draft, now=time.time())
    lag = "" if remembered.duplicate else _refresh(layout)
    return Stored(remembered.id, duplicate=remembered.duplicate, lag=lag)


def _refresh(layout: Layout) -> str:
    """Refresh the pages; why one lags, which is no fault of the write."""
    try:
        refresh_views(layout, find_counter=load_counter)
    except (LockTimeoutError, StorageError) as error:
        return str(error)
    return ""

"""What a recall answers, for hook, command line and MCP alike."""

from __future__ import annotations

from hfa_core.model import Record

HIT = "hit"
NONE = "none"
INDEX_REBUILDING = "index_rebuilding"
LOCKED = "locked"
OFF = "off"


class Selected(Record):
    """A record that is shown: `match` says which words found it by which rule, `tokens` what its snippet costs."""

    __slots__ = ("id", "match", "title", "tokens")

    def __init__(self, id: str, title: str, match: tuple[str, ...], tokens: int) -> None:
        self.id = id
        self.title = title
        self.match = match
        self.tokens = tokens


class Deferred(Record):
    """A record that matched and is not shown, and why; never its text. One that is `locked` can be unlocked."""

    __slots__ = ("id", "locked", "reason", "title")

    def __init__(self, id: str, title: str, reason: str, *, locked: bool = False) -> None:
        self.id = id
        self.title = title
        self.reason = reason
        self.locked = locked


class Recall(Record):
    """
    The answer to a prompt. Tokens are of `recall_text` and `router_text`; `exact` says whether they were counted or
    estimated; `status` is `hit`, `none`, `index_rebuilding`, `locked` or `off`.
    """

    __slots__ = (
        "deferred",
        "exact",
        "method",
        "recall_text",
        "recall_tokens",
        "router_text",
        "router_tokens",
        "selected",
        "source_digest",
        "status",
    )

    def __init__(
        self,
        status: str,
        *,
        selected: tuple[Selected, ...] = (),
        deferred: tuple[Deferred, ...] = (),
        recall_text: str = "",
        router_text: str = "",
        recall_tokens: int = 0,
        router_tokens: int = 0,
        method: str,
        exact: bool = False,
        source_digest: str = "",
    ) -> None:
        self.status = status
        self.selected = selected
        self.deferred = deferred
        self.recall_text = recall_text
        self.router_text = router_text
        self.recall_tokens = recall_tokens
        self.router_tokens = router_tokens
        self.method = method
        self.exact = exact
        self.source_digest = source_digest

    def as_json(self) -> dict[str, object]:
        """The answer as the JSON of `hfa recall --json`."""
        return {
            "status": self.status,
            "selected": [
                {"id": item.id, "title": item.title, "match": list(item.match), "tokens": item.tokens}
                for item in self.selected
            ],
            "deferred": [{"id": item.id, "title": item.title, "reason": item.reason} for item in self.deferred],
            "profile_drift": [],
            "router_text": self.router_text,
            "recall_text": self.recall_text,
            "tokens": {
                "router": self.router_tokens,
                "recall": self.recall_tokens,
                "method": self.method,
                "exact": self.exact,
            },
            "source_digest": self.source_digest,
        }

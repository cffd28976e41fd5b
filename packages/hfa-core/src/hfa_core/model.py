"""The records that HFA's modules hand to one another.

They are slotted classes instead of dataclasses because importing `dataclasses` costs a hook more than starting Python.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KINDS = (
    "fact",
    "preference",
    "decision",
    "lesson",
    "relation",
    "goal",
    "context",
    "workflow",
    "pitfall",
    "correction",
    "project-convention",
)
"""The kinds a chunk may have; `decision` is the default."""

MEMORY_FORMAT = "hfa-memory/1"
"""The format key of `config.json` that this version writes; a memory with a higher number is read and not written."""


class Record:
    """A value compared and shown by its slots."""

    __slots__ = ()

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Record) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in zip(self.__slots__, self._values(), strict=True))
        return f"{type(self).__name__}({shown})"


class Source(Record):
    """Where a record came from; every field may be empty, none is an absolute path or an account name.

    `kind` is `cli`, `hook`, `mcp`, `import` or `hand`; `ref` is what the author named, such as a document or an issue.
    """

    __slots__ = ("branch", "commit", "host", "kind", "ref", "session")

    def __init__(
        self, kind: str, *, host: str = "", session: str = "", ref: str = "", branch: str = "", commit: str = ""
    ) -> None:
        self.kind = kind
        self.host = host
        self.session = session
        self.ref = ref
        self.branch = branch
        self.commit = commit


class Chunk(Record):
    """One record of the memory, as its file says it; `created_at` is UTC in ISO form to the second."""

    __slots__ = (
        "conclusion",
        "created_at",
        "digest",
        "epoch",
        "hit_words",
        "id",
        "kind",
        "node",
        "paths",
        "request_id",
        "scope",
        "source",
        "supersedes",
        "tags",
        "title",
    )

    def __init__(
        self,
        *,
        id: str,
        node: str,
        scope: str,
        kind: str,
        title: str,
        hit_words: tuple[str, ...],
        conclusion: tuple[str, ...],
        paths: tuple[str, ...],
        tags: tuple[str, ...],
        source: Source,
        request_id: str,
        supersedes: tuple[str, ...],
        created_at: str,
        epoch: int,
        digest: str,
    ) -> None:
        self.id = id
        self.node = node
        self.scope = scope
        self.kind = kind
        self.title = title
        self.hit_words = hit_words
        self.conclusion = conclusion
        self.paths = paths
        self.tags = tags
        self.source = source
        self.request_id = request_id
        self.supersedes = supersedes
        self.created_at = created_at
        self.epoch = epoch
        self.digest = digest


class Draft(Record):
    """What an author hands in to be remembered; the store adds id, epoch, time and digest."""

    __slots__ = (
        "conclusion",
        "hit_words",
        "kind",
        "node",
        "paths",
        "request_id",
        "source",
        "supersedes",
        "tags",
        "title",
    )

    def __init__(
        self,
        *,
        title: str,
        hit_words: Sequence[str],
        conclusion: Sequence[str],
        source: Source,
        kind: str = "decision",
        node: str = "",
        paths: Sequence[str] = (),
        tags: Sequence[str] = (),
        supersedes: Sequence[str] = (),
        request_id: str = "",
    ) -> None:
        self.title = title
        self.hit_words = tuple(hit_words)
        self.conclusion = tuple(conclusion)
        self.source = source
        self.kind = kind
        self.node = node
        self.paths = tuple(paths)
        self.tags = tuple(tags)
        self.supersedes = tuple(supersedes)
        self.request_id = request_id


class Node(Record):
    """One row of L0; `id` begins with M (main line), S (side line) or P (profile)."""

    __slots__ = ("branch", "hit_words", "id", "path", "state", "title")

    def __init__(self, *, id: str, title: str, path: str, state: str, branch: str, hit_words: tuple[str, ...]) -> None:
        self.id = id
        self.title = title
        self.path = path
        self.state = state
        self.branch = branch
        self.hit_words = hit_words


class HookEvent(Record):
    """What happened in a host, in HFA's words.

    `name` is `session_start`, `prompt`, `invocation` (a model call that needs its context again), `tool`, `edit` (as
    `tool`, but no answer is taken), `answer` (the agent's text, told before the turn ends), `stop`, `compact` or
    `session_end`. Every text may be empty; `files`
    are absolute paths as the host gave them; `decision` is a structured decision that the host handed over, if any;
    `transcript` is the host's own record of the session, a file of one JSON object a line.
    """

    __slots__ = (
        "agent_id",
        "cwd",
        "decision",
        "files",
        "host",
        "host_event",
        "message",
        "name",
        "prompt",
        "session_id",
        "transcript",
        "trigger",
        "turn_id",
    )

    def __init__(
        self,
        *,
        host: str,
        name: str,
        host_event: str,
        session_id: str = "",
        turn_id: str = "",
        cwd: str = "",
        prompt: str = "",
        message: str = "",
        decision: Mapping[str, object] | None = None,
        files: tuple[str, ...] = (),
        trigger: str = "",
        agent_id: str = "",
        transcript: str = "",
    ) -> None:
        self.host = host
        self.name = name
        self.host_event = host_event
        self.session_id = session_id
        self.turn_id = turn_id
        self.cwd = cwd
        self.prompt = prompt
        self.message = message
        self.decision = decision
        self.files = files
        self.trigger = trigger
        self.agent_id = agent_id
        self.transcript = transcript


class HookReply(Record):
    """What a hook answers: `context` is text for the model, empty for nothing; `note` is for the hook log alone."""

    __slots__ = ("context", "note")

    def __init__(self, context: str = "", *, note: str = "") -> None:
        self.context = context
        self.note = note

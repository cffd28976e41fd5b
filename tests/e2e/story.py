"""What the end-to-end tests tell of: two decisions, the questions that need them, and how a turn is looked at."""

from __future__ import annotations

from dataclasses import dataclass

from tests.e2e.play import Run, Turn


@dataclass(frozen=True)
class Decision:
    """A decision as one session makes it, and the question by which a later one needs it."""

    title: str
    hit_words: str
    conclusion: str
    request: str
    question: str

    @property
    def answer(self) -> str:
        block = f"title: {self.title}\nhit_words: {self.hit_words}\nconclusion: {self.conclusion}"
        return f"Done, and the tests pass.\n\n```hfa-memory\n{block}\n```\n"


ROTATION = Decision(
    title="Refresh tokens rotate every 24 hours",
    hit_words="refresh token, rotation",
    conclusion="The auth service rotates refresh tokens every 24 h; old ones are revoked at once.",
    request="Please settle how long a refresh token lives, and write it down in src/auth/tokens.py.",
    question="how did we decide to handle the token refresh rotation?",
)
DEPLOYMENT = Decision(
    title="部署超时统一为九十秒",
    hit_words="部署超时, 缓存预热",
    conclusion="部署超时统一设为 90 秒，先预热缓存再切流量，超时即回滚。",
    request="请把部署脚本的等待时间定下来。",
    question="部署超时和缓存我们之前是怎么定的？",
)


def set_up(run: Run) -> None:
    run.hfa("init")
    run.hfa("install", "claude", "--scope", "user")


def list_chunks(run: Run) -> list[str]:
    return sorted(path.name for path in (run.workspace / "memory" / "chunks").glob("*"))


def prompt_contexts(run: Run, turn: Turn) -> list[str]:
    return run.host.contexts(turn.last_request, "UserPromptSubmit")


def assert_unharmed(turn: Turn, answer: str) -> None:
    assert turn.exit_code == 0
    assert turn.answer == answer
    assert turn.stderr == ""
    # One request: no hook sent the agent back to work.
    assert len(turn.requests) == 1

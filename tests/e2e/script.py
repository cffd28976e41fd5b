"""The script that stands in for a model's mind: which step answers which request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NO_SCRIPT = "E2E: no script for this request"
SCRIPT_IS_OVER = "E2E: the script is over"


@dataclass(frozen=True)
class Say:
    """The model answers with text and ends its turn."""

    text: str


@dataclass(frozen=True)
class Call:
    """The model calls one tool of the host."""

    tool: str
    arguments: Mapping[str, object]


Step = Say | Call


@dataclass(frozen=True)
class Message:
    """One message of a request; `parts` are its texts, a tool call or a tool result as JSON."""

    role: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Request:
    """What the host sent to the model: the system prompt first, then the conversation; and the tools it offered."""

    # Left out of failure reports: they would show the host's own prompts.
    messages: tuple[Message, ...] = field(repr=False)
    tools: tuple[str, ...] = field(default=(), repr=False)
    """Names of the tools that the model may call at once, their schemas at hand."""

    def count(self, text: str) -> int:
        """How often the model is shown `text`."""
        return sum(part.count(text) for part in self.texts())

    def texts(self) -> list[str]:
        """All that the model is shown, part by part."""
        return [part for message in self.messages for part in message.parts]


def next_step(request: Request, scripts: Mapping[str, Sequence[Step]]) -> Step:
    """
    The step that answers this request, by nothing but the request: a retry gets the same answer.

    The last user text that *is* a scripted prompt picks the script, the number of model turns after it picks the step.
    So the prompt holds the user's own words only: a tag in it would change what a memory finds for it.
    """
    script: Sequence[Step] = (Say(NO_SCRIPT),)
    step = 0
    for message in request.messages:
        if message.role == "assistant":
            step += 1
        for part in message.parts if message.role == "user" else ():
            if part.strip() in scripts:
                script, step = scripts[part.strip()], 0
    return script[step] if step < len(script) else Say(SCRIPT_IS_OVER)

"""The Anthropic Messages format: a request into a `Request`, a step into an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from tests.e2e.script import Message, Request, Say, Step


def as_object(value: object) -> dict[str, object]:
    """`value` if it is a JSON object, else an empty one."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def as_array(value: object) -> list[object]:
    """`value` if it is a JSON array, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def parse_request(body: dict[str, object]) -> Request:
    """Source: https://docs.anthropic.com/en/api/messages"""
    system = Message("system prompt", _parse_content(body.get("system")))
    sent = [as_object(message) for message in as_array(body.get("messages"))]
    conversation = [Message(str(message.get("role")), _parse_content(message.get("content"))) for message in sent]
    tools = tuple(str(as_object(tool).get("name")) for tool in as_array(body.get("tools")))
    return Request((system, *conversation), tools)


def _parse_content(content: object) -> tuple[str, ...]:
    if isinstance(content, str):
        return (content,)
    return tuple(_parse_part(as_object(part)) for part in as_array(content))


def _parse_part(part: dict[str, object]) -> str:
    text = part.get("text")
    return text if isinstance(text, str) else json.dumps(part, ensure_ascii=False)


def render_message(step: Step, serial: int) -> dict[str, object]:
    """The whole answer, for a client that does not stream."""
    if isinstance(step, Say):
        content: dict[str, object] = {"type": "text", "text": step.text}
    else:
        content = {"type": "tool_use", "id": f"toolu_{serial:06}", "name": step.tool, "input": dict(step.arguments)}
    return {
        "id": f"msg_{serial:06}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [content],
        "stop_reason": "end_turn" if isinstance(step, Say) else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1200, "output_tokens": 20},
    }


def iter_events(step: Step, serial: int) -> Iterator[dict[str, object]]:
    """The same answer in pieces. Source: https://docs.anthropic.com/en/docs/build-with-claude/streaming"""
    message = render_message(step, serial)
    block = as_object(as_array(message["content"])[0])
    if isinstance(step, Say):
        empty: dict[str, object] = {"text": ""}
        delta = {"type": "text_delta", "text": step.text}
    else:
        empty = {"input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(dict(step.arguments))}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    yield {"type": "content_block_start", "index": 0, "content_block": block | empty}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": ending, "usage": message["usage"]}
    yield {"type": "message_stop"}

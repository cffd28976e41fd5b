"""What a client is told of the tools: names, words, the forms of arguments and results; all of it costs its context."""

from __future__ import annotations

from typing import Annotated, Any

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema


def _as_list(value: object) -> object:
    """Models like to send one text where a list is due."""
    return [value] if isinstance(value, str) else value


Texts = Annotated[list[str], BeforeValidator(_as_list)]
OptionalText = str | SkipJsonSchema[None]


class _Arguments(BaseModel):
    """Arguments of a tool: nothing unknown, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RecallArguments(_Arguments):
    """Arguments of `recall_memory`, which are those of `hfa recall`."""

    query: Annotated[str, Field(description="What you would ask, in any words.")]
    unlock: Annotated[OptionalText, Field(description="Reason to look beyond the active line; logged.")] = None


class RememberArguments(_Arguments):
    """Arguments of `remember_decision`, which are those of `hfa add-topic`."""

    title: Annotated[str, Field(description="What was decided, in one line.")]
    hit_words: Annotated[Texts, Field(description="1 to 8 exact words it is found by.")]
    conclusion: Annotated[Texts, Field(description="1 to 3 lines: what holds, and why.")]
    kind: Annotated[str, Field(description="decision, fact, pitfall, preference, ...")] = "decision"
    node: Annotated[str, Field(description="Else the active line.")] = ""
    paths: Annotated[Texts, Field(description="Files it is about, relative.")] = []
    tags: Texts = []
    source: Annotated[str, Field(description="Document or issue it comes from.")] = ""
    supersedes: Annotated[Texts, Field(description="Ids of records it replaces.")] = []
    request_id: Annotated[str, Field(description="Same id and content again stores nothing.")] = ""


class HealthArguments(_Arguments):
    """`memory_health` takes no arguments, as `hfa status`."""


_TEXT = {"type": "string"}
_RECALLED = {
    "status": {"enum": ["hit", "none", "index_rebuilding", "locked", "off"]},
    "selected": {
        "type": "array",
        "items": {"type": "object", "properties": {"id": _TEXT, "title": _TEXT, "tokens": {"type": "integer"}}},
    },
    "deferred": {
        "type": "array",
        "items": {"type": "object", "properties": {"id": _TEXT, "title": _TEXT, "reason": _TEXT}},
    },
    "recall_text": _TEXT,
    "router_text": _TEXT,
    "tokens": {"type": "object"},
}
_HEALTH = {
    "memory_dir": _TEXT,
    "records": {"type": "object"},
    "off": _TEXT,
    "problems": {"type": "array", "items": _TEXT},
}


def list_tools() -> list[Tool]:
    """The tools, in the order in which a client shows them."""
    return [
        Tool(
            name="recall_memory",
            title="Recall memory",
            description="Past decisions of this project that answer a query: at most two, or none.",
            input_schema=_schema(RecallArguments),
            output_schema=_object(_RECALLED, "status", "selected", "recall_text"),
            annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
        ),
        Tool(
            name="remember_decision",
            title="Remember a decision",
            description="Store one decision as a file in the project. No secrets, plans or small talk.",
            input_schema=_schema(RememberArguments),
            output_schema=_object({"id": _TEXT, "duplicate": {"type": "boolean"}}, "id", "duplicate"),
            annotations=ToolAnnotations(
                read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
            ),
        ),
        Tool(
            name="memory_health",
            title="Memory health",
            description="What the memory holds, whether it is on, and what is wrong with it.",
            input_schema=_schema(HealthArguments),
            output_schema=_object(_HEALTH, "memory_dir", "problems"),
            annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
        ),
    ]


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def _schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of arguments, without what repeats a name or a default that says nothing."""
    schema = arguments.model_json_schema()
    for name in ("title", "description"):
        schema.pop(name, None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
        if not field.get("default", True) or field.get("default", True) is None:
            del field["default"]
    return schema

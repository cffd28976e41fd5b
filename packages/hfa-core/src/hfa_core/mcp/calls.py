"""A call of a tool: its arguments checked, the memory of the client's project asked, and every error made an answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, ValidationError

from hfa_core.active.registry import Session, session_name
from hfa_core.capture.remember import redact_draft, refuse_if_off
from hfa_core.errors import HfaError, MemoryNotFoundError
from hfa_core.fs.layout import Layout, UserLayout
from hfa_core.hook.log import write_entry, write_receipt
from hfa_core.hook.occasion import NO_MEMORY_TAG
from hfa_core.mcp.schemas import HealthArguments, RecallArguments, RememberArguments
from hfa_core.model import Draft
from hfa_core.operations.recall import answer_query
from hfa_core.operations.record import draft_of, store
from hfa_core.operations.status import read_status, user_layout
from hfa_core.recall.result import OFF, Recall
from hfa_core.redact import redact
from hfa_core.settings import Environment
from hfa_core.store.auto_create import create_own_memory, place_for_own_memory
from hfa_core.store.create import FIRST_NODE
from hfa_core.store.locate import find_memory, is_off, require_memory
from hfa_core.store.schema import check_draft
from hfa_core.tokens import METHOD_ESTIMATE

_SHOWN_CHARACTERS = 500


@dataclass(frozen=True)
class Caller:
    """
    Who calls, from where: the memory named at the start or empty, the folder to look from, the client's name, and the
    id of its session or empty.
    """

    memory_dir: str
    start: str
    host: str
    session: str
    environment: Environment

    def require_memory(self) -> Layout:
        """The memory of the caller's project. Raises as `store.locate.require_memory`."""
        return require_memory(self.memory_dir, self.environment, self.start)

    def find_muted(self, layout: Layout) -> str:
        """Why this turn of the session is without the memory, or nothing. Raises as `read_config`."""
        if not self.session:
            return ""
        muted = Session(user_layout(layout, self.environment), self.session).read().muted
        return f"{NO_MEMORY_TAG} stands in the prompt" if muted else ""


def call_tool(name: str, arguments: dict[str, Any], caller: Caller) -> CallToolResult | None:
    """The answer of a tool, an error of any kind included; None if there is no such tool."""
    if name not in _TOOLS:
        return None
    model, run = _TOOLS[name]
    try:
        document, failed = run(caller, model.model_validate(arguments)), False
    except ValidationError as error:
        document, failed = _usage_error(error), True
    except HfaError as error:
        document, failed = error.as_json(), True
    except Exception as error:
        document, failed = _fault(caller, name, error), True
    text = json.dumps(document, ensure_ascii=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=document, is_error=failed)


def recall(caller: Caller, query: str, unlock: str | None) -> dict[str, object]:
    """
    What `hfa recall --json` says. An agent that asks is answered, whatever its context holds; what it was told, the
    hooks of its session do not tell again.
    """
    layout = caller.require_memory()
    if caller.find_muted(layout):
        return Recall(OFF, method=METHOD_ESTIMATE).as_json()
    started = time.monotonic()
    answer = answer_query(layout, caller.environment, query, unlock=unlock)
    if answer.selected:
        user = user_layout(layout, caller.environment)
        Session(user, caller.session).note_shown(item.id for item in answer.selected)
        seconds = time.monotonic() - started
        session = session_name(caller.session) if caller.session else ""
        write_receipt(user, answer, host=caller.host, session=session, seconds=seconds, now=time.time())
    return answer.as_json()


def _recall(caller: Caller, arguments: RecallArguments) -> dict[str, object]:
    return recall(caller, arguments.query, arguments.unlock)


def _remember(caller: Caller, given: RememberArguments) -> dict[str, object]:
    """What `hfa add-topic --json` says; where there is no memory one is made, and its folder is said, too."""
    found = find_memory(caller.memory_dir, caller.environment, caller.start)
    layout = found or place_for_own_memory(caller.environment, caller.start)
    refuse_if_off(is_off(caller.environment, layout) or (caller.find_muted(layout) if found else ""))
    draft = draft_of(
        layout,
        title=given.title,
        hit_words=given.hit_words,
        conclusion=given.conclusion,
        kind=given.kind,
        node=given.node,
        paths=given.paths,
        tags=given.tags,
        ref=given.source,
        supersedes=given.supersedes,
        request_id=given.request_id,
        source_kind="mcp",
        host=caller.host,
        session=caller.session,
    )
    made = found is None and _make_memory(caller, layout, draft)
    stored = store(layout, draft).as_json()
    return {**stored, "memory_created": layout.root} if made else stored


def _make_memory(caller: Caller, layout: Layout, draft: Draft) -> bool:
    """Make the memory for its first record, unless that cannot be stored in a new one anyhow; whether it was made."""
    check_draft(redact_draft(draft))
    if draft.supersedes or draft.node not in ("", FIRST_NODE):
        raise MemoryNotFoundError(caller.start)
    return create_own_memory(layout)


def _health(caller: Caller, _arguments: HealthArguments) -> dict[str, object]:
    return read_status(caller.require_memory(), caller.environment)


_TOOLS: dict[str, tuple[type[BaseModel], Callable[[Caller, Any], dict[str, object]]]] = {
    "recall_memory": (RecallArguments, _recall),
    "remember_decision": (RememberArguments, _remember),
    "memory_health": (HealthArguments, _health),
}


def _usage_error(error: ValidationError) -> dict[str, object]:
    """Arguments of the wrong form, as the command line's usage error; values are left out, they may be secrets."""
    faults = [f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in error.errors()]
    message = "; ".join(faults[:8]) + "; nothing was done"
    return {"error": {"type": "UsageError", "message": message, "exit_code": 2}}


def _fault(caller: Caller, name: str, error: Exception) -> dict[str, object]:
    """A fault of ours, told and logged, as a hook's is: `hfa doctor` shows it."""
    kind, message = type(error).__name__, redact(str(error))[:_SHOWN_CHARACTERS]
    try:
        log = user_layout(caller.require_memory(), caller.environment).hook_log
    except HfaError:
        log = UserLayout(caller.environment.user_dir).hook_log
    entry = {"host": caller.host or "mcp", "event": name, "outcome": "error", "error": kind, "message": message}
    write_entry(log, entry, now=time.time())
    told = f"{kind}: {message}; this is a fault of HFA, which `hfa doctor` shows"
    return {"error": {"type": kind, "message": told, "exit_code": HfaError.exit_code}}

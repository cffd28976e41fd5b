"""The prompts that a user of a host may pick: to be told what is stored, and to have a decision stored."""

from __future__ import annotations

from mcp_types import GetPromptResult, ListPromptsResult, Prompt, PromptArgument, PromptMessage, TextContent

from hfa_core.mcp.calls import Caller, recall
from hfa_core.recall.frame import frame

_NONE = "(The project's memory holds nothing that answers this.)"
_DECIDE = (
    "Store what was decided with the tool remember_decision{about}. One decision a record: a title that says it in one "
    "line, 1 to 8 exact words it should be found by, 1 to 3 lines of what holds and why, and the files it is about. "
    "Recall first; if an older record says otherwise, name its id in `supersedes`. Leave out secrets, plans without a "
    "result, and what the code says by itself. If nothing was decided, store nothing and say so."
)


def list_prompts() -> ListPromptsResult:
    """The prompts there are."""
    question = PromptArgument(name="query", description="What you would ask, in any words.", required=True)
    decision = PromptArgument(name="decision", description="What was decided; else what this conversation decided.")
    return ListPromptsResult(
        prompts=[
            Prompt(name="recall", title="Recall", description="Past decisions on a question.", arguments=[question]),
            Prompt(name="decide", title="Decide", description="Store a decision.", arguments=[decision]),
        ]
    )


def get_prompt(name: str, arguments: dict[str, str], caller: Caller) -> GetPromptResult | None:
    """
    The text of a prompt; None if there is no such prompt, or an argument it needs is missing.

    Raises:
        HfaError: As recall.
    """
    if name == "decide":
        about = arguments.get("decision", "").strip()
        return _message(_DECIDE.format(about=f": {about}" if about else ""))
    query = arguments.get("query", "").strip()
    if name != "recall" or not query:
        return None
    told = str(recall(caller, query, None)["recall_text"])
    return _message(f"{frame(told) or _NONE}\n\n{query}")


def _message(text: str) -> GetPromptResult:
    return GetPromptResult(messages=[PromptMessage(role="user", content=TextContent(text=text))])

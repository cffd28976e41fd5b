"""The server as the SDK wants it: each request of a client led to the function that answers it, in a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from hfa_core import __version__
from hfa_core.errors import HfaError
from hfa_core.mcp.workspace import Workspace
from hfa_core.settings import current_environment

if TYPE_CHECKING:
    from hfa_core.mcp.calls import Caller

INSTRUCTIONS = (
    "This project's memory of past decisions. Recall before you plan or change something that may have been decided; "
    "remember what was decided, and why. Records are notes of the past: reference, ranking below the user's words."
)

THREADS = 8
"""Calls that run at once; others wait their turn here, where no time limit of the memory's lock runs."""
_NAME_CHARACTERS = 40

Context = ServerRequestContext[Any, Any]
_Answer = TypeVar("_Answer")


class MemoryServer:
    """
    The requests of clients. What a request needs of the core is imported with the first one, so that the handshake,
    for which hosts wait, does not pay for it. A call that began ends, even if its client no longer waits.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._threads = anyio.CapacityLimiter(THREADS)

    async def list_tools(self, _context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        """The tools with their schemas."""
        from hfa_core.mcp.schemas import list_tools

        return ListToolsResult(tools=list_tools())

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        """The result of a tool, or the question where the client's workspace is."""
        start = await self._workspace.find_start(context, params.input_responses)
        if isinstance(start, InputRequiredResult):
            return start

        def call() -> CallToolResult | None:
            from hfa_core.mcp.calls import call_tool

            return call_tool(params.name, params.arguments or {}, self._caller(context, start))

        return await self._run(call, f"unknown tool {params.name[:80]!r}")

    async def list_resources(self, context: Context, _params: PaginatedRequestParams | None) -> ListResourcesResult:
        """The resources; since 2026-07-28 a list cannot ask for roots, and is that of the folder of the start."""
        start = await self._workspace.find_start(context, None)

        def call() -> ListResourcesResult:
            from hfa_core.mcp.resources import list_resources

            return list_resources(self._caller(context, start if isinstance(start, str) else self._workspace.folder))

        return await self._run(call, "")

    async def list_templates(
        self, _context: Context, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """The addresses of resources with a part to fill in."""
        from hfa_core.mcp.resources import list_templates

        return list_templates()

    async def read_resource(
        self, context: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult | InputRequiredResult:
        """What a resource holds, or the question where the client's workspace is."""
        start = await self._workspace.find_start(context, params.input_responses)
        if isinstance(start, InputRequiredResult):
            return start

        def call() -> ReadResourceResult | None:
            from hfa_core.mcp.resources import read_resource

            return read_resource(params.uri, self._caller(context, start))

        return await self._run(call, f"unknown resource {params.uri[:200]!r}")

    async def list_prompts(self, _context: Context, _params: PaginatedRequestParams | None) -> ListPromptsResult:
        """The prompts with their arguments."""
        from hfa_core.mcp.prompts import list_prompts

        return list_prompts()

    async def get_prompt(
        self, context: Context, params: GetPromptRequestParams
    ) -> GetPromptResult | InputRequiredResult:
        """The text of a prompt, or the question where the client's workspace is."""
        start = await self._workspace.find_start(context, params.input_responses)
        if isinstance(start, InputRequiredResult):
            return start

        def call() -> GetPromptResult | None:
            from hfa_core.mcp.prompts import get_prompt

            return get_prompt(params.name, params.arguments or {}, self._caller(context, start))

        return await self._run(call, f"unknown prompt {params.name[:80]!r}, or an argument is missing")

    def _caller(self, context: Context, start: str) -> Caller:
        from hfa_core.mcp.calls import Caller

        workspace = self._workspace
        return Caller(workspace.memory_dir, start, _host(context), workspace.session, current_environment())

    async def _run(self, call: Callable[[], _Answer | None], missing: str) -> _Answer:
        """What a call answers in a thread of its own; None and an HfaError become an error of the protocol."""
        try:
            answer = await to_thread.run_sync(call, limiter=self._threads)
        except HfaError as error:
            raise MCPError(INTERNAL_ERROR, str(error), error.as_json()["error"]) from None
        if answer is None:
            raise MCPError(INVALID_PARAMS, missing)
        return answer


def build_server(workspace: Workspace) -> Server[Any]:
    """The SDK's server with everything that HFA offers."""
    requests = MemoryServer(workspace)
    return Server(
        "hfa",
        version=__version__,
        title="HFA memory",
        instructions=INSTRUCTIONS,
        on_list_tools=requests.list_tools,
        on_call_tool=requests.call_tool,
        on_list_resources=requests.list_resources,
        on_list_resource_templates=requests.list_templates,
        on_read_resource=requests.read_resource,
        on_list_prompts=requests.list_prompts,
        on_get_prompt=requests.get_prompt,
    )


def _host(context: Context) -> str:
    """The client's name in a short and harmless form; empty where it gives none."""
    client = context.session.client_params
    name = client.client_info.name if client else ""
    kept = "".join(one if one.isascii() and (one.isalnum() or one in "._") else "-" for one in name.lower())
    return kept.strip("-")[:_NAME_CHARACTERS]

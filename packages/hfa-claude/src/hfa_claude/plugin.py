"""The registration of Claude Code's adapter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hfa_claude import check, install
from hfa_core.hosts.adapter import (
    CAPABILITIES,
    Capability,
    HostAdapter,
    InstalledCommand,
    InstallRequest,
    Places,
    Support,
)
from hfa_core.hosts.edits import Edit
from hfa_core.hosts.findings import Finding
from hfa_core.hosts.version import ask_version
from hfa_core.model import HookEvent, HookReply
from hfa_core.plugins import hookimpl


class ClaudeAdapter:
    """What HFA can do in Claude Code; stateless."""

    name = "claude"
    title = "Claude Code"
    events = tuple(install.TIMEOUTS_S)
    tested_version = install.TESTED_VERSION

    @property
    def capabilities(self) -> Mapping[Capability, Support]:
        """Everything is supported."""
        return dict.fromkeys(CAPABILITIES, "full")

    def detect(self, places: Places) -> bool:
        """Whether Claude Code's folder of the user exists."""
        return install.detect(places)

    def find_version(self, places: Places) -> str:
        """What `claude --version` says."""
        return ask_version("claude", places.env)

    def is_trusted(self, request: InstallRequest) -> bool | None:
        """Whether the user has accepted the project's folder, without which an interactive session runs no hook."""
        return check.is_trusted(request.places)

    def plan_install(self, request: InstallRequest) -> Sequence[Edit]:
        """One entry for each of `events` in the settings of the scope, and the MCP server if it is asked for."""
        return install.plan_install(request)

    def check(self, request: InstallRequest) -> Iterable[Finding]:
        """What is wrong in the user's and the project's settings."""
        return check.check(request)

    def parse_event(self, host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
        """What happened, in HFA's words; None if it does not concern HFA."""
        from hfa_claude import wire

        return wire.parse_event(host_event, payload)

    def render_reply(self, event: HookEvent, reply: HookReply) -> bytes:
        """What the hook prints: one JSON object and a newline."""
        from hfa_claude import wire

        return wire.render_reply(event, reply)

    def find_installed(self, request: InstallRequest) -> Sequence[InstalledCommand]:
        """The commands in the settings of the request's scope."""
        return install.find_installed(request)

    def sample_payload(self, host_event: str, event: HookEvent) -> Mapping[str, object]:
        """A payload in which Claude Code would tell of the event."""
        from hfa_claude import wire

        return wire.sample_payload(host_event, event)


@hookimpl
def hfa_register_host() -> HostAdapter:
    """Claude Code's adapter."""
    return ClaudeAdapter()

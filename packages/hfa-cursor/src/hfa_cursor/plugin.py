"""The registration of Cursor's adapter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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
from hfa_cursor import check, install


class CursorAdapter:
    """What HFA can do in Cursor; stateless."""

    name = "cursor"
    title = "Cursor"
    events = tuple(install.TIMEOUTS_S)
    tested_version = install.TESTED_VERSION

    @property
    def capabilities(self) -> Mapping[Capability, Support]:
        """Everything; that a prompt's answer reaches the model is undocumented, which `hfa doctor` says."""
        return dict.fromkeys(CAPABILITIES, "full")

    def detect(self, places: Places) -> bool:
        """Whether Cursor's folder of the user exists."""
        return install.detect(places)

    def find_version(self, places: Places) -> str:
        """What `cursor --version` says."""
        return ask_version("cursor", places.env)

    def is_trusted(self, request: InstallRequest) -> bool | None:
        """Nobody can tell: Cursor keeps its answer in a database of its own."""
        return None

    def plan_install(self, request: InstallRequest) -> Sequence[Edit]:
        """One entry for each of `events` in hooks.json; for a project the rules file; the server if it is asked for."""
        return install.plan_install(request)

    def check(self, request: InstallRequest) -> Iterable[Finding]:
        """What is wrong in the user's and the project's hooks file."""
        return check.check(request)

    def parse_event(self, host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
        """What happened, in HFA's words; None if it does not concern HFA."""
        from hfa_cursor import wire

        return wire.parse_event(host_event, payload)

    def render_reply(self, event: HookEvent, reply: HookReply) -> bytes:
        """What the hook prints: one JSON object and a newline."""
        from hfa_cursor import wire

        return wire.render_reply(event, reply)

    def find_installed(self, request: InstallRequest) -> Sequence[InstalledCommand]:
        """The commands in the hooks file of the request's scope."""
        return install.find_installed(request)

    def sample_payload(self, host_event: str, event: HookEvent) -> Mapping[str, object]:
        """A payload in which Cursor would tell of the event."""
        from hfa_cursor import wire

        return wire.sample_payload(host_event, event)


@hookimpl
def hfa_register_host() -> HostAdapter:
    """Cursor's adapter."""
    return CursorAdapter()

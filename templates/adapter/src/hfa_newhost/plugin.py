"""The registration of Newhost's adapter."""

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
from hfa_newhost import install, wire


class NewhostAdapter:
    """What HFA can do in Newhost; stateless."""

    name = "newhost"
    title = "Newhost"
    events = tuple(install.TIMEOUTS_S)
    tested_version = ""

    @property
    def capabilities(self) -> Mapping[Capability, Support]:
        """Everything is supported; say `unsupported` of what the host cannot do."""
        return dict.fromkeys(CAPABILITIES, "full")

    def detect(self, places: Places) -> bool:
        """Whether the host's folder of the user exists."""
        return install.settings_path(places, "user").parent.is_dir()

    def find_version(self, places: Places) -> str:
        """What `newhost --version` says."""
        return ask_version("newhost", places.env)

    def is_trusted(self, request: InstallRequest) -> bool | None:
        """Nobody can tell."""
        return None

    def plan_install(self, request: InstallRequest) -> Sequence[Edit]:
        """One entry for each of `events`."""
        return install.plan_install(request)

    def check(self, request: InstallRequest) -> Iterable[Finding]:
        """What is wrong with the installation."""
        return install.check(request)

    def parse_event(self, host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
        """What happened, in HFA's words; None if it does not concern HFA."""
        return wire.parse_event(host_event, payload)

    def render_reply(self, event: HookEvent, reply: HookReply) -> bytes:
        """What the hook prints: one JSON object and a newline."""
        return wire.render_reply(event, reply)

    def find_installed(self, request: InstallRequest) -> Sequence[InstalledCommand]:
        """The commands in the hooks file of the request's scope."""
        return install.find_installed(request)

    def sample_payload(self, host_event: str, event: HookEvent) -> Mapping[str, object]:
        """A payload in which the host would tell of the event."""
        return wire.sample_payload(host_event, event)


@hookimpl
def hfa_register_host() -> HostAdapter:
    """Newhost's adapter."""
    return NewhostAdapter()

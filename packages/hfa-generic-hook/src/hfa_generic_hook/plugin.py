"""The registration of the hosts that profiles describe: Antigravity, which has a place for hooks, and any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hfa_core.errors import HostConfigError
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.adapter import (
    CAPABILITIES,
    Capability,
    HostAdapter,
    InstalledCommand,
    InstallRequest,
    Places,
    Support,
    UnsupportedAdapter,
)
from hfa_core.hosts.edits import Edit, JsonMember
from hfa_core.hosts.findings import Finding
from hfa_core.hosts.json_edits import find_owned
from hfa_core.hosts.json_text import Json, decode
from hfa_core.hosts.version import ask_version
from hfa_core.model import HookEvent, HookReply
from hfa_core.plugins import hookimpl
from hfa_generic_hook import install, wire
from hfa_generic_hook.profile import Profile, read_profile

SERVER_MODULE = "hfa_core.mcp"


class AntigravityAdapter:
    """What HFA can do in Google Antigravity, as its profile says."""

    name = "antigravity"
    tested_version = ""

    def __init__(self) -> None:
        self._profile: Profile | None = None

    @property
    def profile(self) -> Profile:
        """The shipped profile, read when it is first asked for."""
        if self._profile is None:
            self._profile = read_profile(self.name)
        return self._profile

    @property
    def title(self) -> str:
        """The name in the profile."""
        return self.profile.title

    @property
    def events(self) -> tuple[str, ...]:
        """The events of the profile."""
        return tuple(self.profile.events)

    @property
    def capabilities(self) -> Mapping[Capability, Support]:
        """Everything but tools, whose hooks Antigravity does not listen to."""
        return {capability: "unsupported" if capability == "tool" else "full" for capability in CAPABILITIES}

    def detect(self, places: Places) -> bool:
        """Whether one of Antigravity's folders is in the user's home."""
        folder = places.home / ".gemini"
        return (folder / "config").is_dir() or any(folder.glob("antigravity*"))

    def find_version(self, places: Places) -> str:
        """What `agy --version` says."""
        return ask_version("agy", places.env)

    def is_trusted(self, request: InstallRequest) -> bool | None:
        """Nobody can tell."""
        return None

    def plan_install(self, request: InstallRequest) -> Sequence[Edit]:
        """One member with all hooks, and the MCP server if it is asked for, which only the user's settings can hold."""
        edits: list[Edit] = [*install.plan_install(self.profile, request)]
        if request.with_server and request.scope == "user":
            path = request.places.home / ".gemini" / "config" / "mcp_config.json"
            server: Json = {"command": str(request.python), "args": ["-I", "-m", SERVER_MODULE]}
            edits.append(JsonMember(path, ("mcpServers", "hfa"), server, SERVER_MODULE))
        return edits

    def check(self, request: InstallRequest) -> Iterable[Finding]:
        """What is wrong with the hooks file of the request's scope."""
        (edit,) = install.plan_install(self.profile, request)
        again = f"run `hfa install {self.name} --scope {request.scope}`"
        try:
            found = find_owned(decode(read_bytes(str(edit.path)), str(edit.path)), edit)
        except FileNotFoundError:
            found = []
        except (HostConfigError, OSError) as error:
            yield Finding("settings_unreadable", "error", f"{edit.path} cannot be read: {error}", f"mend {edit.path}")
            return
        if not found and self.detect(request.places):
            yield Finding("not_installed", "warning", f"HFA is not installed in {self.title}", again)

    def parse_event(self, host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
        """What happened, in HFA's words; None if it does not concern HFA."""
        return wire.parse_event(self.profile, host_event, payload)

    def render_reply(self, event: HookEvent, reply: HookReply) -> bytes:
        """What the hook prints: one JSON object and a newline."""
        return wire.render_reply(self.profile, event, reply)

    def find_installed(self, request: InstallRequest) -> Sequence[InstalledCommand]:
        """The commands in the hooks file of the request's scope."""
        return install.find_installed(self.profile, request)

    def sample_payload(self, host_event: str, event: HookEvent) -> Mapping[str, object]:
        """A payload in which Antigravity would tell of the event."""
        return wire.sample_payload(self.profile, host_event, event)


@hookimpl
def hfa_register_host() -> Sequence[HostAdapter]:
    """Antigravity, and the word for hosts that have only a profile of the user's own."""
    return [AntigravityAdapter(), UnsupportedAdapter("generic", "Any host described as data")]

"""The contract between core and an adapter: what a host can do, where it looks, what installing it would change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn, Protocol, TypeAlias, runtime_checkable

from hfa_core.errors import UnsupportedHostError
from hfa_core.hosts.edits import Edit
from hfa_core.hosts.findings import Finding
from hfa_core.model import HookEvent, HookReply

Capability: TypeAlias = Literal["install", "recall", "capture", "session_start", "tool"]
Support: TypeAlias = Literal["full", "unsupported"]
Scope: TypeAlias = Literal["user", "project"]

CAPABILITIES: tuple[Capability, ...] = ("install", "recall", "capture", "session_start", "tool")


@dataclass(frozen=True, slots=True)
class Places:
    """
    Everything outside the program that an adapter may look at, so that a test can hand it a temporary folder.

    Attributes:
        home: The user's home folder.
        project_root: The root of the project that the command is about.
        env: The process environment.
        user_state: HFA's private folder of this user; it need not exist.
    """

    home: Path
    project_root: Path
    env: Mapping[str, str]
    user_state: Path


@dataclass(frozen=True, slots=True)
class InstallRequest:
    """
    What an installation is asked for.

    Attributes:
        scope: `user` changes the user's own settings, `project` the settings that a team commits.
        places: Where to look.
        python: The absolute path of the real interpreter, not of a shim that starts slowly.
        import_roots: Absolute folders from which the adapter and `hfa_core` are imported: one site-packages
            folder for wheels, two source folders for editable installs.
        with_server: Whether the host is to start the MCP server, too. A removal plans it, so that it goes as well.
    """

    scope: Scope
    places: Places
    python: Path
    import_roots: tuple[Path, ...]
    with_server: bool = False


@dataclass(frozen=True, slots=True)
class InstalledCommand:
    """
    A hook of ours as it stands in a host's settings.

    Attributes:
        scope: Whose settings.
        path: The settings file.
        event: The host's name of the event.
        argv: The process that the host starts, word by word; for a command that it hands to a shell, that shell too.
    """

    scope: Scope
    path: Path
    event: str
    argv: tuple[str, ...]


@runtime_checkable
class HostAdapter(Protocol):
    """What an adapter can do for its host; core asks `capabilities` and never guesses."""

    @property
    def name(self) -> str:
        """The word on the command line, such as `claude`; it never changes."""
        ...

    @property
    def title(self) -> str:
        """The name for people, such as `Claude Code`."""
        ...

    @property
    def capabilities(self) -> Mapping[Capability, Support]:
        """Every capability of `CAPABILITIES` with its support."""
        ...

    @property
    def events(self) -> tuple[str, ...]:
        """The host's own event names that an installation registers, in the order of a session; may be empty."""
        ...

    @property
    def tested_version(self) -> str:
        """The release of the host that the adapter was run against, such as `2.1.332`; empty for none."""
        ...

    def detect(self, places: Places) -> bool:
        """Whether the host seems to be in use here."""
        ...

    def find_version(self, places: Places) -> str:
        """The release of the host that would start here; empty where it does not say so within some seconds."""
        ...

    def is_trusted(self, request: InstallRequest) -> bool | None:
        """Whether the host runs hooks of the scope in this project; None where nobody can tell."""
        ...

    def plan_install(self, request: InstallRequest) -> Sequence[Edit]:
        """
        The edits that install HFA into the host, in the order they are made. Pure: reads and writes no file.

        The same edits, undone, are the removal, so an adapter says nothing about uninstalling.

        Raises:
            UnsupportedHostError: The adapter cannot install anything yet.
        """
        ...

    def check(self, request: InstallRequest) -> Iterable[Finding]:
        """What is wrong with the installation, worst first; may read files, changes none, never raises for one."""
        ...

    def parse_event(self, host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
        """What happened, in HFA's words; None if it does not concern HFA."""
        ...

    def render_reply(self, event: HookEvent, reply: HookReply) -> bytes:
        """What the hook prints for the host: one JSON object and a newline."""
        ...

    def find_installed(self, request: InstallRequest) -> Sequence[InstalledCommand]:
        """
        The commands that an installation of the request's scope left in the host's settings, read from there; none
        where there is no such file, or it cannot be read. Never raises for what it finds.
        """
        ...

    def sample_payload(self, host_event: str, event: HookEvent) -> Mapping[str, object]:
        """
        A payload in which this host would tell of the event: `parse_event` gives back every field that the host has.

        For tests, and for the self-test of `hfa doctor`.
        """
        ...


@dataclass(frozen=True, slots=True)
class UnsupportedAdapter:
    """
    An adapter that is registered and says honestly that it can do nothing in this version.

    Attributes:
        name: The word on the command line.
        title: The name for people.
        folder: The host's folder in the user's home, by which it is detected; empty if it has none.
    """

    name: str
    title: str
    folder: str = ""

    @property
    def capabilities(self) -> Mapping[Capability, Support]:
        """`unsupported` throughout."""
        return dict.fromkeys(CAPABILITIES, "unsupported")

    @property
    def events(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def tested_version(self) -> str:
        """None."""
        return ""

    def detect(self, places: Places) -> bool:
        """Whether the host's folder is in the user's home."""
        return bool(self.folder) and (places.home / self.folder).is_dir()

    def find_version(self, places: Places) -> str:
        """None is looked for."""
        return ""

    def is_trusted(self, request: InstallRequest) -> bool | None:
        """Nobody can tell."""
        return None

    def plan_install(self, request: InstallRequest) -> Sequence[Edit]:
        """
        Nothing can be planned.

        Raises:
            UnsupportedHostError: Always. Nothing was changed.
        """
        self._refuse("install")

    def check(self, request: InstallRequest) -> Iterable[Finding]:
        """One line that says so, if the host is in use here."""
        if self.detect(request.places):
            yield Finding("unsupported", "info", f"{self.title} is here, but HFA does not support it yet", "")

    def parse_event(self, host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
        """No event of this host is understood."""
        return None

    def render_reply(self, event: HookEvent, reply: HookReply) -> bytes:
        """
        No reply is known.

        Raises:
            UnsupportedHostError: Always.
        """
        self._refuse("recall")

    def find_installed(self, request: InstallRequest) -> Sequence[InstalledCommand]:
        """None."""
        return ()

    def sample_payload(self, host_event: str, event: HookEvent) -> Mapping[str, object]:
        """
        No payload is known.

        Raises:
            UnsupportedHostError: Always.
        """
        self._refuse("recall")

    def _refuse(self, capability: Capability) -> NoReturn:
        raise UnsupportedHostError(self.name, capability)

"""A host that exists only as its hooks: it reads the settings that an installation wrote and runs what stands there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from hfa_core.capture.remember import remember
from hfa_core.cli.place import install_request
from hfa_core.fs.layout import Layout, UserLayout
from hfa_core.hook.log import read_entries
from hfa_core.hosts.adapter import HostAdapter, InstalledCommand, InstallRequest, Places, Scope
from hfa_core.hosts.apply import apply_edits, undo_edits
from hfa_core.model import Chunk, Draft, HookEvent, Source
from hfa_core.settings import current_environment
from hfa_core.store.chunks import id_of_file, read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.create import create_memory

SCOPES: tuple[Scope, ...] = ("user", "project")
START = 1_790_000_000
"""When a memory's first record was made, seconds since the epoch; each further one comes a minute later."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How one hook process ended: its exit code and its bytes on stdout and stderr."""

    code: int
    out: bytes
    err: bytes

    @property
    def reply(self) -> dict[str, object]:
        """
        The reply: exit code 0, a silent stderr, and one JSON object and a newline or nothing at all.

        Raises:
            AssertionError: It ended in another way.
        """
        assert (self.code, self.err) == (0, b""), self
        if not self.out:
            return {}
        assert self.out.endswith(b"}\n"), self
        assert self.out.count(b"\n") == 1, self
        document = json.loads(self.out)
        assert isinstance(document, dict), self
        return cast("dict[str, object]", document)


@dataclass(frozen=True, slots=True)
class Told:
    """What all hooks of one event answered, in the order in which they stand in the settings."""

    answers: tuple[Answer, ...]

    @property
    def replies(self) -> list[dict[str, object]]:
        """The reply of each hook; raises as `Answer.reply`."""
        return [answer.reply for answer in self.answers]

    @property
    def text(self) -> str:
        """Every text in the replies, wherever the host wants it, with a newline between two."""
        return "\n".join(text for reply in self.replies for text in _texts(reply))


class FakeHost:
    """One host in one project; the folders are made, with an empty memory in the project."""

    def __init__(self, adapter: HostAdapter, *, home: Path, project: Path) -> None:
        self.adapter = adapter
        self.home = home
        self.project = project
        self.user_state = home / ".local" / "state" / "hfa"
        self.memory = Layout(str(project / "memory"))
        self.session_id = "0a1b2c3d-0000-4000-8000-000000000001"
        self._made = 0
        for folder in (home, project / ".git"):
            folder.mkdir(parents=True, exist_ok=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        create_memory(self.memory, "Project")

    @property
    def environment(self) -> dict[str, str]:
        """The variables of every process: nearly none, with the console scripts of this interpreter on PATH."""
        scripts = os.path.dirname(sys.executable)
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([scripts, current_environment().variables.get("PATH", os.defpath)]),
            "LANG": "C",
            "HFA_USER_DIR": str(self.user_state),
        }

    def request(self, scope: Scope = "user") -> InstallRequest:
        """What `hfa install` asks the adapter for, in this home and project."""
        return install_request(self.adapter, scope, Places(self.home, self.project, self.environment, self.user_state))

    def install(self, scope: Scope = "user") -> list[Path]:
        """Install as `hfa install` does; gives the files that changed."""
        return [change.path for change in apply_edits(self.adapter.plan_install(self.request(scope)), self.user_state)]

    def uninstall(self, scope: Scope = "user") -> list[Path]:
        """Uninstall as `hfa uninstall` does; gives the files that changed."""
        return [change.path for change in undo_edits(self.adapter.plan_install(self.request(scope)), self.user_state)]

    def commands(self, event: str = "") -> list[InstalledCommand]:
        """The hooks in the settings of both scopes, for one of the host's events or for all."""
        found = [one for scope in SCOPES for one in self.adapter.find_installed(self.request(scope))]
        return [one for one in found if event in ("", one.event)]

    def remember(
        self, title: str, hit_words: Sequence[str], conclusion: Sequence[str], *, paths: Sequence[str] = ()
    ) -> str:
        """Store a record in the project's memory; gives its id."""
        self._made += 1
        draft = Draft(title=title, hit_words=hit_words, conclusion=conclusion, source=Source("cli"), paths=paths)
        return remember(self.memory, draft, now=START + 60 * self._made).id

    def records(self) -> list[Chunk]:
        """The records of the project's memory, in the order of their ids."""
        folder = Path(self.memory.chunks)
        return [read_chunk(self.memory, id_of_file(path.name)) for path in sorted(folder.glob("*.json"))]

    def log(self) -> list[dict[str, object]]:
        """What the hooks noted of themselves, newest first."""
        user = UserLayout(str(self.user_state), read_config(self.memory).memory_id)
        return read_entries(user.hook_log, limit=1000)

    def host_event(self, name: str) -> str:
        """
        The host's event that becomes HFA's event `name`.

        Raises:
            LookupError: No installed event does.
        """
        for host_event in self.adapter.events:
            event = HookEvent(host=self.adapter.name, name=name, host_event=host_event, cwd=str(self.project))
            parsed = self.adapter.parse_event(host_event, self.adapter.sample_payload(host_event, event))
            if parsed is not None and parsed.name == name:
                return host_event
        raise LookupError(f"no event of {self.adapter.title} becomes {name}")

    def send(self, host_event: str, data: bytes, *, cwd: Path | None = None) -> Told:
        """Run every hook of a host's event at the same moment, with these bytes on stdin."""
        commands = self.commands(host_event)
        assert commands, f"no hook is installed for {host_event}"
        running = [
            subprocess.Popen(
                command.argv,
                cwd=cwd or self.project,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for command in commands
        ]
        for process in running:
            assert process.stdin is not None
            try:
                process.stdin.write(data)
                process.stdin.close()
            except BrokenPipeError:
                # It has replied without reading to the end, as it may.
                pass
            process.stdin = None
        ended = [(process, *process.communicate()) for process in running]
        return Told(tuple(Answer(process.returncode, out, err) for process, out, err in ended))

    def tell(
        self,
        name: str,
        *,
        cwd: Path | None = None,
        prompt: str = "",
        message: str = "",
        turn: str = "turn-1",
        trigger: str = "",
        files: Sequence[Path] = (),
        agent_id: str = "",
    ) -> Told:
        """Let HFA's event `name` happen in this session; the fields are those of `HookEvent`."""
        host_event = self.host_event(name)
        event = HookEvent(
            host=self.adapter.name,
            name=name,
            host_event=host_event,
            session_id=self.session_id,
            turn_id=turn,
            cwd=str(cwd or self.project),
            prompt=prompt,
            message=message,
            files=tuple(map(str, files)),
            trigger=trigger,
            agent_id=agent_id,
        )
        payload = self.adapter.sample_payload(host_event, event)
        return self.send(host_event, json.dumps(payload, ensure_ascii=False).encode("utf-8"), cwd=cwd)

    def prompt(self, text: str, *, cwd: Path | None = None, turn: str = "turn-1") -> Told:
        """The user sends a prompt, which some hosts tell of only when they call their model."""
        try:
            return self.tell("prompt", cwd=cwd, prompt=text, turn=turn)
        except LookupError:
            return self.tell("invocation", cwd=cwd, prompt=text, turn=turn)

    def stop(self, message: str, *, turn: str = "turn-1") -> Told:
        """The agent ends its turn with a message, which the host tells of by an event of its own, or with the end."""
        with suppress(LookupError):
            self.tell("answer", message=message, turn=turn)
        return self.tell("stop", message=message, turn=turn)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in cast("dict[str, object]", value).values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _texts(inner)

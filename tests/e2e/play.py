"""One run of a host: a home, a workspace and a model of its own, and the processes started in them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.e2e.model_server import ModelServer
from tests.e2e.script import Request, Say, Step

TIMEOUT_S = 90
HFA = (str(Path(sys.executable).with_name("hfa")),)
HFA_MCP = str(Path(sys.executable).with_name("hfa-mcp"))
NOTHING_THERE = "http://127.0.0.1:9"
"""As a proxy: whatever does not stay on loopback fails at once. Port 9 is `discard`, which nobody serves."""


class Host(Protocol):
    """What a run has to know of an installed host; one module of `hosts` for each."""

    @property
    def tools(self) -> Sequence[Path]:
        """Folders that its processes find on PATH."""
        ...

    def command(self, prompt: str, *, resume: bool) -> list[str]: ...

    def environment(self, home: Path, model_url: str) -> dict[str, str]: ...

    def settings_file(self, home: Path) -> Path: ...

    def answer(self, stdout: str) -> str:
        """The answer that its user sees; ValueError if there is none."""
        ...

    def contexts(self, request: Request, event: str) -> list[str]:
        """What the hooks of one event had the model told in this request, in order."""
        ...


@dataclass(frozen=True)
class Ended:
    """How a process ended: -9 if it took longer than TIMEOUT_S."""

    exit_code: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Turn:
    """What the user saw of one turn, and what the model was sent in it."""

    exit_code: int
    answer: str
    stderr: str
    requests: tuple[Request, ...] = field(repr=False)

    @property
    def last_request(self) -> Request:
        return self.requests[-1]


class Run:
    """A user's machine for one host. Nothing of the caller's environment gets in."""

    def __init__(self, host: Host, root: Path, model: ModelServer, *, hfa: Sequence[str] = HFA) -> None:
        self.host, self.root, self.model, self.hfa_command = host, root, model, hfa
        # The spaces are there on purpose.
        self.home, self.workspace = root / "home of dev", root / "my project"
        self.environment = self._base_environment() | host.environment(self.home, model.url)
        self.settings_file = host.settings_file(self.home)
        for folder in (self.home, self.workspace, self.settings_file.parent, root / "tmp"):
            folder.mkdir(parents=True)
        (self.workspace / "README.md").write_text("hello\n", encoding="utf-8")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("-c", "user.name=dev", "-c", "user.email=dev@example.invalid", "commit", "--quiet", "--message=first")

    def _base_environment(self) -> dict[str, str]:
        git = shutil.which("git") or "git"
        path = [*map(str, self.host.tools), str(Path(git).parent), os.defpath]
        return {
            "PATH": os.pathsep.join(path),
            "HOME": str(self.home),
            "TMPDIR": str(self.root / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "HTTP_PROXY": NOTHING_THERE,
            "HTTPS_PROXY": NOTHING_THERE,
            "NO_PROXY": "127.0.0.1",
        }

    def turn(
        self,
        prompt: str,
        *steps: Step,
        resume: bool = False,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Turn:
        """Start the host with this prompt, in `cwd` or the workspace; the model answers as the steps say."""
        before = len(self.model.requests)
        self.model.scripts[prompt] = steps or (Say("Understood."),)
        ended = self._start(self.host.command(prompt, resume=resume), env or {}, cwd)
        try:
            answer = self.host.answer(ended.stdout)
        except ValueError:
            raise AssertionError(f"{prompt!r} is not answered: {ended}") from None
        return Turn(ended.exit_code, answer, ended.stderr, tuple(self.model.requests[before:]))

    def hfa(self, *arguments: str, env: Mapping[str, str] | None = None) -> str:
        """What this command of the product prints; it has to succeed."""
        return self.check([*self.hfa_command, *arguments], env or {})

    def git(self, *arguments: str) -> str:
        """What git prints in the workspace."""
        return self.check(["git", *arguments], {})

    def check(self, command: Sequence[str], env: Mapping[str, str]) -> str:
        """What a command prints in the workspace; it has to succeed."""
        ended = self._start(command, env)
        assert ended.exit_code == 0, f"{command} fails: {ended}"
        return ended.stdout

    def _start(self, command: Sequence[str], env: Mapping[str, str], cwd: Path | None = None) -> Ended:
        # Files instead of pipes: a process that the host left behind would keep a pipe open.
        outputs = [self.root / "stdout", self.root / "stderr"]
        with outputs[0].open("wb") as stdout, outputs[1].open("wb") as stderr:
            process = subprocess.Popen(
                command,
                cwd=cwd or self.workspace,
                env=self.environment | dict(env),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
            try:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(TIMEOUT_S)
            finally:
                if process.poll() is None:
                    # Not waited for, so the number still is our own child's, and its group's.
                    os.killpg(process.pid, signal.SIGKILL)
                exit_code = process.wait()
        return Ended(exit_code, *(output.read_text(encoding="utf-8", errors="replace") for output in outputs))


@contextmanager
def started(host: Host, root: Path, *, hfa: Sequence[str] = HFA) -> Generator[Run, None, None]:
    """A fresh run in the folder `root`, with its model up."""
    model = ModelServer()
    try:
        yield Run(host, root, model, hfa=hfa)
    finally:
        model.close()

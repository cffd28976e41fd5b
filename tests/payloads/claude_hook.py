"""The hook command of Claude Code as a real process, started exactly as an installation writes it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import hfa_claude
import hfa_core
from hfa_claude.install import OWNER, plan_install
from hfa_core.hosts.adapter import InstallRequest, Places
from hfa_core.hosts.boot import render_boot
from tests.payloads import load_payload

ROOTS = tuple(Path(str(package.__file__)).resolve().parents[1] for package in (hfa_core, hfa_claude))
"""The folders that an installation from this interpreter imports from."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How one hook process ended: its exit code and its bytes on stdout and stderr."""

    code: int
    out: bytes
    err: bytes

    @property
    def reply(self) -> dict[str, object]:
        """The reply, which must be one JSON object and a newline, with exit code 0 and a silent stderr."""
        assert self.code == 0, self
        assert self.err == b"", self
        assert self.out.endswith(b"}\n"), self
        assert self.out.count(b"\n") == 1, self
        return _object(json.loads(self.out))

    @property
    def context(self) -> str:
        """The text for the model; empty where the reply is `{}`. A reply holds nothing else."""
        reply = self.reply
        if not reply:
            return ""
        assert list(reply) == ["hookSpecificOutput"], self
        output = _object(reply["hookSpecificOutput"])
        assert set(output) == {"hookEventName", "additionalContext"}, self
        return str(output["additionalContext"])


class ClaudeHook:
    """Claude Code in one project, as far as hooks can tell; `variables` are added to a nearly empty environment."""

    def __init__(self, home: Path, project: Path, **variables: str) -> None:
        self.home = home
        self.project = project
        self.environment = {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C", **variables}
        places = Places(home, project, {}, self.user_dir)
        edits = plan_install(InstallRequest("user", places, Path(sys.executable), ROOTS))
        self._commands = {edit.pointer[-1]: _command_of(edit.value) for edit in edits}

    @property
    def user_dir(self) -> Path:
        """The user's private folder, at its default place on Linux."""
        return self.home / ".local" / "state" / "hfa"

    def command(self, event: str) -> list[str]:
        """The command of an event; one that an installation leaves out is started the same way."""
        return self._commands.get(event) or [
            sys.executable,
            "-I",
            "-S",
            "-c",
            render_boot("hfa_claude", OWNER, ROOTS),
            "claude",
            event,
        ]

    def send(
        self, event: str, data: bytes, *, cwd: Path | None = None, variables: Mapping[str, str] | None = None
    ) -> Answer:
        """Run the hook of an event with these bytes on stdin."""
        done = subprocess.run(
            self.command(event),
            input=data,
            capture_output=True,
            cwd=cwd or self.project,
            env=self.environment | dict(variables or {}),
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def send_at_once(self, event: str, data: bytes, *, times: int) -> list[Answer]:
        """Run the hook of an event several times at the same moment, as a host does that has it installed as often."""
        running = [
            subprocess.Popen(
                self.command(event),
                cwd=self.project,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for _ in range(times)
        ]
        for process in running:
            assert process.stdin is not None
            process.stdin.write(data)
            process.stdin.close()
            process.stdin = None
        return [Answer(process.wait(), out, err) for process in running for out, err in [process.communicate()]]

    def fire(self, sample: str, *, variables: Mapping[str, str] | None = None, **changes: object) -> Answer:
        """Run the hook of a recorded event, moved into this project and changed as for `load_payload`."""
        payload = load_payload(sample, self.project, **changes)
        return self.send(str(payload["hook_event_name"]), json.dumps(payload).encode(), variables=variables)

    def prompt(self, text: str, *, variables: Mapping[str, str] | None = None, **changes: object) -> Answer:
        """The user sends a prompt."""
        return self.fire("UserPromptSubmit", variables=variables, prompt=text, **changes)

    def stop(self, message: str, *, variables: Mapping[str, str] | None = None, **changes: object) -> Answer:
        """The agent ends its turn with a message."""
        return self.fire("Stop", variables=variables, last_assistant_message=message, **changes)


def _object(value: object) -> dict[str, object]:
    assert isinstance(value, dict), value
    return cast("dict[str, object]", value)


def _command_of(group: object) -> list[str]:
    handlers = cast("list[object]", _object(group)["hooks"])
    handler = _object(handlers[0])
    return [str(handler["command"]), *map(str, cast("list[object]", handler["args"]))]

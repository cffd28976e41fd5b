"""Running what an installation left in a host's settings, as the host would, in a place where it can change nothing."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from hfa_core.fs.atomic import make_folder
from hfa_core.fs.layout import UserLayout
from hfa_core.hook.log import read_entries
from hfa_core.hosts.adapter import HostAdapter, InstalledCommand
from hfa_core.model import HookEvent

LIMIT_S = 15.0
"""choice: above the longest time that a host is told to wait for a hook of ours (10 s)."""


def run_self_test(
    adapter: HostAdapter, commands: Sequence[InstalledCommand], env: Mapping[str, str]
) -> dict[InstalledCommand, str]:
    """
    What is wrong with each command; empty for one that answers as it should.

    Each is started with a payload about an empty folder, with a private folder of its own. Its reply alone proves
    nothing, for a command whose program is gone answers with nothing too; so it must have noted that it ran.
    """
    return {command: _test(adapter, command, env) for command in commands}


def _test(adapter: HostAdapter, command: InstalledCommand, env: Mapping[str, str]) -> str:
    with tempfile.TemporaryDirectory(prefix="hfa-self-test-") as folder:
        project, state = Path(folder, "project"), Path(folder, "state")
        make_folder(str(project))
        event = HookEvent(
            host=adapter.name, name="", host_event=command.event, session_id="hfa-self-test", cwd=str(project)
        )
        payload = json.dumps(adapter.sample_payload(command.event, event)).encode("utf-8")
        try:
            done = subprocess.run(
                command.argv,
                input=payload,
                cwd=project,
                env={**env, "HFA_USER_DIR": str(state)},
                capture_output=True,
                timeout=LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"it did not end within {LIMIT_S:g} s"
        except OSError as error:
            return f"it cannot be started ({error.strerror or error})"
        noted = read_entries(UserLayout(str(state)).hook_log, limit=1)
    return _judge(done, noted)


def _judge(done: subprocess.CompletedProcess[bytes], noted: Sequence[Mapping[str, object]]) -> str:
    if done.returncode:
        return f"it ended with exit code {done.returncode}"
    if done.stderr:
        return f"it wrote to stderr: {done.stderr.decode('utf-8', 'replace').strip()[:200]}"
    if not noted:
        return "it did not reach HFA"
    if noted[0].get("outcome") == "error":
        return f"{noted[0].get('error')}: {noted[0].get('message')}"
    try:
        reply: object = json.loads(done.stdout)
    except ValueError:
        reply = None
    return "" if isinstance(reply, dict) else "its reply is not one JSON object"

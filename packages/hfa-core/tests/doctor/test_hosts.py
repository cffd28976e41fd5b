"""What the doctor says of a host: from its settings, from the log of its hooks, and from running what is installed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hfa_claude.install import TIMEOUTS_S
from hfa_claude.plugin import ClaudeAdapter
from hfa_core.doctor.hosts import HostReport, describe_host, examine_host
from hfa_core.doctor.self_test import run_self_test
from hfa_core.hosts.adapter import InstalledCommand
from hfa_core.hosts.version import ask_version
from hfa_core.testing import FakeHost


@pytest.fixture
def adapter() -> ClaudeAdapter:
    return ClaudeAdapter()


@pytest.fixture
def report(fake_host: FakeHost) -> Callable[[], HostReport]:
    """`report()` examines the host as `hfa doctor` does, without any other programs on PATH than this interpreter's."""

    def examine() -> HostReport:
        request = fake_host.request()
        env = {**request.places.env, "PATH": os.pathsep.join([fake_host.environment["PATH"].split(os.pathsep)[0]])}
        return examine_host(
            fake_host.adapter, replace(request, places=replace(request.places, env=env)), fake_host.log()
        )

    return examine


def codes(report: HostReport) -> list[str]:
    return [finding.code for finding in report.findings]


def test_a_host_that_is_not_here_and_has_nothing_installed_is_not_spoken_of(report: Callable[[], HostReport]) -> None:
    found = report()

    assert (found.detected, found.installed, describe_host(found)) == (False, {}, [])


def test_an_installation_that_works_says_so_and_that_nothing_has_run_yet(
    fake_host: FakeHost, report: Callable[[], HostReport]
) -> None:
    fake_host.install()
    found = report()

    assert codes(found) == ["never_fired"]
    assert found.installed == {"user": tuple(TIMEOUTS_S)}
    assert set(found.self_test.values()) == {""}
    assert len(found.self_test) == len(TIMEOUTS_S)
    assert found.last_fired == dict.fromkeys(TIMEOUTS_S, "")
    assert "5 of 5 hooks answer" in "\n".join(describe_host(found))


def test_the_self_test_leaves_no_trace_in_the_project_and_in_the_private_folder(
    fake_host: FakeHost, report: Callable[[], HostReport]
) -> None:
    fake_host.install()
    before = {path: path.stat().st_mtime_ns for path in (*fake_host.home.rglob("*"), *fake_host.project.rglob("*"))}

    report()

    after = {path: path.stat().st_mtime_ns for path in (*fake_host.home.rglob("*"), *fake_host.project.rglob("*"))}
    assert after == before


def test_what_ran_last_is_told_for_each_event(fake_host: FakeHost, report: Callable[[], HostReport]) -> None:
    fake_host.install()
    fake_host.prompt("how do tokens rotate? 令牌怎么轮换？")
    found = report()

    assert [event for event, moment in found.last_fired.items() if moment] == ["UserPromptSubmit"]
    assert found.last_fired["UserPromptSubmit"].startswith(time.strftime("%Y-", time.gmtime()))
    assert codes(found) == []
    assert "not yet  SessionStart" in "\n".join(describe_host(found))


def test_the_newest_failure_is_told(fake_host: FakeHost, report: Callable[[], HostReport]) -> None:
    fake_host.install()
    (Path(fake_host.memory.root) / "config.json").write_text("{", encoding="utf-8")
    fake_host.prompt("tokens")
    fake_host.adapter = ClaudeAdapter()
    log = [{"host": "claude", "event": "Stop", "outcome": "error", "error": "E", "message": "坏", "time": "t"}]
    found = examine_host(fake_host.adapter, fake_host.request(), log)

    assert found.last_failure == "Stop at t: E: 坏"


def test_a_package_that_is_gone_fails_the_self_test_though_its_hooks_answer(
    fake_host: FakeHost, report: Callable[[], HostReport]
) -> None:
    gone = Path("/nowhere/gone")
    path = fake_host.home / ".claude" / "settings.json"
    fake_host.install()
    text = path.read_text(encoding="utf-8")
    for root in fake_host.request().import_roots:
        text = text.replace(str(root), str(gone))
    path.write_text(text, encoding="utf-8")
    told = fake_host.prompt("tokens")
    found = report()

    assert told.replies == [{}]
    assert set(found.self_test.values()) == {"it did not reach HFA"}
    failed = [finding for finding in found.findings if finding.code == "self_test_failed"]
    assert [finding.severity for finding in failed] == ["error"]
    assert "0 of 5 hooks answer" in "\n".join(describe_host(found))


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (["sh", "-c", "exit 2"], "it ended with exit code 2"),
        (["sh", "-c", "echo told >&2"], "it wrote to stderr: told"),
        (["sh", "-c", "echo '{}'"], "it did not reach HFA"),
        (["/no/such/program"], "it cannot be started (No such file or directory)"),
        (
            [
                "sh",
                "-c",
                'mkdir -p "$HFA_USER_DIR"; echo \'{"outcome": "nothing"}\' > "$HFA_USER_DIR/hook.jsonl"; echo 1',
            ],
            "its reply is not one JSON object",
        ),
    ],
)
def test_the_self_test_says_what_is_wrong_with_a_command(
    adapter: ClaudeAdapter, tmp_path: Path, argv: Sequence[str], problem: str
) -> None:
    command = InstalledCommand("user", tmp_path, "Stop", tuple(argv))

    assert run_self_test(adapter, [command], {"PATH": os.environ["PATH"]}) == {command: problem}


@pytest.mark.parametrize(("answer", "code"), [(True, []), (False, ["folder_untrusted"])])
def test_a_folder_that_the_user_has_not_accepted_is_a_warning(
    fake_host: FakeHost, report: Callable[[], HostReport], answer: bool, code: list[str]
) -> None:
    fake_host.install()
    fake_host.prompt("tokens")
    state = {"projects": {str(fake_host.project): {"hasTrustDialogAccepted": answer}}}
    (fake_host.home / ".claude.json").write_text(json.dumps(state), encoding="utf-8")
    found = report()

    assert codes(found) == code
    assert found.trusted == {"user": answer}


@pytest.mark.parametrize(("printed", "code"), [("2.1.400 (Claude Code)", []), ("2.2.0", ["version_untested"])])
def test_another_release_of_the_host_is_mentioned(
    fake_host: FakeHost, tmp_path: Path, printed: str, code: list[str]
) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho '{printed}'\n")
    program.chmod(0o755)
    fake_host.install()
    fake_host.prompt("tokens")
    request = fake_host.request()
    places = replace(request.places, env={**request.places.env, "PATH": f"{program.parent}{os.pathsep}/bin"})
    found = examine_host(fake_host.adapter, replace(request, places=places), fake_host.log())

    assert found.version == printed.split(maxsplit=1)[0]
    assert codes(found) == code


@pytest.mark.parametrize("script", ["exit 1", "echo no number", "echo 1.2; exit 3"])
def test_a_host_that_does_not_say_its_version_has_none(tmp_path: Path, script: str) -> None:
    program = tmp_path / "host"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)

    assert ask_version("host", {"PATH": f"{tmp_path}{os.pathsep}/bin"}) == ""
    assert ask_version("missing", {"PATH": str(tmp_path)}) == ""

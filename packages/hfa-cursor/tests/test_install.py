"""Installing into Cursor: what the files hold, and what the doctor says of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hfa_core.errors import HostConfigError
from hfa_core.hosts.apply import apply_edits, undo_edits
from hfa_core.testing import FakeHost
from hfa_cursor.check import check
from hfa_cursor.install import OWNER, RULES_OWNER, TIMEOUTS_S, plan_install
from hfa_cursor.plugin import CursorAdapter


@pytest.fixture
def adapter() -> CursorAdapter:
    return CursorAdapter()


def codes(host: FakeHost) -> list[str]:
    return [finding.code for finding in check(host.request())]


def test_the_hooks_file_names_its_version_and_every_event_with_a_limit(fake_host: FakeHost) -> None:
    (path,) = fake_host.install()
    document = json.loads(path.read_text(encoding="utf-8"))

    assert document["version"] == 1
    assert {event: hooks[0]["timeout"] for event, hooks in document["hooks"].items()} == TIMEOUTS_S
    assert all(OWNER in hooks[0]["command"] for hooks in document["hooks"].values())


@pytest.mark.parametrize("version", [1, 2])
def test_a_version_that_is_there_stays(fake_host: FakeHost, version: int) -> None:
    path = fake_host.home / ".cursor" / "hooks.json"
    path.parent.mkdir()
    before = json.dumps({"version": version, "hooks": {"stop": [{"command": "theirs"}]}})
    path.write_text(before)
    fake_host.install()

    assert json.loads(path.read_text())["version"] == version
    fake_host.uninstall()
    assert path.read_text() == before


def test_a_project_gets_the_rules_file_and_it_goes_again(fake_host: FakeHost) -> None:
    rules = fake_host.project / ".cursor" / "rules" / "hfa.mdc"
    assert rules in fake_host.install("project")
    text = rules.read_text(encoding="utf-8")
    assert text.startswith("---\n")
    assert "alwaysApply: true" in text
    assert "recall_memory" in text

    assert rules in fake_host.uninstall("project")
    assert not (fake_host.project / ".cursor").exists()


def test_a_rules_file_of_that_name_that_is_not_ours_is_left_alone(fake_host: FakeHost) -> None:
    rules = fake_host.project / ".cursor" / "rules" / "hfa.mdc"
    rules.parent.mkdir(parents=True)
    rules.write_text("mine", encoding="utf-8")

    with pytest.raises(HostConfigError, match=r"hfa\.mdc"):
        fake_host.install("project")

    assert rules.read_text(encoding="utf-8") == "mine"
    assert not (fake_host.project / ".cursor" / "hooks.json").exists()


@pytest.mark.parametrize(("scope", "command"), [("user", None), ("project", "hfa-mcp")])
def test_the_server_is_registered_beside_the_hooks(fake_host: FakeHost, scope: str, command: str | None) -> None:
    request = replace(fake_host.request("project" if scope == "project" else "user"), with_server=True)
    apply_edits(plan_install(request), fake_host.user_state)
    folder = (fake_host.project if scope == "project" else fake_host.home) / ".cursor"
    server = json.loads((folder / "mcp.json").read_text(encoding="utf-8"))["mcpServers"]["hfa"]

    assert server["command"] == (command or str(request.python))
    undo_edits(plan_install(request), fake_host.user_state)
    assert not folder.exists()


def test_the_doctor_says_what_is_installed_and_which_way_recalls_take(fake_host: FakeHost) -> None:
    assert codes(fake_host) == []
    (fake_host.home / ".cursor").mkdir()
    assert codes(fake_host) == ["not_installed"]

    fake_host.install()
    assert codes(fake_host) == ["prompt_context_undocumented"]
    (finding,) = check(fake_host.request())
    assert "--scope project" in finding.fix
    fake_host.install("project")
    finding = next(one for one in check(fake_host.request()) if one.code == "prompt_context_undocumented")
    assert (finding.fix, "rules file" in finding.text) == ("", True)
    assert RULES_OWNER in (fake_host.project / ".cursor/rules/hfa.mdc").read_text(encoding="utf-8")


def test_the_doctor_names_an_interpreter_that_is_gone_and_an_event_that_is_lost(fake_host: FakeHost) -> None:
    fake_host.install()
    path = fake_host.home / ".cursor" / "hooks.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["hooks"]["stop"]
    text = json.dumps(document).replace(str(fake_host.request().python), "/no/such/python")
    path.write_text(text, encoding="utf-8")

    assert codes(fake_host)[:2] == ["interpreter_missing", "partly_installed"]


@pytest.mark.parametrize("text", ["{// mine\n}", "{", "[1]"])
def test_a_hooks_file_that_cannot_be_read_is_an_error_and_no_exception(fake_host: FakeHost, text: str) -> None:
    path = fake_host.home / ".cursor" / "hooks.json"
    path.parent.mkdir()
    Path(path).write_text(text, encoding="utf-8")

    assert codes(fake_host)[0] in ("settings_unreadable", "not_installed")

"""Installing into a host and back, through the command line."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.payloads.hfa_command import Hfa

FOREIGN = """{
    // mine
    "model": "opus",
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "说"}]}]}
}
"""


@pytest.fixture
def settings(own_environment: Path) -> Path:
    """Claude Code's settings of the user, with a comment and a hook of somebody else's."""
    path = own_environment / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(FOREIGN.replace("    // mine\n", "").encode())
    return path


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_dry_run_shows_the_change_and_makes_none(
    hfa: Hfa, settings: Path, own_environment: Path, form: tuple[str, ...]
) -> None:
    before = settings.read_bytes()

    done = hfa("install", "claude", "--dry-run", *form)

    assert done.code == 0
    assert "UserPromptSubmit" in done.out
    assert settings.read_bytes() == before
    assert [path.name for path in own_environment.iterdir()] == [".claude"]


def test_installing_twice_changes_nothing_more_and_uninstalling_gives_the_bytes_back(hfa: Hfa, settings: Path) -> None:
    before = settings.read_bytes()

    assert hfa("install", "claude", "--no-mcp", "--json").json["changed"] == [str(settings)]
    installed = settings.read_bytes()
    assert "hfa-claude" in json.dumps(json.loads(installed))
    assert hfa("install", "claude", "--no-mcp", "--json").json["changed"] == []
    assert settings.read_bytes() == installed

    assert hfa("uninstall", "claude", "--dry-run", "--json").json["changed"] == [str(settings)]
    assert settings.read_bytes() == installed
    assert hfa("uninstall", "claude", "--json").json["changed"] == [str(settings)]
    assert settings.read_bytes() == before
    assert hfa("uninstall", "claude", "--json").json["changed"] == []


def test_the_server_is_registered_where_it_is_installed_and_goes_with_the_hooks(
    hfa: Hfa, settings: Path, own_environment: Path
) -> None:
    state = own_environment / ".claude.json"
    wanted = [str(settings), str(state)] if find_spec("mcp") else [str(settings)]
    assert hfa("install", "claude", "--dry-run", "--json").json["changed"] == wanted
    assert hfa("install", "claude", "--mcp", "--json").json["changed"] == [str(settings), str(state)]
    assert "hfa_core.mcp" in state.read_text(encoding="utf-8")

    assert hfa("install", "claude", "--no-mcp", "--json").json["changed"] == []
    assert hfa("uninstall", "claude", "--json").json["changed"] == [str(settings), str(state)]
    assert not state.exists()


def test_installing_for_a_project_writes_into_the_project(hfa: Hfa, project: Path, own_environment: Path) -> None:
    assert hfa("install", "claude", "--scope", "project").code == 0

    text = (project / ".claude" / "settings.json").read_text(encoding="utf-8")
    assert str(own_environment) not in text
    assert str(project) not in text
    assert "--scope all" in hfa("uninstall", "claude").out
    assert (project / ".claude").exists()
    assert hfa("uninstall", "claude", "--scope", "project").code == 0
    assert not (project / ".claude").exists()


def test_the_home_folder_is_no_project(
    hfa: Hfa, own_environment: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "project" / ".git").rename(tmp_path / "git")
    monkeypatch.setenv("HOME", str(tmp_path / "project"))

    assert hfa("install", "claude", "--scope", "project").code == 16
    assert not (tmp_path / "project" / ".claude").exists()


def test_settings_that_cannot_be_read_are_left_alone(hfa: Hfa, settings: Path) -> None:
    settings.write_text("{", encoding="utf-8")

    done = hfa("install", "claude")

    assert (done.code, done.out) == (31, "")
    assert str(settings) in done.err
    assert settings.read_text(encoding="utf-8") == "{"


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_an_unknown_host_is_refused_with_the_known_ones(hfa: Hfa, command: str) -> None:
    done = hfa(command, "nobody")

    assert (done.code, done.out) == (30, "")
    assert "claude" in done.err
    assert hfa(command, "nobody", "--json").json["error"] is not None


@pytest.mark.parametrize("form", [(), ("--dry-run",)])
def test_a_host_that_is_not_supported_yet_says_so(hfa: Hfa, own_environment: Path, form: tuple[str, ...]) -> None:
    done = hfa("install", "generic", *form)

    assert (done.code, done.out) == (32, "")
    assert "generic" in done.err.lower()
    assert list(own_environment.iterdir()) == []


def test_the_doctor_knows_whether_claude_is_installed(hfa: Hfa, settings: Path) -> None:
    def codes() -> list[str]:
        findings = hfa("doctor", "--json").json["findings"]
        assert isinstance(findings, list)
        return [str(finding["code"]) for finding in findings]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]

    assert settings.exists()
    assert "not_installed" in codes()
    hfa("install", "claude")
    assert "not_installed" not in codes()

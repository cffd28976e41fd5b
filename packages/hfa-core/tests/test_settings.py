"""What the environment says: each switch, its default, and where private files go on each platform."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import hfa_core
from hfa_core.settings import current_environment, read_environment


@pytest.mark.parametrize("value", ["1", "yes", "TRUE", "on", " 1 ", "anything"])
def test_a_switch_is_on_by_any_word_but_no(value: str) -> None:
    environment = read_environment({"HOME": "/h", "HFA_OFF": value, "HFA_HOOK_STRICT": value})

    assert (environment.off, environment.strict) == (True, True)


@pytest.mark.parametrize("value", ["", "0", "no", "Off", "FALSE", " 0 "])
def test_a_switch_is_off_by_a_word_for_no(value: str) -> None:
    environment = read_environment({"HOME": "/h", "HFA_OFF": value, "HFA_HOOK_STRICT": value})

    assert (environment.off, environment.strict) == (False, False)


def test_a_missing_variable_means_its_default() -> None:
    environment = read_environment({"HOME": "/home/ann"}, platform="linux")

    assert environment.home == "/home/ann"
    assert environment.memory_dir == ""
    assert environment.plugins is None
    assert (environment.off, environment.strict) == (False, False)


@pytest.mark.parametrize(
    ("value", "plugins"), [("", ()), ("claude", ("claude",)), (" claude , cursor ,,", ("claude", "cursor"))]
)
def test_plugins_are_a_list_and_an_empty_one_means_none(value: str, plugins: tuple[str, ...]) -> None:
    assert read_environment({"HOME": "/h", "HFA_PLUGINS": value}).plugins == plugins


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {"HOME": "/home/ann"}, "/home/ann/.local/state/hfa"),
        ("linux", {"HOME": "/home/ann", "XDG_STATE_HOME": "/state"}, "/state/hfa"),
        ("linux", {"HOME": "/home/ann", "XDG_STATE_HOME": "relative"}, "/home/ann/.local/state/hfa"),
        ("linux", {"HOME": "/home/ann", "HFA_USER_DIR": "/elsewhere"}, "/elsewhere"),
        ("darwin", {"HOME": "/Users/ann"}, "/Users/ann/Library/Application Support/hfa"),
        ("win32", {"USERPROFILE": "/u/ann", "LOCALAPPDATA": "/u/ann/Local"}, "/u/ann/Local/hfa"),
        ("win32", {"USERPROFILE": "/u/安"}, "/u/安/AppData/Local/hfa"),
    ],
)
def test_private_files_go_where_the_platform_keeps_state(platform: str, variables: dict[str, str], folder: str) -> None:
    assert read_environment(variables, platform=platform).user_dir == folder.replace("/", os.sep)


def test_the_environment_of_this_process_is_read(monkeypatch: pytest.MonkeyPatch, own_environment: Path) -> None:
    monkeypatch.setenv("HFA_MEMORY_DIR", "记忆")

    environment = current_environment()

    assert (environment.memory_dir, environment.home) == ("记忆", str(own_environment))


def test_no_other_module_of_the_core_reads_the_environment() -> None:
    root = Path(hfa_core.__file__).parent
    readers = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
    }

    assert readers <= {"settings.py"}

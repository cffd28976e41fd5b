"""Edits in real files: exact removal, links and modes, refusals, and several installations at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from hfa_core.errors import HostConfigError, StorageError, UnsupportedFormatError
from hfa_core.hosts.apply import (
    RECORD_NAME,
    FileChange,
    apply_edits,
    plan_changes,
    plan_undo,
    undo_edits,
    write_changes,
)
from hfa_core.hosts.edits import JsonEntry
from hfa_core.hosts.json_text import MARK

FOREIGN = b'{\r\n\t"permissions": {"allow": ["Bash(ls)"]},\r\n\t"hooks": {"Stop": [{"hooks": [1]}]}\r\n}'


def edits(path: Path, command: str = "go", owner: str = "# ours") -> list[JsonEntry]:
    value = {"hooks": [{"command": f"{command} {owner}"}]}
    return [JsonEntry(path, ("hooks", event), value, owner) for event in ("Start", "Stop")]


def tree(root: Path) -> dict[str, bytes | None]:
    """Every file with its bytes and every folder, by its path from `root`."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
        if ".hfa-tmp" not in path.name
    }


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state" / "hfa"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home" / "settings.json"


@pytest.mark.parametrize(
    "before",
    [FOREIGN, b"{}", b"{ }\n", b'{"hooks": {}}', b'{"hooks": {"Stop": [ ]}}', b"", b"\n", MARK.encode(), b'{"a":1}'],
)
def test_uninstall_gives_back_the_bytes_a_user_had_before_install(settings: Path, state: Path, before: bytes) -> None:
    settings.write_bytes(before)

    assert apply_edits(edits(settings), state)
    assert settings.read_bytes() != before
    assert undo_edits(edits(settings), state)

    assert settings.read_bytes() == before
    assert not (state / RECORD_NAME).exists()


def test_uninstall_removes_a_file_that_install_made_with_the_folders_made_for_it(tmp_path: Path, state: Path) -> None:
    (tmp_path / "home").mkdir()
    before = tree(tmp_path / "home")
    path = tmp_path / "home" / "a" / "b" / "settings.json"
    apply_edits(edits(path), state)

    assert json.loads(path.read_bytes())["hooks"]["Stop"]
    undo_edits(edits(path), state)

    assert tree(tmp_path / "home") == before


def test_uninstall_keeps_a_folder_that_install_made_but_others_use_by_now(tmp_path: Path, state: Path) -> None:
    path = tmp_path / "made" / "settings.json"
    apply_edits(edits(path), state)
    (tmp_path / "made" / "notes").write_text("mine")

    undo_edits(edits(path), state)

    assert tree(tmp_path / "made") == {"notes": b"mine"}


def test_uninstall_keeps_a_file_that_install_made_but_a_user_added_to(settings: Path, state: Path) -> None:
    apply_edits(edits(settings), state)
    settings.write_text(settings.read_text().replace("{", '{\n  "model": "x",', 1))

    undo_edits(edits(settings), state)

    assert json.loads(settings.read_bytes()) == {"model": "x"}


def test_a_users_edits_between_install_and_uninstall_survive(settings: Path, state: Path) -> None:
    settings.write_bytes(FOREIGN)
    apply_edits(edits(settings), state)
    settings.write_bytes(settings.read_bytes().replace(b"Bash(ls)", b"Bash(rm)"))

    undo_edits(edits(settings), state)

    assert settings.read_bytes() == FOREIGN.replace(b"Bash(ls)", b"Bash(rm)")


def test_installing_twice_writes_nothing(settings: Path, state: Path) -> None:
    settings.write_bytes(FOREIGN)
    apply_edits(edits(settings), state)
    stamps = [os.stat(path).st_mtime_ns for path in (settings, state / RECORD_NAME)]
    inodes = [os.stat(path).st_ino for path in (settings, state / RECORD_NAME)]

    assert plan_changes(edits(settings), state) == []
    assert apply_edits(edits(settings), state) == []

    assert [os.stat(path).st_mtime_ns for path in (settings, state / RECORD_NAME)] == stamps
    assert [os.stat(path).st_ino for path in (settings, state / RECORD_NAME)] == inodes


def test_installing_another_release_and_uninstalling_gives_back_the_first_bytes(settings: Path, state: Path) -> None:
    settings.write_bytes(b'{"hooks": {}}\n')
    older = [*edits(settings, "before"), JsonEntry(settings, ("hooks", "Old"), {"command": "old # ours"}, "# ours")]
    apply_edits(older, state)

    apply_edits(edits(settings), state)
    assert b"before" not in settings.read_bytes()
    assert b"old" not in settings.read_bytes()
    undo_edits(edits(settings), state)

    assert settings.read_bytes() == b'{"hooks": {}}\n'


@pytest.mark.parametrize("text", [b'{"a": 1}', b'{\n  "a": {}\n}\n', FOREIGN])
def test_without_the_record_ours_and_the_containers_left_empty_go(settings: Path, state: Path, text: bytes) -> None:
    settings.write_bytes(text)
    apply_edits(edits(settings), state)
    (state / RECORD_NAME).unlink()

    undo_edits(edits(settings), state)

    assert settings.read_bytes() == text


def test_installing_again_without_the_record_starts_no_false_one(settings: Path, state: Path) -> None:
    settings.write_bytes(b'{"a": 1}')
    apply_edits(edits(settings, "before"), state)
    (state / RECORD_NAME).write_text("damaged")

    apply_edits(edits(settings), state)
    undo_edits(edits(settings), state)

    assert settings.read_bytes() == b'{"a": 1}'


def test_a_record_is_no_longer_believed_once_a_user_removed_ours_by_hand(settings: Path, state: Path) -> None:
    apply_edits(edits(settings), state)
    settings.write_bytes(b'{"hooks": {}}')

    apply_edits(edits(settings), state)
    undo_edits(edits(settings), state)

    assert settings.read_bytes() == b'{"hooks": {}}'


def test_a_stale_record_alone_never_makes_uninstall_remove_a_file(settings: Path, state: Path) -> None:
    apply_edits(edits(settings), state)
    settings.write_bytes(b"{}")

    assert undo_edits(edits(settings), state) == []

    assert settings.read_bytes() == b"{}"
    assert not (state / RECORD_NAME).exists()


def test_uninstalling_where_nothing_is_installed_leaves_no_trace(tmp_path: Path, settings: Path, state: Path) -> None:
    settings.write_bytes(FOREIGN)
    before = tree(tmp_path)

    assert undo_edits(edits(settings), state) == []
    assert undo_edits(edits(tmp_path / "none" / "settings.json"), state) == []

    assert tree(tmp_path) == before


def test_the_record_is_private_and_holds_nothing_of_the_settings(settings: Path, state: Path) -> None:
    settings.write_bytes(b'{"env": {"KEY": "secret-value"}, "hooks": {}}')
    apply_edits(edits(settings), state)

    assert (state / RECORD_NAME).stat().st_mode & 0o777 == 0o600
    assert state.stat().st_mode & 0o777 == 0o700
    assert b"secret-value" not in (state / RECORD_NAME).read_bytes()
    assert b"env" not in (state / RECORD_NAME).read_bytes()


def test_a_record_of_a_newer_hfa_is_refused_and_left_alone(settings: Path, state: Path) -> None:
    state.mkdir(parents=True)
    (state / RECORD_NAME).write_text('{"format": 2}')

    with pytest.raises(UnsupportedFormatError):
        apply_edits(edits(settings), state)

    assert not settings.exists()
    assert (state / RECORD_NAME).read_text() == '{"format": 2}'


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640])
def test_a_file_keeps_its_mode(settings: Path, state: Path, mode: int) -> None:
    settings.write_bytes(b"{}")
    settings.chmod(mode)

    apply_edits(edits(settings), state)
    assert settings.stat().st_mode & 0o777 == mode
    undo_edits(edits(settings), state)

    assert settings.stat().st_mode & 0o777 == mode


def test_settings_that_are_a_link_stay_a_link(tmp_path: Path, settings: Path, state: Path) -> None:
    target = tmp_path / "dotfiles.json"
    target.write_bytes(FOREIGN)
    settings.symlink_to(target)

    apply_edits(edits(settings), state)
    assert settings.is_symlink()
    assert target.read_bytes() != FOREIGN
    undo_edits(edits(settings), state)

    assert settings.is_symlink()
    assert target.read_bytes() == FOREIGN


def test_a_link_to_nothing_gets_its_target_and_loses_it_again(tmp_path: Path, settings: Path, state: Path) -> None:
    target = tmp_path / "dotfiles" / "settings.json"
    settings.symlink_to(target)

    apply_edits(edits(settings), state)
    assert target.is_file()
    undo_edits(edits(settings), state)

    assert settings.is_symlink()
    assert not target.parent.exists()


@pytest.mark.parametrize(
    "text",
    [
        b'{// mine\n"a": 1}',
        b'{"a": 1,}',
        b"[]",
        b'{"hooks": []}',
        b'{"hooks": {"Stop": 1}}',
        b"\xff",
        b'{"a": NaN}',
        b"{",
    ],
)
def test_a_file_that_is_refused_stays_and_so_do_the_others(tmp_path: Path, state: Path, text: bytes) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(b"{}")
    bad.write_bytes(text)
    before = tree(tmp_path)

    with pytest.raises(HostConfigError, match=r"bad\.json: .*; nothing was changed"):
        apply_edits([*edits(good), *edits(bad)], state)

    assert tree(tmp_path) == before


def test_a_folder_in_the_place_of_the_file_is_refused(settings: Path, state: Path) -> None:
    settings.mkdir()

    with pytest.raises(HostConfigError, match="cannot be read"):
        apply_edits(edits(settings), state)


@pytest.mark.parametrize("late", [b'{"new": 1}', None])
def test_a_file_that_changed_after_planning_is_refused(settings: Path, state: Path, late: bytes | None) -> None:
    settings.write_bytes(b"{}")
    changes = plan_changes(edits(settings), state)
    if late is None:
        settings.unlink()
    else:
        settings.write_bytes(late)

    with pytest.raises(HostConfigError, match="changed while the edit was planned"):
        write_changes(changes)

    assert (settings.read_bytes() if settings.exists() else None) == late


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder in which even the superuser cannot make a file")
def test_files_already_written_are_given_back_when_the_system_refuses_a_later_one(tmp_path: Path) -> None:
    first, made, never = tmp_path / "first.json", tmp_path / "made.json", Path("/proc/hfa/settings.json")
    first.write_bytes(b"{}")

    with pytest.raises(StorageError):
        write_changes(
            [FileChange(first, b"{}", b'{"a": 1}'), FileChange(made, None, b"{}"), FileChange(never, None, b"{}")]
        )

    assert tree(tmp_path) == {"first.json": b"{}"}


def test_two_owners_in_one_file_leave_in_any_order_without_a_trace(settings: Path, state: Path) -> None:
    settings.write_bytes(b'{"hooks":{}}')
    one, other = edits(settings), edits(settings, owner="# other")
    for order in ((one, other), (other, one)):
        apply_edits(one, state)
        apply_edits(other, state)
        for leaving in order:
            undo_edits(leaving, state)

        assert settings.read_bytes() == b'{"hooks":{}}'


def test_a_diff_shows_what_changes_and_only_that(settings: Path, state: Path) -> None:
    settings.write_bytes(b'{\n  "hooks": {\n    "Stop": []\n  }\n}')
    entry = JsonEntry(settings, ("hooks", "Stop"), "go # ours", "# ours")

    assert [change.diff() for change in plan_changes([entry], state)] == [
        f'--- {settings}\n+++ {settings}\n@@ -1,5 +1,7 @@\n {{\n   "hooks": {{\n-    "Stop": []\n+    "Stop": [\n'
        '+      "go # ours"\n+    ]\n   }\n }\n\\ No newline at end of file\n'
    ]


def test_a_diff_names_a_new_and_a_removed_file(settings: Path, state: Path) -> None:
    (made,) = plan_changes(edits(settings), state)
    assert made.diff().startswith(f"--- /dev/null\n+++ {settings}\n")
    assert not settings.exists()

    apply_edits(edits(settings), state)
    (gone,) = plan_undo(edits(settings), state)

    assert gone.diff().startswith(f"--- {settings}\n+++ /dev/null\n")
    assert settings.exists()


APPLY = """
import sys
from pathlib import Path
from hfa_core.hosts.apply import apply_edits, undo_edits
from hfa_core.hosts.edits import JsonEntry
owner = "# owner " + sys.argv[1]
for do in (apply_edits, undo_edits, apply_edits):
    do([JsonEntry(Path(sys.argv[2]), ("hooks", name), {"command": owner}, owner) for name in "ab"], Path(sys.argv[3]))
"""


def run_at_once(arguments: Sequence[Sequence[str]]) -> list[int]:
    running = [subprocess.Popen([sys.executable, "-c", APPLY, *words]) for words in arguments]
    return [process.wait(60) for process in running]


def test_several_installations_at_once_leave_every_entry_and_one_whole_file(settings: Path, state: Path) -> None:
    settings.write_bytes(FOREIGN)
    words = [(f"{number}.", str(settings), str(state)) for number in range(4)]

    assert run_at_once(words) == [0, 0, 0, 0]
    found = json.loads(settings.read_bytes())["hooks"]
    assert sorted(item["command"] for item in found["a"]) == [f"# owner {number}." for number in range(4)]
    assert len(found["b"]) == 4
    for number in range(4):
        owner = f"# owner {number}."
        undo_edits([JsonEntry(settings, ("hooks", name), {"command": owner}, owner) for name in "ab"], state)

    assert settings.read_bytes() == FOREIGN


def test_the_same_installation_at_once_is_made_once(settings: Path, state: Path) -> None:
    assert run_at_once([("x", str(settings), str(state))] * 3) == [0, 0, 0]

    assert len(json.loads(settings.read_bytes())["hooks"]["a"]) == 1

"""`hfa doctor`: findings with their fixes, the plan, the dry run, and the mending with copies of what is replaced."""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hfa_core.doctor.memory import examine_memory
from hfa_core.doctor.repair import ACTIONS
from hfa_core.fs.layout import Layout, UserLayout
from hfa_core.settings import Environment
from hfa_core.store.backups import backups_folder
from hfa_core.store.chunks import read_chunk
from hfa_core.store.config import read_config
from tests.payloads.hfa_command import Done, Hfa

Git = Callable[..., str]
Snapshot = Callable[[], dict[str, bytes]]


def findings(done: Done) -> list[dict[str, str]]:
    return cast("list[dict[str, str]]", done.json["findings"])


def codes(done: Done) -> set[str]:
    """The findings but for that of a host that nothing was installed into."""
    return {one["code"] for one in findings(done)} - {"not_installed"}


def entries(done: Done, key: str) -> list[tuple[str, str]]:
    return [(one["action"], Path(one["path"]).name) for one in cast("list[dict[str, str]]", done.json[key])]


@pytest.fixture
def ids(hfa: Hfa, memory: Layout, add: Callable[..., str], git: Git) -> list[str]:
    """Two records, committed, with everything derived up to date."""
    found = [add("令牌每天轮换", hit_words=("令牌",)), add("Cache keys carry a version")]
    assert hfa("reindex").code == 0
    git("add", ".")
    git("commit", "-m", "memory")
    return found


def test_a_sound_memory_has_nothing_to_mend(hfa: Hfa, ids: list[str], snapshot: Snapshot) -> None:
    before = snapshot()

    done = hfa("doctor", "--apply", "--json")

    assert (done.code, codes(done), done.json["plan"], done.json["applied"]) == (0, set(), [], [])
    assert "Nothing could be mended mechanically." in hfa("doctor", "--apply").out
    assert snapshot() == before


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "zero bytes": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "another encoding": lambda data: data.decode().encode("utf-16"),
    "edited": lambda data: data.replace("每天".encode(), "每年".encode()),
    "nul bytes": lambda data: b"\0" * len(data),
}  # fmt: skip


@pytest.mark.parametrize("damage", list(DAMAGE))
def test_a_damaged_record_gets_its_committed_bytes_and_the_damaged_ones_are_kept(
    hfa: Hfa, memory: Layout, ids: list[str], damage: str
) -> None:
    path = Path(memory.chunk(ids[0]))
    sound = path.read_bytes()
    damaged = DAMAGE[damage](sound)
    path.write_bytes(damaged)

    done = hfa("doctor", "--apply", "--json")

    assert path.read_bytes() == sound
    assert (done.code, codes(done)) == (0, set())
    (backup,) = cast("list[str]", done.json["backups"])
    assert Path(backup).read_bytes() == damaged
    assert os.path.relpath(backup, memory.root).startswith(os.path.join("history", "legacy-backups", "doctor"))
    assert ("write", path.name) in entries(done, "applied")


def test_a_record_that_no_commit_has_sound_stays_as_it_is(
    hfa: Hfa, memory: Layout, ids: list[str], add: Callable[..., str], git: Git, snapshot: Snapshot
) -> None:
    uncommitted = add("Not committed")
    Path(memory.chunk(uncommitted)).write_bytes(b"")
    Path(memory.chunk(ids[0])).write_bytes(b"{")
    git("commit", "-am", "the damage too")
    hfa("reindex")
    before = snapshot()

    done = hfa("doctor", "--apply", "--json")

    assert done.code == 50
    assert [one["path"] for one in findings(done) if one["code"] == "memory_damaged"] == [
        memory.chunk(ids[0]),
        memory.chunk(uncommitted),
    ]
    assert snapshot() == before


def test_a_staged_record_counts_as_held_by_git(
    hfa: Hfa, memory: Layout, ids: list[str], add: Callable[..., str], git: Git
) -> None:
    path = Path(memory.chunk(add("Staged only 只在暂存区")))
    sound = path.read_bytes()
    git("add", ".")
    path.write_bytes(b"")

    assert hfa("doctor", "--apply").code == 0
    assert path.read_bytes() == sound


@pytest.mark.parametrize("name", ["directory.md", "config.json"])
@pytest.mark.parametrize("data", [b"", b"\0\0", "# Directory\n记忆".encode("utf-16")], ids=["empty", "nul", "utf-16"])
def test_settings_and_l0_with_nothing_readable_in_them_come_back_from_git(
    hfa: Hfa, memory: Layout, ids: list[str], name: str, data: bytes
) -> None:
    path = Path(memory.root, name)
    sound = path.read_bytes()
    path.write_bytes(data)

    done = hfa("doctor", "--apply", "--json", "--memory-dir", memory.root)

    assert path.read_bytes() == sound, done
    assert done.code == 0


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("directory.md", "| M1 |", "| X1 |"), ("config.json", '"recall_budget": 600', '"recall_budget": 600,,')],
)
def test_a_slip_of_the_pen_is_the_authors_to_mend(
    hfa: Hfa, memory: Layout, ids: list[str], snapshot: Snapshot, name: str, old: str, new: str
) -> None:
    path = Path(memory.root, name)
    path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
    before = snapshot()

    done = hfa("doctor", "--apply", "--json")

    assert done.code == 50
    assert snapshot() == {**before, "memory/.hfa.lock": snapshot()["memory/.hfa.lock"]}
    assert any("git diff" in one["fix"] for one in findings(done))


@pytest.mark.parametrize("state", ["missing", "garbage", "another version", "behind"])
def test_an_index_is_built_anew(hfa: Hfa, memory: Layout, ids: list[str], add: Callable[..., str], state: str) -> None:
    path = Path(memory.database)
    if state == "missing":
        path.unlink()
    elif state == "garbage":
        path.write_bytes(b"garbage" * 100)
    elif state == "another version":
        data = path.read_bytes()
        path.write_bytes(data[:60] + (77).to_bytes(4, "big") + data[64:])
    else:
        Path(memory.chunk(add("新的 third"))).rename(memory.chunk("chunk_0003-abcdef"))
    examined = hfa("doctor", "--json")
    assert ("rebuild", "fts.sqlite") in entries(examined, "plan")

    done = hfa("doctor", "--apply", "--json")

    assert ("rebuild", "fts.sqlite") in entries(done, "applied")
    assert not {"index_damaged", "index_missing", "index_behind", "page_behind"} & codes(done)
    assert str(cast("list[dict[str, object]]", hfa("recall", "令牌", "--json").json["selected"])[0]["id"]) == ids[0]


def test_pages_that_are_missing_or_behind_are_written_and_a_persons_own_is_kept(
    hfa: Hfa, memory: Layout, ids: list[str]
) -> None:
    page, view = Path(memory.summaries(1)), Path(memory.index, "search.json")
    sound = page.read_bytes(), view.read_bytes()
    page.write_text("我自己的笔记\n", encoding="utf-8")
    view.write_bytes(b"{}")
    assert entries(hfa("doctor", "--json"), "plan") == [("refresh", "summaries.md"), ("refresh", "search.json")]

    done = hfa("doctor", "--apply", "--json")

    assert (page.read_bytes(), view.read_bytes()) == sound
    (backup,) = cast("list[str]", done.json["backups"])
    assert Path(backup).read_text("utf-8") == "我自己的笔记\n"


def test_json_views_that_were_never_made_are_not_missed(hfa: Hfa, memory: Layout, add: Callable[..., str]) -> None:
    hfa("remember", "--title", "t", "--hit-words", "w", "--conclusion", "c")

    assert codes(hfa("doctor", "--json")) == set()


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes"])
def test_lines_that_git_needs_are_added_below_the_users_own(
    hfa: Hfa, memory: Layout, ids: list[str], name: str
) -> None:
    path = Path(memory.root, name)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("# 我的\n*.bak", encoding="utf-8")

    done = hfa("doctor", "--apply", "--json")

    assert path.read_text("utf-8").splitlines() == ["# 我的", "*.bak", *lines]
    (backup,) = cast("list[str]", done.json["backups"])
    assert not os.path.basename(backup).startswith("."), "a copy must not work as what it is a copy of"
    path.unlink()
    assert hfa("doctor", "--apply", "--json").json["backups"] == []
    assert path.read_text("utf-8").splitlines() == lines


def test_a_temporary_file_of_a_dead_writer_is_cleared_away(hfa: Hfa, memory: Layout, ids: list[str]) -> None:
    left = Path(memory.chunks, ".hfa-tmp-1-2")
    left.write_bytes(b"{}")
    assert codes(hfa("doctor", "--json")) == {"staged_leftover"}

    assert hfa("doctor", "--apply").code == 0
    assert not left.exists()


def test_an_interrupted_operation_is_finished(
    hfa: Hfa, memory: Layout, ids: list[str], stop_before: Callable[[Callable[[], object], int | None], int]
) -> None:
    stop_before(lambda: hfa("node", "add", "Mobile 客户端"), 14)
    assert Path(memory.journal).exists()
    assert codes(hfa("doctor", "--json")) >= {"journal_open"}

    done = hfa("doctor", "--apply", "--json")

    assert entries(done, "applied")[0] == ("finish", ".hfa-transaction.json")
    assert "Mobile 客户端" in Path(memory.directory).read_text("utf-8")
    assert "journal_open" not in codes(done)


def test_the_only_main_line_is_made_active(hfa: Hfa, memory: Layout, ids: list[str]) -> None:
    path = Path(memory.directory)
    sound = path.read_bytes()
    path.write_bytes(sound.replace(b"ACTIVE", b"OPEN"))

    assert hfa("doctor", "--apply").code == 0
    assert path.read_bytes() == sound


@pytest.mark.parametrize("states", [("OPEN", "OPEN"), ("ACTIVE", "ACTIVE")], ids=" ".join)
def test_of_several_main_lines_a_person_chooses_with_the_command_that_is_named(
    hfa: Hfa, memory: Layout, ids: list[str], snapshot: Snapshot, states: tuple[str, str]
) -> None:
    hfa("node", "add", "Next", "--kind", "main")
    path = Path(memory.directory)
    text = path.read_text("utf-8")
    for state, found in zip(states, ("ACTIVE", "OPEN"), strict=True):
        text = text.replace(f" {found} ", f" <{state}> ", 1)
    path.write_text(text.replace("<", "").replace(">", ""), encoding="utf-8")
    hfa("reindex")
    before = snapshot()

    done = hfa("doctor", "--apply", "--json")

    assert done.code == 50
    assert snapshot() == before
    (fix,) = [one["fix"] for one in findings(done) if one["code"] == "main_line_unclear"]
    assert fix == "hfa node activate M1, or one of M2"
    assert hfa("node", "activate", "M2").code == 0
    assert "main_line_unclear" not in codes(hfa("doctor", "--json"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such bits")
def test_private_files_that_others_may_read_are_closed(
    hfa: Hfa, memory: Layout, ids: list[str], environment: Environment
) -> None:
    user = UserLayout(environment.user_dir, read_config(memory).memory_id)
    os.makedirs(user.sessions)
    Path(user.receipts).write_bytes(b"")
    for path, mode in ((user.folder, 0o755), (user.sessions, 0o777), (user.receipts, 0o644), (user.root, 0o700)):
        os.chmod(path, mode)
    assert codes(hfa("doctor", "--json")) == {"private_open"}

    done = hfa("doctor", "--apply", "--json")

    assert codes(done) == set()
    assert len(entries(done, "applied")) == 3
    modes = [stat.S_IMODE(os.stat(path).st_mode) for path in (user.folder, user.sessions, user.receipts)]
    assert modes == [0o700, 0o700, 0o600]


def break_all(memory: Layout, ids: list[str]) -> None:
    Path(memory.chunk(ids[0])).write_bytes(b"")
    Path(memory.directory).write_bytes(Path(memory.directory).read_bytes().replace(b"ACTIVE", b"OPEN"))
    Path(memory.root, ".gitignore").write_bytes(b"index/\n")
    Path(memory.database).unlink(missing_ok=True)
    Path(memory.chunks, ".hfa-tmp-1-2").write_bytes(b"")


def test_the_dry_run_changes_no_byte_and_shows_what_apply_then_does(
    hfa: Hfa, memory: Layout, ids: list[str], snapshot: Snapshot
) -> None:
    break_all(memory, ids)
    before = snapshot()

    plan, text = hfa("doctor", "--apply", "--dry-run", "--json"), hfa("doctor", "--apply", "--dry-run").out

    assert snapshot() == before
    assert not Path(memory.database).exists()
    assert (plan.json["mode"], plan.json["applied"]) == ("dry-run", [])
    assert f"--- {memory.directory} (as it is)" in text
    assert "+| M1 | Project | main/M1.md | ACTIVE |  |  |" in text
    assert text.endswith("Nothing was changed (--dry-run).\n")
    done = hfa("doctor", "--apply", "--json")
    assert entries(done, "applied") == entries(plan, "plan")
    assert done.json["backups"] == plan.json["backups"]
    assert done.code == 0


def test_a_memory_that_is_off_is_not_mended(
    hfa: Hfa, memory: Layout, ids: list[str], snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_all(memory, ids)
    before = snapshot()
    monkeypatch.setenv("HFA_OFF", "1")

    assert hfa("doctor", "--apply").code == 15
    assert snapshot() == before


SCHEMA: dict[str, dict[str, type]] = {
    "": {
        "format": str,
        "mode": str,
        "ok": bool,
        "findings": list,
        "hosts": list,
        "plan": list,
        "applied": list,
        "backups": list,
    },
    "findings": {"code": str, "severity": str, "path": str, "text": str, "fix": str, "mendable": bool},
    "hosts": {
        "host": str,
        "title": str,
        "detected": bool,
        "version": str,
        "tested_version": str,
        "installed": dict,
        "trusted": dict,
        "last_fired": dict,
        "last_failure": str,
        "self_test": dict,
    },
    "plan": {"action": str, "path": str, "text": str},
    "applied": {"action": str, "path": str, "text": str},
}
REFERENCE = Path(__file__).resolve().parents[4] / "docs" / "reference" / "doctor.md"


@pytest.mark.parametrize("options", [(), ("--apply", "--dry-run"), ("--apply",)], ids=" ".join)
def test_json_has_the_form_that_the_reference_promises(
    hfa: Hfa, memory: Layout, ids: list[str], options: tuple[str, ...]
) -> None:
    break_all(memory, ids)
    Path(memory.chunks, "笔记.txt").write_bytes(b"")

    document = hfa("doctor", *options, "--json").json

    for place, keys in SCHEMA.items():
        items = cast("list[dict[str, object]]", document[place] if place else [document])
        assert items or (place == "applied" and options != ("--apply",))
        for item in items:
            assert {key: type(value) for key, value in item.items()} == keys
    assert document["format"] == "hfa-doctor/1"


def test_the_reference_lists_every_key_and_every_action() -> None:
    text = REFERENCE.read_text(encoding="utf-8")

    rows = set(re.findall(r"^\| (\w+) \|", text, re.MULTILINE))
    assert rows - {"key"} == {key for keys in SCHEMA.values() for key in keys} | set(ACTIONS)


# --- other worktrees -------------------------------------------------------------------------------------------


def test_records_that_only_another_worktree_holds_are_named(
    hfa: Hfa, memory: Layout, ids: list[str], tmp_path: Path, git: Git
) -> None:
    other = tmp_path / "另一个 tree"
    git("worktree", "add", "-b", "feature", str(other))
    assert codes(hfa("doctor", "--json")) == set()
    chunks = other / "memory" / "chunks"
    for number in range(3, 10):
        (chunks / f"chunk_{number:04d}-abcdef.json").write_bytes(b"{}")

    (found,) = [one for one in findings(hfa("doctor", "--json")) if one["code"] == "worktree_uncommitted"]

    assert (found["severity"], found["path"]) == ("warning", str(chunks))
    assert f"{other} (branch feature) has 7 records that no commit holds: chunk_0003-abcdef, " in found["text"]
    assert found["text"].endswith(" and 2 more")
    assert f"git -C '{other}' add memory/chunks" in found["fix"]
    git("add", ".", cwd=other)
    assert "worktree_uncommitted" in codes(hfa("doctor", "--json")), "staged is not committed"
    git("commit", "-m", "records", cwd=other)
    assert codes(hfa("doctor", "--json")) == set()


def test_a_worktree_that_is_gone_or_has_no_memory_says_nothing(
    hfa: Hfa, memory: Layout, ids: list[str], tmp_path: Path, git: Git
) -> None:
    for name in ("gone", "bare of records"):
        git("worktree", "add", "--detach", str(tmp_path / name))
    (tmp_path / "gone").rename(tmp_path / "moved")
    (tmp_path / "bare of records" / "memory" / "chunks").rename(tmp_path / "chunks")

    assert codes(hfa("doctor", "--json")) == set()


def test_records_of_this_worktree_are_seen_from_the_other(
    hfa: Hfa, memory: Layout, ids: list[str], add: Callable[..., str], tmp_path: Path, git: Git
) -> None:
    git("worktree", "add", "--detach", str(tmp_path / "other"))
    uncommitted = add("Only here 只在这里")

    found = list(examine_memory(Layout(str(tmp_path / "other" / "memory"))))

    texts = [one.finding.text for one in found if one.finding.code == "worktree_uncommitted"]
    assert len(texts) == 1
    assert texts[0].endswith(f"(branch main) has 1 record that no commit holds: {uncommitted}")


# --- crashes, earlier forms, advice ----------------------------------------------------------------------------


@pytest.mark.slow
def test_stopped_before_any_effect_a_mending_is_not_begun_or_whole(
    hfa: Hfa,
    memory: Layout,
    ids: list[str],
    snapshot: Snapshot,
    stop_before: Callable[[Callable[[], object], int | None], int],
) -> None:
    def truth() -> dict[str, bytes]:
        return {
            name: data
            for name, data in snapshot().items()
            if name.endswith((".json", "directory.md", ".gitignore")) and "legacy-backups" not in name
        }

    sound = truth()
    break_all(memory, ids)
    broken = truth()
    states: list[bool] = []
    effects = stop_before(lambda: hfa("doctor", "--apply"), None)
    assert truth() == sound
    for stop in range(effects):
        shutil.rmtree(backups_folder(memory), ignore_errors=True)
        for name, data in sound.items():
            Path(memory.workspace, name).write_bytes(data)
        break_all(memory, ids)
        stop_before(lambda: hfa("doctor", "--apply"), stop)
        hfa("status")
        now = truth()
        assert now in (broken, sound), stop
        states.append(now == sound)
    assert set(states) == {False, True}
    assert states == sorted(states)
    assert read_chunk(memory, ids[0]).id == ids[0]


def test_a_memory_of_an_earlier_form_is_named_with_the_command_that_upgrades_it(hfa: Hfa, memory: Layout) -> None:
    Path(memory.config).write_text("{}", encoding="utf-8")

    done = hfa("doctor", "--json")

    (found,) = [one for one in findings(done) if one["severity"] == "error"]
    assert (done.code, found["code"]) == (50, "format_older")
    assert "hfa upgrade --dry-run" in found["fix"]


DESTRUCTIVE = re.compile(
    r"\brm\b|\brmdir\b|unlink|delet|\bremov|eras(e|ing)|wip(e|ing)|\bpurg|discard|overwrit|truncat|\bprun|\bdrop\b"
    r"|--force|\bclean -|reset --hard|git (checkout|restore|stash)|init --force|start over|from scratch",
    re.IGNORECASE,
)
BREAKS: list[Callable[[Layout, list[str]], object]] = [
    lambda memory, ids: Path(memory.chunk(ids[0])).write_bytes(b""),
    lambda memory, ids: Path(memory.chunk(ids[1])).write_bytes(b"<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n"),
    lambda memory, ids: Path(memory.chunk(ids[0])).unlink(),
    lambda memory, ids: Path(memory.directory).write_bytes(b""),
    lambda memory, ids: Path(memory.directory).write_bytes(b"| M1 |"),
    lambda memory, ids: Path(memory.directory).unlink(),
    lambda memory, ids: Path(memory.config).write_bytes(b"{"),
    lambda memory, ids: Path(memory.config).unlink(),
    lambda memory, ids: Path(memory.config).write_text('{"format": "hfa-memory/1"}', encoding="utf-8"),
    lambda memory, ids: Path(memory.journal).write_bytes(b"{}"),
    lambda memory, ids: Path(memory.database).write_bytes(b"garbage"),
    lambda memory, ids: Path(memory.chunks, "笔记.txt").write_bytes(b""),
    lambda memory, ids: Path(memory.root, "main", "M1.md").unlink(),
    lambda memory, ids: Path(memory.chunks).rename(memory.chunks + "-away"),
    lambda memory, ids: Path(memory.config).write_text("{}", encoding="utf-8"),
]
COMMANDS = [
    *(("status",), ("verify",), ("doctor",), ("recall", "令牌"), ("reindex",), ("init",), ("upgrade", "--dry-run")),
    ("doctor", "--apply", "--dry-run"),
    ("remember", "--title", "t", "--hit-words", "w", "--conclusion", "c"),
]


@pytest.mark.parametrize("number", range(len(BREAKS)))
def test_no_message_of_a_broken_memory_proposes_a_destructive_step(
    hfa: Hfa, memory: Layout, ids: list[str], number: int
) -> None:
    BREAKS[number](memory, ids)

    said = [(command, done.out + done.err) for command in COMMANDS for done in [hfa(*command)]]

    assert [(command, text) for command, text in said if DESTRUCTIVE.search(text)] == []

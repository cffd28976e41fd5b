"""An upgrade on disk: whole or not at all whenever it is stopped, kept first, and undone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.errors import UnsupportedFormatError, UpgradeError
from hfa_core.fs.atomic import TEMPORARY_PREFIX
from hfa_core.fs.layout import Layout
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft, Source
from hfa_core.store.chunks import list_files, read_chunk
from hfa_core.transaction.opening import ensure_recovered
from hfa_core.upgrade.run import apply_plan, plan_undo, plan_upgrade, read_format
from hfa_core.upgrade.seed import is_seed
from hfa_core.upgrade.steps import STEPS, Step, convert_files, plan_steps

Stop = Callable[[Callable[[], object], int | None], int]


@pytest.fixture
def old(memory: Layout) -> Layout:
    """A memory of the earlier form, with three records of which one supersedes another."""
    Path(memory.config).write_text('{"topics_per_epoch": 50}\n', encoding="utf-8")
    records = [
        {"title": "令牌每小时轮换", "conclusion": "每小时。", "hit_words": "令牌"},
        {"id": "chunk_0002", "title": "令牌每天轮换", "conclusion": ["每天。"], "supersedes": ["chunk_0001"]},
        {"title": "Use SQLite", "conclusion": "Because it is there.", "reviewer": "li"},
    ]
    for number, record in enumerate(records, 1):
        Path(memory.chunk(f"chunk_{number:04d}")).write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    return memory


def files_of(memory: Layout) -> dict[str, bytes]:
    """Every file of truth, the backups included."""
    found = {path.relative_to(memory.root).as_posix(): path for path in Path(memory.root).rglob("*") if path.is_file()}
    skipped = ("index/", ".hfa", "history/epoch_")
    return {name: path.read_bytes() for name, path in sorted(found.items()) if not name.startswith(skipped)}


def copy_of(memory: Layout, place: Path) -> Layout:
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(memory.workspace, place, ignore=shutil.ignore_patterns(".git"))
    return Layout(str(place / "memory"))


def test_every_record_is_there_afterwards_and_what_was_is_kept(old: Layout) -> None:
    before = files_of(old)

    plan = apply_plan(old)

    assert (plan.before, plan.after, read_format(old)) == ("hfa-memory/0", "hfa-memory/1", "hfa-memory/1")
    assert sorted(entry.name for entry in list_files(old)) == [f"chunk_000{number}.json" for number in (1, 2, 3)]
    assert verify_memory(old) == []
    assert read_chunk(old, "chunk_0002").supersedes == ("chunk_0001",)
    kept = {path.removeprefix("files/"): data for path, data in plan.copies.items() if path.startswith("files/")}
    assert kept == {name: before[name] for name in plan.files}
    assert all(Path(plan.backup, "files", name).read_bytes() == data for name, data in kept.items())


def test_a_dry_plan_writes_nothing_and_names_what_would_be_written(old: Layout) -> None:
    before = files_of(old)

    plan = plan_upgrade(old)

    assert sorted(plan.files) == [
        "chunks/chunk_0001.json",
        "chunks/chunk_0002.json",
        "chunks/chunk_0003.json",
        "config.json",
    ]
    assert files_of(old) == before
    assert apply_plan(old).files == plan.files


@pytest.mark.slow
@pytest.mark.parametrize("undo", [False, True], ids=["upgrade", "undo"])
def test_stopped_before_any_effect_the_memory_is_as_before_or_as_after(
    old: Layout, tmp_path: Path, stop_before: Stop, undo: bool
) -> None:
    if undo:
        apply_plan(old)
    before = files_of(old)
    whole = copy_of(old, tmp_path / "whole")
    effects = stop_before(lambda: apply_plan(whole, undo=undo), None)
    after = files_of(whole)
    assert effects > 20
    states: list[bool] = []
    for stop in range(effects):
        memory = copy_of(old, tmp_path / "copy")
        stop_before(lambda memory=memory: apply_plan(memory, undo=undo), stop)

        ensure_recovered(memory)

        state = files_of(memory)
        state = {name: data for name, data in state.items() if TEMPORARY_PREFIX not in name}
        assert state in (before, after), stop
        states.append(state == after)
        if state == before:
            # Run again, it ends where an undisturbed run does, and leaves nothing over.
            apply_plan(memory, undo=undo)
            assert files_of(memory) == after, stop
    assert states == sorted(states)
    assert set(states) == {False, True}


def test_undo_brings_back_every_byte_and_the_upgrade_can_be_made_again(old: Layout) -> None:
    before = files_of(old)
    after = apply_plan(old).files

    plan = apply_plan(old, undo=True)

    assert (plan.before, plan.after) == ("hfa-memory/1", "hfa-memory/0")
    now = files_of(old)
    assert {name: now[name] for name in before} == before
    assert plan_undo(old).files == {}
    assert apply_plan(old).files == after
    assert apply_plan(old, undo=True).files == plan.files


def test_records_stored_since_survive_undo_and_the_next_upgrade(old: Layout) -> None:
    apply_plan(old)
    draft = Draft(title="Newer", hit_words=("w",), conclusion=("c",), source=Source("cli"))
    chunk_id = remember(old, draft, now=1.0).id

    apply_plan(old, undo=True)
    assert is_seed(old)
    apply_plan(old)

    assert read_chunk(old, chunk_id).title == "Newer"
    assert verify_memory(old) == []


def test_a_file_that_was_changed_since_stops_the_way_back(old: Layout) -> None:
    apply_plan(old)
    path = Path(old.config)
    path.write_text(path.read_text("utf-8").replace("50", "60"), encoding="utf-8")
    before = files_of(old)

    with pytest.raises(UpgradeError, match="was changed since") as caught:
        apply_plan(old, undo=True)

    assert caught.value.path == old.config
    assert files_of(old) == before


def test_a_copy_that_was_changed_stops_the_way_back(old: Layout) -> None:
    plan = apply_plan(old)
    Path(plan.backup, "files", "config.json").write_bytes(b"{}")

    with pytest.raises(UpgradeError, match="gone or damaged"):
        apply_plan(old, undo=True)


def test_a_manifest_from_a_stranger_reaches_no_file_outside_the_memory(old: Layout, tmp_path: Path) -> None:
    plan = apply_plan(old)
    manifest = Path(plan.backup, "manifest.json")
    content = json.loads(manifest.read_bytes())
    content["files"] = [{"path": "../README.md", "before": "0" * 64, "after": "0" * 64}]
    manifest.write_text(json.dumps(content), encoding="utf-8")

    with pytest.raises(UpgradeError, match="not a file of the memory"):
        plan_undo(old)


def test_where_there_is_nothing_to_do_nothing_is_written(memory: Layout) -> None:
    before = files_of(memory)

    assert apply_plan(memory).files == {}
    assert apply_plan(memory, undo=True).files == {}
    assert files_of(memory) == before


def test_a_memory_of_a_newer_format_is_left_alone(memory: Layout) -> None:
    text = Path(memory.config).read_text("utf-8").replace("hfa-memory/1", "hfa-memory/2")
    Path(memory.config).write_text(text, encoding="utf-8")

    with pytest.raises(UnsupportedFormatError):
        plan_upgrade(memory)
    with pytest.raises(UnsupportedFormatError):
        apply_plan(memory)


def test_a_record_that_cannot_be_understood_stops_it_before_the_first_write(old: Layout) -> None:
    Path(old.chunk("chunk_0003")).write_bytes(b"{}")
    before = files_of(old)

    with pytest.raises(UpgradeError) as caught:
        apply_plan(old)

    assert caught.value.path == old.chunk("chunk_0003")
    assert files_of(old) == before


# --- the registry ----------------------------------------------------------------------------------------------


def test_the_steps_form_one_chain_to_the_format_of_today() -> None:
    assert plan_steps("hfa-memory/1") == []
    assert [step.after for step in plan_steps(STEPS[0].before)] == [step.after for step in STEPS]
    assert [step.before for step in STEPS[1:]] == [step.after for step in STEPS[:-1]]
    with pytest.raises(LookupError):
        plan_steps("hfa-memory/9")


def test_a_chain_of_steps_is_one_change_with_one_backup(old: Layout) -> None:
    def rename_key(files: object) -> dict[str, bytes]:
        content = json.loads(dict(files)["config.json"])  # type: ignore[call-overload]  # any mapping
        return {"config.json": json.dumps({**content, "format": "hfa-memory/2"}).encode(), "added.md": "新".encode()}

    steps = (*STEPS, Step("hfa-memory/1", "hfa-memory/2", "adds a page", rename_key))

    plan = apply_plan(old, steps=steps, wanted="hfa-memory/2")

    assert len(plan.texts) == 2
    assert read_format(old) == "hfa-memory/2"
    assert Path(old.root, "added.md").read_text("utf-8") == "新"
    assert json.loads(Path(plan.backup, "files", "config.json").read_bytes()) == {"topics_per_epoch": 50}


def test_what_a_step_leaves_as_it_is_is_no_change() -> None:
    same = Step("a", "b", "does nothing", dict)

    assert convert_files({"x": b"1"}, [same]) == {}

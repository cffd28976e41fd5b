"""Memories of several branches are merged by git in any order: no conflict but in L0, and the same recall after it."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.errors import MemoryDamagedError
from hfa_core.index.pages import list_behind, refresh_views
from hfa_core.index.rebuild import rebuild
from hfa_core.store.directory import read_directory
from hfa_core.store.nodes import add_node, tombstone_node

from .conftest import Repository

TIME = "2026-09-21T14:00:00Z"
PROMPTS = (
    "how long do caches live", "which rule is there about caching", "缓存多久过期", "deploy window of branch 3",
    "部署窗口", "base rule 1",
)  # fmt: skip


def set_up(repository: Repository, **settings: object) -> None:
    config = Path(repository.memory.config)
    config.write_text(json.dumps({**json.loads(config.read_bytes()), **settings}), encoding="utf-8")


def grow_branches(repository: Repository, count: int) -> list[str]:
    """Branches from one base that each add records, the same words among them, and supersede one."""
    base = [repository.add(f"Base rule {number}: caches live {number} hours 缓存过期") for number in range(1, 5)]
    repository.commit("base")
    branches = [f"branch-{number}" for number in range(count)]
    for number, branch in enumerate(branches):
        repository.git("switch", "--quiet", "--create", branch, "main")
        for more in range(1 + number % 3):
            # Made at the same moment, of the same length, with the same words: nothing but the id tells them apart.
            repository.add(f"Rule {number * 3 + more:02d} caching 缓存规则", hit_words=(f"rule-{number}",), at=500)
        repository.add(f"Deploy window of branch {number} 部署窗口", supersedes=(base[number % 4],), at=600 + number)
        repository.commit(branch)
    repository.git("switch", "--quiet", "main")
    return branches


def merge_all(repository: Repository, branches: list[str]) -> None:
    for branch in branches:
        done = repository.run("merge", "--quiet", "--no-edit", branch)
        assert done.returncode == 0, done.stdout


def recall_all(repository: Repository) -> list[object]:
    return [
        (found.status, [item.id for item in found.selected], [item.id for item in found.deferred], found.recall_text)
        for found in (repository.ask(prompt) for prompt in PROMPTS)
    ]


def test_ten_branches_merge_in_any_order_and_recall_the_same(repository: Repository) -> None:
    branches = grow_branches(repository, 10)
    results: list[object] = []
    for seed in range(3):
        repository.git("switch", "--quiet", "--create", f"merged-{seed}", "main")
        order = list(branches)
        random.Random(seed).shuffle(order)

        merge_all(repository, order)

        assert repository.problems() == []
        assert repository.status() == ""
        results.append(recall_all(repository))
        refresh_views(repository.memory)
        assert list_behind(repository.memory, read_directory(repository.memory)) == []
        repository.commit("pages")
    assert results[0] == results[1] == results[2]
    rebuild(repository.memory)
    assert recall_all(repository) == results[0], "an index built anew says the same"


def test_an_index_that_followed_each_merge_says_what_one_says_that_saw_only_the_last(repository: Repository) -> None:
    branches = grow_branches(repository, 6)
    for branch in reversed(branches):
        merge_all(repository, [branch])
        repository.ask("caching")

    stepwise = recall_all(repository)
    rebuild(repository.memory)

    assert recall_all(repository) == stepwise


def test_branches_that_dispute_a_record_are_both_shown_after_the_merge(repository: Repository) -> None:
    old = repository.add("Caches live one hour 缓存一小时")
    repository.commit("base")
    made: list[str] = []
    for branch, text in (("a", "Caches live two hours 缓存两小时"), ("b", "Caches live a day 缓存一天")):
        repository.git("switch", "--quiet", "--create", branch, "main")
        made.append(repository.add(text, supersedes=(old,)))
        repository.commit(branch)
    repository.git("switch", "--quiet", "main")
    merge_all(repository, ["a", "b"])

    found = repository.ask("how long do caches live")

    assert {item.id for item in found.selected} == set(made)
    assert all("disputed by" in " ".join(item.match) for item in found.selected)
    assert [problem.code for problem in repository.problems(severity="warning")] == ["disputed"]


def test_pages_and_frameworks_of_epochs_that_rolled_on_both_branches_merge_and_are_mended_by_the_next_write(
    repository: Repository,
) -> None:
    set_up(repository, topics_per_epoch=2, stream=True)
    repository.add("Base one")
    repository.commit("base")
    for branch, count in (("a", 2), ("b", 4)):
        repository.git("switch", "--quiet", "--create", branch, "main")
        for number in range(count):
            repository.add(f"Record {number} of {branch}")
        repository.commit(branch)
    repository.git("switch", "--quiet", "main")
    merge_all(repository, ["a"])
    done = repository.run("merge", "--no-edit", "b")

    conflicts = repository.git("diff", "--name-only", "--diff-filter=U").split()
    assert (done.returncode, conflicts) == (1, ["memory/directory.md"])
    repository.git("checkout", "--theirs", "--", "memory/directory.md")
    repository.commit("merged")
    assert repository.problems() == []

    made = repository.add("After the merge 合并之后")

    states = [Path(repository.memory.framework(epoch)).read_text(encoding="utf-8") for epoch in (1, 2, 3)]
    assert [text.count("State:") for text in states] == [1, 1, 1]
    assert [text.split()[-1] for text in states] == ["SEALED", "SEALED", "ACTIVE"]
    assert list_behind(repository.memory, read_directory(repository.memory)) == []
    log = Path(repository.memory.stream).read_text(encoding="utf-8").splitlines()
    assert len(log) == len(set(log))
    assert len([line for line in log if " record chunk_" in line]) == 1 + 2 + 4 + 1
    assert log[-1].endswith(f"record {made} on M1: After the merge 合并之后")


def test_logs_that_two_branches_began_merge_into_one(repository: Repository) -> None:
    set_up(repository, stream=True)
    repository.commit("log on")
    for branch in ("a", "b"):
        repository.git("switch", "--quiet", "--create", branch, "main")
        repository.add(f"First of {branch}")
        repository.commit(branch)
    repository.git("switch", "--quiet", "main")

    merge_all(repository, ["a", "b"])

    log = Path(repository.memory.stream).read_text(encoding="utf-8").splitlines()
    assert sorted(line.rpartition(": ")[2] for line in log) == ["First of a", "First of b"]


def test_tombstones_of_two_branches_merge(repository: Repository) -> None:
    for title in ("One", "Two", "Three"):
        add_node(repository.memory, "S", title, time=TIME)
    repository.commit("nodes")
    for branch, node in (("a", "S1"), ("b", "S3")):
        repository.git("switch", "--quiet", "--create", branch, "main")
        tombstone_node(repository.memory, node, f"given up on {branch}", time=TIME)
        repository.commit(branch)
    repository.git("switch", "--quiet", "main")
    merge_all(repository, ["a"])
    done = repository.run("merge", "--no-edit", "b")

    lines = Path(repository.memory.tombstones).read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == {"S1", "S3"}
    if done.returncode == 0:
        assert repository.problems() == []
    else:
        assert repository.git("diff", "--name-only", "--diff-filter=U").split() == ["memory/directory.md"]


@pytest.fixture
def conflict(repository: Repository) -> Repository:
    """Two branches that both added a node, half merged: L0 is in conflict."""
    repository.add("Tokens rotate daily 令牌轮换")
    repository.commit("base")
    for branch in ("a", "b"):
        repository.git("switch", "--quiet", "--create", branch, "main")
        add_node(repository.memory, "S", f"Node of {branch}", path=f"branches/{branch}.md", time=TIME)
        repository.commit(branch)
    assert repository.run("merge", "--no-edit", "a").returncode == 1
    return repository


def test_a_conflict_in_l0_is_named_with_file_and_line(conflict: Repository) -> None:
    lines = Path(conflict.memory.directory).read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("<<<<<<<"))

    (problem,) = conflict.problems()

    assert (problem.code, problem.path) == ("conflict_marker", conflict.memory.directory)
    assert f"line {line} " in problem.text
    assert "memory/directory.md" in problem.fix
    with pytest.raises(MemoryDamagedError, match=f"line {line} "):
        conflict.ask("when do tokens rotate")


def test_after_the_conflict_is_resolved_everything_is_there(conflict: Repository) -> None:
    path = Path(conflict.memory.directory)
    lines = path.read_text(encoding="utf-8").replace("| S1 | Node of a ", "| S2 | Node of a ").splitlines()
    kept = [line for line in lines if line[:7] not in ("<<<<<<<", "=======", ">>>>>>>")]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    conflict.commit("resolved")

    assert conflict.problems() == []
    assert conflict.ids("when do tokens rotate")


def test_two_chunks_in_conflict_are_named_and_the_others_are_served(repository: Repository) -> None:
    set_up(repository, id_suffix=False)
    repository.add("Deploys happen on Friday 周五部署")
    repository.commit("base")
    for branch in ("a", "b"):
        repository.git("switch", "--quiet", "--create", branch, "main")
        # As in two clones, neither knows what number the other gave out.
        shutil.rmtree(repository.memory.index)
        repository.add(f"Tokens rotate as {branch} says 令牌轮换")
        repository.commit(branch)
    assert repository.run("merge", "--no-edit", "a").returncode == 1

    codes = [(problem.code, problem.path) for problem in repository.problems()]

    assert codes == [("conflict_marker", repository.memory.chunk("chunk_0002"))]
    assert repository.ids("when do deploys happen") == ["chunk_0001"]
    assert repository.ids("令牌轮换") == []


def test_the_seeds_order_of_merges_leaves_the_same_files(make_repository: Callable[[str], Repository]) -> None:
    repository = make_repository("project")
    branches = grow_branches(repository, 3)
    trees: set[str] = set()
    for number, order in enumerate(itertools.permutations(branches)):
        repository.git("switch", "--quiet", "--create", f"m{number}", "main")
        merge_all(repository, list(order))
        refresh_views(repository.memory)
        repository.commit("pages")
        trees.add(repository.git("rev-parse", "HEAD:memory").strip())

    assert len(trees) == 1

"""A word of a group finds a record that has another word of it, in either language and no other way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.index.analyzer import analyze_query
from hfa_core.index.database import open_database
from hfa_core.index.json_views import SEARCH, write_json_views
from hfa_core.index.rebuild import rebuild
from hfa_core.index.search import search
from hfa_core.index.sync import sync
from hfa_core.index.synonyms import widen
from hfa_core.index.verify import verify_memory
from hfa_core.recall.result import Recall
from hfa_core.store.chunks import read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory

PAIRS = [
    ("乱码", "Exports were garbled in Excel", "mojibake"),
    ("部署", "Deployment runs on Tuesdays", "deploy"),
    ("备份", "Backups are kept for ninety days", "backup"),
    ("并发", "Concurrent writers take the lock", "race condition"),
    ("超时", "Requests that timed out are retried", "timeout"),
    ("回滚", "Releases are rolled back by tag", "rollback"),
]


def ids(answer: Recall) -> list[str]:
    return [item.id for item in answer.selected]


@pytest.fixture
def found(memory: Layout) -> Callable[[str], set[str]]:
    """`found("prompt")`: every record that shares something with it, however weak."""

    def find(prompt: str) -> set[str]:
        with open_database(memory) as database:
            sync(database, read_directory(memory))
            query = widen(analyze_query(prompt), read_config(memory).aliases)
            return {candidate.id for candidate in search(database, query).candidates}

    return find


def set_aliases(memory: Layout, groups: object) -> None:
    path = Path(memory.config)
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "retrieval_aliases": groups}), encoding="utf-8")


@pytest.mark.parametrize(("chinese", "title", "english"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_a_chinese_word_finds_the_english_record_and_so_does_another_english_word(
    add: Callable[..., str], ask: Callable[..., Recall], chinese: str, title: str, english: str
) -> None:
    found = add(title, hit_words=("agreed",), conclusion="See the wiki.")
    add("Colours of the settings page", hit_words=("palette",))

    assert ids(ask(f"如何 {chinese}")) == [found]
    assert ids(ask(f"how does {english} work")) == [found]


@pytest.mark.parametrize(("chinese", "_title", "english"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_an_english_word_finds_the_chinese_record(
    add: Callable[..., str], ask: Callable[..., Recall], chinese: str, _title: str, english: str
) -> None:
    found = add(f"夜间{chinese}的约定", hit_words=("约定",), conclusion="见文档。")
    add("设置页的配色", hit_words=("配色",))

    assert ids(ask(f"how does {english} work")) == [found]


@pytest.mark.parametrize(("chinese", "_title", "english"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_a_hit_word_of_a_group_is_hit_by_each_other_word_of_it(
    add: Callable[..., str], ask: Callable[..., Recall], chinese: str, _title: str, english: str
) -> None:
    first = add("Settings of the nightly job", hit_words=(english,))
    add("Colours of the settings page", hit_words=("palette",))
    answer = ask(f"我们的{chinese}是怎么做的")

    assert ids(answer) == [first]
    assert f"hit word: {english} (synonym)" in answer.selected[0].match

    second = add("夜间任务的设置", hit_words=(chinese,))
    assert ids(ask(f"how did we solve the {english} there")) == [first, second]
    assert ids(ask(f"我们的{chinese}是怎么做的")) == [second, first]


@pytest.mark.parametrize(
    "prompt",
    [
        "what time is it in Berlin",
        "roll the dice",
        "the race for the palette",
        "out of paper",
        "备用电源",
        "署名",
        "back",
    ],
)
def test_a_part_of_a_group_word_or_a_like_one_finds_nothing(
    add: Callable[..., str], ask: Callable[..., Recall], prompt: str
) -> None:
    for _, title, _ in PAIRS:
        add(title, hit_words=("agreed",), conclusion="See the wiki.")

    assert ids(ask(prompt)) == []


def test_the_words_own_record_comes_before_a_synonyms(add: Callable[..., str], ask: Callable[..., Recall]) -> None:
    own = add("部署的约定", hit_words=("约定",), conclusion="见文档。")
    add("Deployment agreed", hit_words=("agreed",), conclusion="See the wiki.")

    assert ids(ask("部署"))[:1] == [own]


def test_a_group_of_the_memorys_own_joins_words_of_several_parts(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall], found: Callable[[str], set[str]]
) -> None:
    chinese = add("持续集成在周二暂停", hit_words=("周二",), conclusion="见文档。")
    english = add("GitHub Actions stop on Mondays", hit_words=("mondays",), conclusion="See the wiki.")
    assert ids(ask("build farm")) == []

    set_aliases(memory, [["持续集成", "GitHub Actions", "build farm"]])

    assert set(ids(ask("build farm"))) == {chinese, english}
    assert ids(ask("持续集成"))[:1] == [chinese]
    assert ids(ask("github actions"))[:1] == [english]
    assert found("持续集成") == found("github actions") == {chinese, english}
    assert found("集成") == {chinese}
    assert verify_memory(memory) == []


def test_groups_that_share_a_word_do_not_chain_unless_they_are_one(
    memory: Layout, add: Callable[..., str], found: Callable[[str], set[str]]
) -> None:
    first = add("Alpharius sleeps", hit_words=("sleep",), conclusion="See the wiki.")
    last = add("Gammadion wakes", hit_words=("wake",), conclusion="See the wiki.")
    groups = [["alpharius", "betamax"], ["betamax", "gammadion"]]

    set_aliases(memory, groups)
    assert found("betamax") == {first, last}
    assert found("gammadion") == {last}
    assert found("alpharius") == {first}

    set_aliases(memory, [*groups, ["alpharius", "betamax", "gammadion"]])
    assert found("gammadion") == {first, last}


def test_an_own_group_with_a_built_in_word_does_not_reach_the_other_built_in_words(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    chinese = add("部署的约定", hit_words=("约定",), conclusion="见文档。")
    add("Rollout agreed", hit_words=("agreed",), conclusion="See the wiki.")

    set_aliases(memory, [["部署", "golive"]])

    assert ids(ask("golive")) == [chinese]


def test_a_group_that_is_taken_back_finds_no_more(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    add("Alpharius sleeps", hit_words=("sleep",), conclusion="See the wiki.")
    set_aliases(memory, [["alpharius", "betamax"]])
    assert ids(ask("betamax"))

    set_aliases(memory, [])

    assert ids(ask("betamax")) == []
    assert verify_memory(memory) == []


def test_what_is_added_while_groups_are_there_has_their_terms(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    set_aliases(memory, [["alpharius", "betamax"]])
    found = add("Alpharius sleeps", hit_words=("sleep",), conclusion="See the wiki.")

    assert ids(ask("betamax")) == [found]
    rebuild(memory)
    assert ids(ask("betamax")) == [found]
    assert verify_memory(memory) == []


def test_what_is_denied_finds_no_synonym(add: Callable[..., str], ask: Callable[..., Recall]) -> None:
    add("Exports were garbled in Excel", hit_words=("export",))
    add("部署的约定", hit_words=("约定",))
    ide = add("IDE configuration is shared", hit_words=("ide",))

    for prompt in ("do not look up garbling and deployment", "不要查乱码和部署", "don't look up garbling"):
        assert ids(ask(prompt)) == []
    for prompt in (
        "don't change the deployment but check the IDE configuration",
        "不要改部署，但检查 IDE configuration",
    ):
        assert ids(ask(prompt)) == [ide]


def test_the_search_view_shows_the_terms_of_groups(memory: Layout, add: Callable[..., str]) -> None:
    chunk = read_chunk(memory, add("Exports were garbled in Excel", hit_words=("export",)))

    write_json_views(memory, read_directory(memory), [chunk], {}, "digest")

    view = json.loads((Path(memory.index) / SEARCH).read_bytes())
    assert "≈乱码" in view["chunks"][0]["terms"]["synonyms"]

"""Candidates for a prompt: what shares a term or a hit word with it, in either language, and no other record."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hfa_core.index.analyzer import analyze_query
from hfa_core.index.database import Database
from hfa_core.index.search import CANDIDATES, Candidate, search


@pytest.fixture
def ids(add: Callable[..., str]) -> dict[str, str]:
    return {
        "jwt": add("刷新令牌轮换", conclusion="Refresh tokens rotate every 15 minutes.", hit_words=("JWT", "令牌轮换")),
        "gbk": add(
            "中文乱码由 GBK 引起",
            conclusion="读文件时写明 encoding。",
            hit_words=("GBK乱码",),
            paths=("src/io/read.py",),
        ),
        "sql": add("Use SQLite in WAL mode", conclusion="One writer, many readers.", hit_words=("SQLite", "WAL")),
        "cpp": add("C++ builds use clang", conclusion="因为 gcc 慢。", hit_words=("C++",), tags=("build",)),
    }


def candidates(database: Database, prompt: str) -> dict[str, Candidate]:
    return {candidate.id: candidate for candidate in search(database, analyze_query(prompt)).candidates}


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("how do tokens get rotated?", "jwt"),
        ("令牌多久轮换一次？", "jwt"),
        ("the jwt expires", "jwt"),
        ("为什么文件乱码", "gbk"),
        ("open src/io/read.py", "gbk"),
        ("which encoding do readers take", "gbk"),
        ("sqlite 用什么模式", "sql"),
        ("is c++ slow", "cpp"),
        ("clang 构建", "cpp"),
    ],
)
def test_a_prompt_finds_the_record_in_either_language(
    index: Database, ids: dict[str, str], prompt: str, name: str
) -> None:
    assert ids[name] in candidates(index, prompt)


@pytest.mark.parametrize(
    "prompt", ["", "好的，谢谢", "please continue", "deploy to kubernetes", "部署到集群", "!!! ???"]
)
def test_a_prompt_about_nothing_stored_finds_nothing(index: Database, ids: dict[str, str], prompt: str) -> None:
    assert candidates(index, prompt) == {}


def test_a_candidate_says_what_it_shares_with_the_prompt(index: Database, ids: dict[str, str]) -> None:
    found = candidates(index, "JWT 令牌轮换 tokens mystery")[ids["jwt"]]

    assert {"令牌", "牌轮", "轮换", "tokens", "jwt"} <= {unit.shown for unit in found.matched}
    assert "mystery" not in {unit.shown for unit in found.matched}
    assert {unit.shown for unit in found.title_matched} == {"令牌", "牌轮", "轮换"}
    assert set(found.hit_grams) == {"jwt", "令牌轮换"}


def test_a_candidate_counts_the_terms_of_its_parts_apart(index: Database, add: Callable[..., str]) -> None:
    conclusion = "The schedulers schedule fairly, 调度公平公正地进行。\nA scheduler of its own 调度."
    one = add("The fair scheduler 调度", conclusion=conclusion, hit_words=("调度", "x1"))

    found = candidates(index, "is the fair scheduler 公平调度 nowhere")[one]

    assert found.in_title == {"fair": 1, "schedul": 1, "调度": 1}
    assert found.in_lead == {"fair": 1, "schedul": 2, "调度": 1, "公平": 1}
    assert found.in_rest == {"schedul": 1, "调度": 1}
    assert found.counts == {"fair": 4, "schedul": 6, "调度": 6, "公平": 1}
    assert (found.title_terms, found.title_length) == (3, 3)
    assert found.neighbours == (("fair", "schedul"),)
    assert found.characters == 4
    assert found.stop_words == ("the",)


def test_a_rare_word_weighs_more_than_a_common_one(index: Database, add: Callable[..., str]) -> None:
    for number in range(5):
        add(f"部署 deploy {number}")
    add("回滚 rollback deploy")

    found = search(index, analyze_query("deploy rollback mystery"))

    assert found.frequencies == {"deploy": 6, "rollback": 1, "mystery": 0}
    assert found.weights["mystery"] > found.weights["rollback"] > found.weights["deploy"] > 0


def test_very_many_matches_are_cut_to_the_best(index: Database, add: Callable[..., str]) -> None:
    made = [add(f"令牌 token number {number}", hit_words=("令牌",)) for number in range(CANDIDATES + 9)]

    found = candidates(index, "token 令牌")

    assert CANDIDATES <= len(found) <= 2 * CANDIDATES
    assert made[-1] in found


@given(
    st.text(st.characters(codec="utf-8"))
    | st.sampled_from(['" OR 1', "NEAR(a b)", "title_terms:x", "令牌*", "a AND NOT b", "^a", "(", "''; DROP"])
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_no_prompt_is_search_syntax(index: Database, ids: dict[str, str], prompt: str) -> None:
    search(index, analyze_query(prompt + " 令牌 token"))

"""The order of records for a prompt: what each part of a score is worth, in either language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hfa_core.fs.layout import Layout
from hfa_core.index.analyzer import analyze_query
from hfa_core.index.database import open_database
from hfa_core.index.search import search
from hfa_core.recall.rank import order


@pytest.fixture
def ordered(memory: Layout) -> Callable[[str], list[str]]:
    """`ordered("prompt")`: the ids of all candidates, best first."""

    def ask(prompt: str) -> list[str]:
        with open_database(memory) as database:
            return [one.candidate.id for one in order(search(database, analyze_query(prompt)))]

    return ask


@pytest.mark.parametrize(
    ("prompt", "better", "worse"),
    [
        pytest.param(
            "how does the scheduler behave",
            ("The scheduler", "Something is fair."),
            ("Something else", "The scheduler is fair."),
            id="a word in the title",
        ),
        pytest.param(
            "调度器怎么工作",
            ("调度器", "它是公平的。"),
            ("别的东西", "调度器是公平的。"),
            id="a Chinese word in the title",
        ),
        pytest.param(
            "the queue scheduler",
            ("Scheduler queue", "Both are fair."),
            ("Scheduler queue and all other parts of the machine", "Both are fair."),
            id="a title that says nothing else",
        ),
        pytest.param(
            "does the worker retry",
            ("Fairness", "The worker will retry a task that fails.\nNothing else happens here."),
            ("Fairness", "Nothing else happens here, as far as we know.\nThe worker will retry a task that fails."),
            id="the first sentence",
        ),
        pytest.param(
            "what is the connection pool",
            ("Fairness", "There is a connection pool, large enough."),
            ("Fairness", "There is a pool, large enough, with a connection."),
            id="words side by side",
        ),
        pytest.param(
            "caching of answers",
            ("Fairness", "Caching makes answers fast."),
            ("Fairness", "Answers come fast from the parser."),
            id="a stem that both words share",
        ),
    ],
)
def test_of_two_records_the_one_that_is_more_about_the_prompt_comes_first(
    add: Callable[..., str],
    ordered: Callable[[str], list[str]],
    prompt: str,
    better: tuple[str, str],
    worse: tuple[str, str],
) -> None:
    first = add(better[0], conclusion=better[1], hit_words=("w1",))
    second = add(worse[0], conclusion=worse[1], hit_words=("w2",))

    found = ordered(prompt)

    assert found[0] == first
    assert set(found) <= {first, second}


def test_an_exact_hit_word_goes_before_any_number_of_words(
    add: Callable[..., str], ordered: Callable[[str], list[str]]
) -> None:
    worded = add("Login fails after refresh", conclusion="登录 login fails after a refresh.", hit_words=("w1",))
    hit = add("会话 sessions", conclusion="Short ones.", hit_words=("jwt",))

    assert ordered("login fails after refresh of the jwt 登录") == [hit, worded]

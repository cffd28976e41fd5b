from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.memory import Answer
from evaluation.metrics import EvidenceTally, RankingTally, ShownTally, mean_figures, rounded
from evaluation.sets import Question


def ask(relevant: str, *, kind: str = "", forbidden: str = "") -> Question:
    return Question("q", "?", frozenset(relevant), kind=kind, forbidden=frozenset(forbidden))


def test_recall_is_the_share_of_the_relevant_records_not_whether_there_is_one() -> None:
    tally = RankingTally()
    tally.add(ask("abcd"), list("xabyyyyyyd"))
    figures = tally.figures()
    assert [figures[name] for name in ("r1", "r2", "r5", "r10")] == [0, 0.25, 0.5, 0.75]
    assert figures["mrr"] == 0.5


def test_the_gain_counts_places_and_is_one_for_the_best_order() -> None:
    best, second = RankingTally(), RankingTally()
    best.add(ask("ab"), list("bax"))
    second.add(ask("a"), list("xa"))
    assert best.figures()["ndcg10"] == pytest.approx(1)
    assert second.figures()["ndcg10"] == pytest.approx(1 / math.log2(3))


@given(st.permutations("abcdefghijkl"), st.sets(st.sampled_from("abcdefghijkl"), min_size=1))
def test_figures_of_a_ranking_are_shares_that_grow_with_depth(ranked: list[str], relevant: set[str]) -> None:
    tally = RankingTally()
    tally.add(ask("".join(relevant)), ranked)
    shares = [value for value in tally.figures().values() if isinstance(value, float)]
    assert len(shares) == 6
    assert all(0 <= share <= 1 + 1e-9 for share in shares)
    assert shares[:4] == sorted(shares[:4])


def test_questions_without_an_answer_or_about_a_superseded_record_do_not_count_for_the_ranking() -> None:
    tally = RankingTally()
    tally.add(ask("a"), ["a"])
    tally.add(ask(""), ["a"])
    tally.add(ask("b", forbidden="a"), ["a"])
    assert tally.figures()["r1"] == 1


def test_what_was_shown_is_counted_by_what_the_question_wanted() -> None:
    tally = ShownTally()
    tally.add(ask("a"), Answer(("x", "a"), 100, 1.0))
    tally.add(ask("a"), Answer(("x",), 50, 3.0))
    tally.add(ask("a"), Answer((), 0, 2.0))
    tally.add(ask("", kind="neg_far"), Answer((), 0, 2.0))
    tally.add(ask("", kind="neg_near"), Answer(("x",), 50, 2.0))
    tally.add(ask("", kind="neg_near"), Answer((), 0, 2.0))
    tally.add(ask("b", forbidden="a"), Answer(("b",), 40, 2.0))
    tally.add(ask("b", forbidden="a"), Answer(("a",), 40, 2.0))
    assert rounded(tally.figures()) == {
        "answered": 0.667,
        "right2": 0.333,
        "precision": 0.4,
        "fpr": {"neg_far": 0, "neg_near": 0.5},
        "successor2": 0.5,
        "old_shown": 0.5,
        "tokens_per_query": 35.0,
        "p50_ms": 2.0,
        "p95_ms": 2.0,
    }


def test_a_figure_over_nothing_is_none_and_no_mean_counts_it() -> None:
    tally = ShownTally()
    tally.add(ask("a"), Answer(("a",), 10, 1.0))
    without = tally.figures()
    assert without["successor2"] is None
    mean = mean_figures([without, {"successor2": 0.5, "fpr": {"neg_far": 0.25}}, {"fpr": {"neg_far": 0.75}}])
    assert mean["successor2"] == 0.5
    assert mean["fpr"] == {"neg_far": 0.5}


def test_evidence_counts_once_however_many_of_its_turns_rank() -> None:
    tally = EvidenceTally()
    tally.add(frozenset({"s2"}), ["s1", "s1", "s1", "s1", "s1", "s1", "s2"])
    tally.add(frozenset({"s9"}), [f"s{number}" for number in range(1, 9)])
    tally.add(frozenset(), ["s1"])
    assert tally.figures() == {"questions": 2, "any5": 0.5, "any10": 0.5, "mrr": 0.25}

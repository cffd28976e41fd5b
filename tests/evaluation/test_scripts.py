from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.engines import ENGINES
from evaluation.sets import Document

ROOT = Path(__file__).parents[2]
FIGURES = {
    *("r1", "r2", "r5", "r10", "mrr", "ndcg10", "answered", "right2", "precision", "fpr"),
    *("successor2", "old_shown", "tokens_per_query", "p50_ms", "p95_ms"),
}


def run(script: str, *arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == code, done.stderr
    return done


def test_the_tiny_set_is_answered_through_the_public_path(make_set: Callable[..., Path]) -> None:
    found = json.loads(run("retrieval.py", make_set(), "--json").stdout)
    assert set(found) == {"sets", "mean"}
    figures = found["sets"]["tiny"]
    assert set(figures) == FIGURES == set(found["mean"])
    assert figures["r1"] == figures["answered"] == figures["right2"] == figures["precision"] == 1
    assert figures["fpr"] == {"neg_far": 0, "neg_near": 0}
    assert figures["successor2"] == 1
    assert figures["old_shown"] == 0
    assert figures["tokens_per_query"] > 0


def test_a_folder_of_sets_is_taken_and_sets_are_chosen_by_name(make_set: Callable[..., Path]) -> None:
    folder = make_set("one").parent
    make_set("two")
    assert set(json.loads(run("retrieval.py", folder, "--json").stdout)["sets"]) == {"one", "two"}
    assert set(json.loads(run("retrieval.py", folder, "--sets", "two", "--json").stdout)["sets"]) == {"two"}
    assert "no set is called three" in run("retrieval.py", folder, "--sets", "three", code=2).stderr


def test_a_folder_without_a_set_is_an_error_that_says_so(tmp_path: Path) -> None:
    assert "holds no corpus.jsonl and queries.jsonl" in run("retrieval.py", tmp_path, code=2).stderr
    assert "holds no corpus.jsonl and queries.jsonl" in run("baselines.py", tmp_path / "gone", code=2).stderr


def test_the_markdown_table_has_a_row_for_each_set_and_the_mean(make_set: Callable[..., Path]) -> None:
    lines = run("retrieval.py", make_set(), "--markdown").stdout.splitlines()
    assert [line.split(" | ")[0] for line in lines] == ["| set", "| ---", "| tiny", "| mean"]
    assert len({line.count("|") for line in lines}) == 1


def test_locomo_is_also_told_turn_by_turn_with_the_evidence_of_unanswerable_questions(
    make_set: Callable[..., Path],
) -> None:
    corpus = [{"id": "t1", "title": "Ann", "text": "I adopted a puppy."}, {"id": "t2", "text": "Ben plays the cello."}]
    queries: list[dict[str, object]] = [
        {"id": "q1", "query": "who adopted a puppy", "relevant": ["t1"]},
        {
            "id": "q2",
            "query": "when did Ann play the cello",
            "relevant": [],
            "near_miss": ["t2"],
            "kind": "adversarial",
        },
        {"id": "q3", "query": "where is the cello", "relevant": [], "kind": "neg_near"},
    ]
    folder = make_set("locomo", corpus, queries)
    expected = {"questions": 2, "any5": 1.0, "any10": 1.0, "mrr": 1.0}
    assert json.loads(run("retrieval.py", folder, "--json").stdout)["extra"] == {"locomo_turn": expected}
    engines = json.loads(run("baselines.py", folder, "--engines", "lex-tuned", "--json").stdout)["engines"]
    assert engines["lex-tuned"]["extra"] == {"locomo_turn": expected}


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_finds_the_document_that_shares_the_words(engine: str) -> None:
    documents = [
        Document("a", "Token rotation", "The auth service rotates refresh tokens daily."),
        Document("b", "Invoices", "Invoices are archived in cold storage."),
        Document("c", "网关", "网关限流按租户计算。"),
        *(Document(f"x{number}", "Other", f"Another record, number {number}.") for number in range(9)),
    ]
    with ENGINES[engine](documents) as order:
        assert order("refresh tokens")[0] == "a"
        assert order('"archived" OR invoices*')[0] == "b"
        assert order("!? \0") == []
        if engine != "fts5 unicode61":
            assert order("网关限流")[0] == "c"


def test_an_engine_of_another_name_is_refused(make_set: Callable[..., Path]) -> None:
    assert "'tantivy' is none of" in run("baselines.py", make_set(), "--engines", "tantivy", code=2).stderr

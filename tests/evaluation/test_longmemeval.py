from __future__ import annotations

import json
from pathlib import Path

import pytest

import longmemeval

FILLER = [{"role": "user", "content": f"Tell me fact number {number} about whales."} for number in range(12)]
ENTRY = {
    "question_id": "e47becba",
    "question_type": "single-session-user",
    "question": "What degree did I graduate with?",
    "answer": "Business Administration",
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/20 (Sat) 02:57"],
    "haystack_session_ids": ["filler_1", "answer_1"],
    "haystack_sessions": [
        FILLER,
        [
            {"role": "user", "content": "I need help with my calendar.", "has_answer": False},
            {"role": "user", "content": "I graduated with a degree in Business Administration.", "has_answer": True},
            {"role": "assistant", "content": ""},
        ],
    ],
    "answer_session_ids": ["answer_1"],
}
CHINESE = {
    **ENTRY,
    "question_id": "zh_1",
    "question_type": "temporal-reasoning",
    "question": "我什么时候去的鲸鱼馆？",
    "haystack_sessions": [FILLER, [{"role": "user", "content": "上周三去了鲸鱼馆。", "has_answer": True}]],
}


def run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, entries: object, *options: str
) -> dict[str, dict[str, dict[str, float]]]:
    file = tmp_path / "longmemeval_tiny.json"
    file.write_text(json.dumps(entries), encoding="utf-8")
    assert longmemeval.main([str(file), "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


def test_evidence_is_found_by_turn_and_by_session_and_told_by_kind(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = run(capsys, tmp_path, [ENTRY, CHINESE])
    both = {"any5": 1.0, "any10": 1.0, "mrr": 1.0}
    assert found == {
        "all": {"session": {"questions": 2, **both}, "turn": {"questions": 2, **both}},
        "single-session-user": {"session": {"questions": 1, **both}, "turn": {"questions": 1, **both}},
        "temporal-reasoning": {"session": {"questions": 1, **both}, "turn": {"questions": 1, **both}},
    }


def test_a_session_is_ranked_by_its_best_turn_however_many_others_it_has(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    question = {**ENTRY, "question": "Which whales did I mention with my degree?", "question_type": "multi-session"}
    found = run(capsys, tmp_path, [question])
    assert found["all"]["session"]["any5"] == 1.0


def test_questions_without_evidence_are_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    absent = {**ENTRY, "question_id": "e47becba_abs"}
    assert run(capsys, tmp_path, [absent, ENTRY]) == run(capsys, tmp_path, [ENTRY])


def test_a_limit_takes_the_first_questions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert set(run(capsys, tmp_path, [ENTRY, CHINESE], "--limit", "1")) == {"all", "single-session-user"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "cannot be read as JSON"),
        ("{}", "is not a list of questions"),
        ('[{"question_id": "1"}]', "entry 0 has no question and no haystack_session_ids"),
        (json.dumps([{**ENTRY, "haystack_session_ids": ["a"]}]), "entry 0 names 1 sessions and holds 2"),
    ],
)
def test_a_file_that_is_not_of_the_form_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, reason: str
) -> None:
    file = tmp_path / "file.json"
    file.write_text(content, encoding="utf-8")
    assert longmemeval.main([str(file)]) == 2
    assert reason in capsys.readouterr().err

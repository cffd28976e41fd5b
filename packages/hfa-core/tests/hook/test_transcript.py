"""The end of a transcript: its last whole rows, whatever the file holds, and a turn that is stored from them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.hook.transcript import TAIL_BYTES, read_rows
from tests.payloads.claude_hook import ClaudeHook

BLOCK = """Done.

```hfa-memory
title: Retries use full jitter 重试抖动
hit words: backoff, 指数退避
conclusion: At most five attempts. 最多五次。
```
"""


def row(kind: str, *parts: object, message_id: str = "msg_1", **fields: object) -> str:
    message = {"id": message_id, "role": kind, "content": list(parts)}
    return json.dumps({"type": kind, "message": message, **fields}, ensure_ascii=False)


def said(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


@pytest.fixture
def transcript(tmp_path: Path) -> Callable[..., str]:
    """`transcript(row, ...)` writes these lines to a file; its path."""

    def write(*rows: str, end: str = "\n") -> str:
        path = tmp_path / "session.jsonl"
        path.write_text("\n".join(rows) + end, encoding="utf-8")
        return str(path)

    return write


@given(
    st.lists(st.dictionaries(st.text(max_size=4), st.text(max_size=30), min_size=1), max_size=12), st.integers(1, 400)
)
def test_the_tail_is_the_last_rows_that_fit_whole(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, str]], limit: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.jsonl"
    lines = [json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows]
    path.write_bytes(b"".join(lines))

    fitting = next(count for count in range(len(lines), -1, -1) if sum(map(len, lines[len(lines) - count :])) <= limit)
    assert read_rows(str(path), limit) == rows[len(rows) - fitting :]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\n", b"[1]\nnull\n", b'{"a": ', b"{" * 100_000, b"[" * 60_000])
def test_what_is_no_row_is_passed_over(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content + b'\n{"a": 1}\n{"half": ')

    assert read_rows(str(path)) == [{"a": 1}]


def test_a_file_that_is_missing_or_no_file_has_no_rows(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert read_rows(str(tmp_path / "none")) == read_rows(str(tmp_path)) == read_rows(str(tmp_path / "pipe")) == []
    assert read_rows("bad\0name") == []


@pytest.mark.parametrize("sample", ["Stop"])
def test_a_stop_without_a_message_is_stored_from_the_transcript(
    claude: ClaudeHook, stored: Callable[[], list[object]], transcript: Callable[..., str], sample: str
) -> None:
    earlier = row("assistant", said(BLOCK.replace("jitter", "noise")), message_id="msg_0")
    path = transcript(
        earlier,
        row("user", said("next")),
        row("assistant", {"type": "thinking", "thinking": BLOCK}, message_id="msg_2"),
        row("assistant", said(BLOCK), message_id="msg_2"),
        row("assistant", said("a sub-agent"), message_id="msg_3", isSidechain=True),
        json.dumps({"type": "system", "subtype": "turn_duration"}),
        '{"type": "assist',
        end="",
    )

    answer = claude.fire(sample, last_assistant_message=None, transcript_path=path)

    assert answer.reply == {}
    (chunk,) = stored()
    assert getattr(chunk, "title") == "Retries use full jitter 重试抖动"  # noqa: B009


@pytest.mark.parametrize(
    "rows",
    [
        [row("assistant", said(BLOCK)), row("user", said("and then?"))],
        [row("assistant", {"type": "tool_use", "name": "Write", "input": {"content": BLOCK}})],
        [row("assistant", said("x" * TAIL_BYTES + BLOCK))],
    ],
    ids=["answered before the prompt", "only a tool's input", "longer than the tail"],
)
def test_what_is_not_the_turns_last_message_is_not_stored(
    claude: ClaudeHook, stored: Callable[[], list[object]], transcript: Callable[..., str], rows: list[str]
) -> None:
    answer = claude.fire("Stop", last_assistant_message=None, transcript_path=transcript(*rows))

    assert answer.reply == {}
    assert stored() == []


def test_a_message_in_the_payload_has_the_last_word(
    claude: ClaudeHook, stored: Callable[[], list[object]], transcript: Callable[..., str]
) -> None:
    path = transcript(row("assistant", said(BLOCK)))

    claude.fire("Stop", last_assistant_message="Nothing was decided.", transcript_path=path)

    assert stored() == []

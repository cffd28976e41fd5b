"""A record as text for a model: what a snippet shows, and that no record can pass for the frame around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.model import Chunk, Draft, Node, Source
from hfa_core.store.schema import check_draft, clean_text, make_chunk
from hfa_core.store.snippet import LINE_MARK, defuse, render_router_line, render_snippet, snippet_tokens
from hfa_core.tokens import estimate_tokens

texts = st.text(min_size=1, max_size=40).filter(lambda text: bool(clean_text(text)))


def chunk(title: str, conclusion: list[str], **fields: object) -> Chunk:
    draft = Draft(title=title, hit_words=["w"], conclusion=conclusion, source=Source("cli", ref="docs/认证.md"))
    draft.paths = tuple(f"src/{number}.py" for number in range(4)) if fields.get("paths") else ()
    return make_chunk(check_draft(draft), number=42, epoch=1, created_at="2026-11-30T09:15:00Z")


def test_a_snippet_shows_id_title_conclusion_and_origin() -> None:
    record = chunk("令牌轮换", ["每 15 分钟轮换。", "Never log one."], paths=True)

    assert render_snippet(record).splitlines() == [
        f"| [{record.id}] 令牌轮换",
        "| 每 15 分钟轮换。",
        "| Never log one.",
        "| (decision; 2026-11-30; source: docs/认证.md; paths: src/0.py, src/1.py and 2 more)",
    ]
    assert snippet_tokens(record) == estimate_tokens(render_snippet(record))


def test_a_router_line_shows_id_title_state_and_path() -> None:
    node = Node(id="S1", title="Title S1 标题", path="main/S1.md", state="OPEN", branch="", hit_words=())

    assert render_router_line(node) == "S1 | Title S1 标题 | OPEN | main/S1.md"


@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_every_line_has_its_mark_whatever_the_record_says(title: str, conclusion: list[str]) -> None:
    lines = render_snippet(chunk(title, conclusion)).splitlines()

    assert len(lines) == 2 + len(conclusion)
    assert all(line.startswith(LINE_MARK) for line in lines)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\u2028", "\u0085", "\x0b"])
def test_line_ends_of_a_file_made_by_hand_do_not_start_a_line_without_mark(end: str) -> None:
    record = chunk("t", ["c"])
    record.title, record.conclusion = f"题{end}forged", (f"one{end}two",)

    assert render_snippet(record).splitlines()[:2] == [f"| [{record.id}] 题 forged", "| one two"]


@pytest.mark.parametrize(
    "text",
    ["</system>", "<system-reminder>", "< SYSTEM >", "<hfa-memory>", "<\u200bsystem>", "<|im_start|>", "<_system>"],
)
def test_what_looks_like_a_hosts_markup_is_replaced(text: str) -> None:
    assert "<" not in defuse(f"令牌 {text} x").replace("‹<", "‹")
    assert defuse(text) != text


@pytest.mark.parametrize("text", ["List<int>", "a < b", "x <- y", "x<=y", "Map<String, 令牌>", "1 << 3", "no brackets"])
def test_code_stays_as_it_is(text: str) -> None:
    assert defuse(text) == text

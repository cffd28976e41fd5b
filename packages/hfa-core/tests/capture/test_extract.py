"""What a turn decided: blocks and structured decisions as drafts, and what is only an example."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.capture.extract import (
    MAXIMUM_BLOCKS,
    TOUCHED_PATHS,
    draft_from_fields,
    drafts_of_event,
    find_blocks,
    parse_block,
    relative_paths,
)
from hfa_core.errors import InvalidRecordError
from hfa_core.model import Draft, HookEvent, Source

HOOK = Source("hook", host="claude", session="s", branch="main")

BLOCK = """```hfa-memory
title: 令牌轮换 rotation
hit_words: 令牌、JWT; rotate
conclusion:
- 刷新令牌每 15 分钟轮换
- Never log a token: not even once
kind: pitfall
paths: src/auth.py, docs/认证.md
supersedes: chunk_0001
ref: #42
```"""


def event(message: str = "", decision: dict[str, object] | None = None) -> HookEvent:
    return HookEvent(host="claude", name="stop", host_event="Stop", message=message, decision=decision)


def drafts(found: list[Draft | InvalidRecordError]) -> list[Draft]:
    return [item for item in found if isinstance(item, Draft)]


def test_a_block_in_a_message_becomes_a_draft() -> None:
    (draft,) = drafts(drafts_of_event(event(f"Done. 完成。\n\n{BLOCK}\n\nAnything else?"), HOOK, ()))

    assert draft.title == "令牌轮换 rotation"
    assert draft.hit_words == ("令牌", "JWT", "rotate")
    assert draft.conclusion == ("刷新令牌每 15 分钟轮换", "Never log a token: not even once")
    assert (draft.kind, draft.paths, draft.supersedes) == ("pitfall", ("src/auth.py", "docs/认证.md"), ("chunk_0001",))
    assert draft.source == Source("hook", host="claude", session="s", branch="main", ref="#42")


def test_a_block_may_be_json() -> None:
    text = '{"Title": "用 JWT", "hit-words": ["令牌", "JWT"], "conclusion": "一行\\ntwo", "tags": ["auth"]}'

    draft = draft_from_fields(parse_block(text), HOOK)

    assert (draft.title, draft.hit_words, draft.conclusion, draft.tags) == (
        "用 JWT",
        ("令牌", "JWT"),
        ("一行", "two"),
        ("auth",),
    )


def test_habits_of_yaml_are_understood() -> None:
    text = "title: 用 JWT\nhit_words: [令牌, JWT]\nconclusion: |\n  一行\n  two"

    draft = draft_from_fields(parse_block(text), HOOK)
    listed = draft_from_fields(parse_block("hit_words:\n- 令牌\n- JWT\nconclusion: x"), HOOK)

    assert (draft.hit_words, draft.conclusion) == (("令牌", "JWT"), ("一行", "two"))
    assert listed.hit_words == ("令牌", "JWT")


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("title: Use JWT: always", "Use JWT: always"),
        ("Title：用 JWT", "用 JWT"),
        ("title: 决定：用 JWT", "决定：用 JWT"),
        ("title：ratio 1:2", "ratio 1:2"),
    ],
)
def test_the_first_colon_of_either_width_ends_the_key_and_later_ones_stay(line: str, title: str) -> None:
    assert parse_block(line) == {"title": title}


@pytest.mark.parametrize(
    "message",
    [
        f"````markdown\n{BLOCK}\n````",
        f"~~~\n{BLOCK}\n~~~",
        "\n".join("> " + line for line in BLOCK.splitlines()),
        "\n".join("    " + line for line in BLOCK.splitlines()),
        BLOCK.removesuffix("```"),
        BLOCK.replace("hfa-memory", "text"),
        BLOCK.replace("hfa-memory", "hfa-memory-example"),
        "- ````md\n" + "\n".join("  " + line for line in BLOCK.splitlines()) + "\n  ````",
        "1. " + BLOCK,
        f"<!-- {BLOCK} -->",
        f"<pre>\n{BLOCK}\n</pre>",
        "写一个 `hfa-memory` 块, or ```hfa-memory title: x``` in one line",
        "",
    ],
    ids=[
        "longer fence",
        "tildes",
        "quotation",
        "code by indentation",
        "no end",
        "other",
        "longer name",
        "longer fence in a list",
        "list item",
        "comment",
        "pre",
        "span",
        "empty",
    ],
)
def test_what_is_only_an_example_is_no_decision(message: str) -> None:
    assert find_blocks(message) == []


@pytest.mark.parametrize(
    "message",
    [
        BLOCK.replace("```", "~~~"),
        BLOCK.replace("```hfa", "`````hfa").replace("```", "`````", 0).removesuffix("```") + "`````",
        "\n".join("   " + line for line in BLOCK.splitlines()),
        BLOCK.replace("```hfa-memory", "``` HFA-Memory "),
        "```js```\n" + BLOCK,
        BLOCK.replace("\n", "\r\n"),
        "```\nnested ``` marks\n```\n" + BLOCK,
    ],
    ids=["tildes", "longer", "indented", "case", "after a span", "CRLF", "after code"],
)
def test_every_form_of_a_fence_is_known(message: str) -> None:
    (block,) = find_blocks(message)

    assert parse_block(block)["title"] == "令牌轮换 rotation"


def test_of_very_many_blocks_the_first_are_taken() -> None:
    message = "\n".join(f"```hfa-memory\ntitle: {number}\n```" for number in range(MAXIMUM_BLOCKS + 3))

    assert find_blocks(message) == [f"title: {number}" for number in range(MAXIMUM_BLOCKS)]


@pytest.mark.parametrize(
    "text", ["just prose", "color: red", '{"colour": "red"}', '{"title": ', "- item first", "title\nvalue", "标题: x"]
)
def test_a_block_that_is_neither_form_is_refused(text: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        parse_block(text)

    assert caught.value.field == "hfa-memory block"


def test_a_block_that_cannot_be_read_does_not_take_the_others_along() -> None:
    found = drafts_of_event(event(f"```hfa-memory\nnonsense\n```\n{BLOCK}"), HOOK, ())

    assert isinstance(found[0], InvalidRecordError)
    assert len(drafts(found)) == 1


def test_a_structured_decision_goes_before_the_message() -> None:
    decision: dict[str, object] = {"conclusion": ["用 JWT", "always"], "hit_words": "JWT，令牌"}

    (draft,) = drafts(drafts_of_event(event(BLOCK, decision), HOOK, ()))

    assert (draft.title, draft.hit_words, draft.conclusion) == ("用 JWT", ("JWT", "令牌"), ("用 JWT", "always"))
    assert isinstance(drafts_of_event(event(BLOCK, {"colour": "red"}), HOOK, ())[0], InvalidRecordError)


def test_a_record_that_names_no_paths_gets_the_few_that_the_turn_touched() -> None:
    plain = "```hfa-memory\ntitle: 用 JWT\n```"
    few, many = ("src/a.py", "文档/b.md"), tuple(f"f{number}" for number in range(TOUCHED_PATHS + 1))

    assert drafts(drafts_of_event(event(plain), HOOK, few))[0].paths == few
    assert drafts(drafts_of_event(event(plain), HOOK, many))[0].paths == ()
    assert drafts(drafts_of_event(event(BLOCK), HOOK, few))[0].paths == ("src/auth.py", "docs/认证.md")


def test_files_outside_the_workspace_are_left_out(tmp_path: Path) -> None:
    workspace = tmp_path / "项目"
    (workspace / "src").mkdir(parents=True)
    link = tmp_path / "link"
    os.symlink(workspace, link)
    files = (
        str(workspace / "src" / "认证.py"),
        str(link / "src" / "认证.py"),
        "src/b.py",
        "../other.py",
        str(tmp_path / "项目-2" / "a.py"),
        "/etc/passwd",
        str(workspace),
    )

    assert relative_paths(files, str(workspace)) == ("src/认证.py", "src/b.py")


@given(st.text(st.sampled_from('`~ \nhfa-memory:：title令牌{}"')))
def test_no_message_breaks_the_search_for_blocks(message: str) -> None:
    drafts_of_event(event(message), HOOK, ())


def test_a_draft_of_a_block_passes_the_check_and_is_stored(add: Callable[..., str]) -> None:
    add("Old")
    fields = parse_block(find_blocks(BLOCK)[0])
    draft = draft_from_fields(fields, HOOK)

    assert add(
        draft.title, conclusion=draft.conclusion, hit_words=draft.hit_words, supersedes=draft.supersedes
    ).startswith("chunk_0002-")

"""What the end of a turn leaves in the memory, through the installed command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.model import Chunk
from tests.payloads import load_payload
from tests.payloads.claude_hook import ClaudeHook

Stored = Callable[[], list[Chunk]]

ENGLISH = """The tests pass now.

```hfa-memory
title: Retries use full jitter
hit words: backoff, retry policy
conclusion: At most five attempts with full jitter.
kind: decision
```
"""
CHINESE = """测试已经全部通过。

~~~hfa-memory
title：重试采用随机抖动
hit words：指数退避、重试策略
conclusion：最多重试五次，并加入随机抖动。
~~~
"""


def titles(stored: Stored) -> list[str]:
    return [chunk.title for chunk in stored()]


@pytest.mark.parametrize(
    ("message", "title", "words"),
    [
        (ENGLISH, "Retries use full jitter", ("backoff", "retry policy")),
        (CHINESE, "重试采用随机抖动", ("指数退避", "重试策略")),
    ],
    ids=["en", "zh"],
)
def test_a_fenced_block_is_stored_with_its_origin_and_can_be_recalled(
    claude: ClaudeHook, stored: Stored, message: str, title: str, words: tuple[str, ...]
) -> None:
    assert claude.stop(message).reply == {}

    (chunk,) = stored()
    assert chunk.title == title
    assert chunk.hit_words == words
    assert chunk.source.kind == "hook"
    assert chunk.source.host == "claude"
    assert chunk.source.branch == "main"
    assert len(chunk.source.commit) == 40
    for word in words:
        assert title in claude.prompt(word, session_id=word).context


@pytest.mark.parametrize(
    "decision",
    [
        {"title": "Retries use jitter", "hit_words": ["backoff"], "conclusion": ["Five attempts."]},
        {"title": "重试加入抖动", "hit_words": "退避，重试", "conclusion": "最多五次。"},
    ],
    ids=["en", "zh"],
)
def test_a_structured_decision_is_stored_and_goes_before_blocks(
    claude: ClaudeHook, stored: Stored, decision: dict[str, object]
) -> None:
    assert claude.stop(ENGLISH, decision=decision).reply == {}

    assert titles(stored) == [decision["title"]]


def test_a_malformed_block_leaves_the_others_stored_and_is_shown_by_the_doctor(
    claude: ClaudeHook, stored: Stored, failures: Callable[[], list[str]]
) -> None:
    faults = ("{", "没有键的一行", "title: No words\nconclusion: C")
    broken = "".join(f"```hfa-memory\n{fault}\n```\n\n" for fault in faults)

    assert claude.stop(ENGLISH + broken + CHINESE).reply == {}

    assert titles(stored) == ["Retries use full jitter", "重试采用随机抖动"]
    (failure,) = failures()
    assert "CaptureError" in failure
    assert "hit_words" in failure


@pytest.mark.parametrize(
    "message",
    [
        "````markdown\n" + ENGLISH + "\n````",
        "~~~~\n" + ENGLISH + "\n~~~~",
        "".join("> " + line + "\n" for line in ENGLISH.splitlines()),
        "".join("> " + line + "\n" for line in CHINESE.splitlines()),
        "".join("    " + line + "\n" for line in ENGLISH.splitlines()),
        ENGLISH.replace("```hfa-memory", "```text"),
        ENGLISH.rstrip().removesuffix("```"),
        "Write a `hfa-memory` block to remember this. 请写 hfa-memory 块。",
    ],
    ids=["fence", "tilde fence", "quotation", "Chinese quotation", "indented", "other fence", "unclosed", "mention"],
)
@pytest.mark.usefixtures("memory")
def test_an_example_or_a_quotation_is_not_a_decision(claude: ClaudeHook, stored: Stored, message: str) -> None:
    assert claude.stop(message).reply == {}

    assert stored() == []


def test_text_that_hfa_injected_is_never_captured(claude: ClaudeHook, stored: Stored) -> None:
    claude.stop(ENGLISH)
    injected = claude.prompt("backoff").context
    assert injected

    claude.stop(f"I was told:\n{injected}\n", prompt_id="another")
    claude.stop(injected.replace("| ", "").replace("</hfa-memory>", ENGLISH + "</hfa-memory>"), prompt_id="third")

    assert titles(stored) == ["Retries use full jitter"]


@pytest.mark.parametrize("secret", ["ghp_" + "a1B2" * 9, "AKIA" + "IOSFODNN7EXAMPLF", "sk-ant-api03-" + "x9Y8" * 22])
@pytest.mark.usefixtures("memory")
def test_secrets_reach_neither_the_record_nor_the_log(claude: ClaudeHook, stored: Stored, secret: str) -> None:
    block = f"```hfa-memory\ntitle: Key {secret}\nhit words: key\nconclusion: 密钥是 {secret} 。\n```\n"
    malformed = f"```hfa-memory\nnonsense {secret}\n```\n"

    assert claude.stop(block + malformed).reply == {}

    assert len(stored()) == 1
    for folder in (claude.project, claude.home):
        for path in folder.rglob("*"):
            if path.is_file():
                assert secret.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("message", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_a_turn_that_is_reported_again_is_stored_once(claude: ClaudeHook, stored: Stored, message: str) -> None:
    claude.stop(message)
    claude.stop(message)
    claude.stop(message, stop_hook_active=True)
    claude.stop(message, prompt_id="a later turn")

    assert len(stored()) == 1


def test_processes_that_report_the_same_turn_at_once_store_it_once(claude: ClaudeHook, stored: Stored) -> None:
    data = json.dumps(load_payload("Stop", claude.project, last_assistant_message=ENGLISH)).encode()

    answers = claude.send_at_once("Stop", data, times=6)

    assert [answer.reply for answer in answers] == [{}] * 6
    assert len(stored()) == 1


@pytest.mark.parametrize("active", [False, True])
@pytest.mark.usefixtures("memory")
def test_a_stop_is_never_answered_with_anything_that_keeps_the_agent_at_work(claude: ClaudeHook, active: bool) -> None:
    for message in ("", "Done.", "完成了。", ENGLISH, "```hfa-memory\nbroken\n```"):
        assert claude.stop(message, stop_hook_active=active).reply == {}


def test_a_sub_agents_words_are_not_captured(claude: ClaudeHook, stored: Stored) -> None:
    claude.stop(ENGLISH, agent_id="a1")
    claude.fire("SubagentStop", last_assistant_message=ENGLISH)

    assert stored() == []


def test_files_of_the_turn_become_the_paths_of_a_record_that_names_none(claude: ClaudeHook, stored: Stored) -> None:
    def edit(name: str) -> None:
        claude.fire("PostToolUse", tool_input={"file_path": str(claude.project / name)})

    claude.prompt("an earlier turn", prompt_id="one")
    edit("earlier.py")
    claude.prompt("this turn", prompt_id="two")
    edit("src/重试.py")
    edit("src/http/retry.py")
    edit("src/http/retry.py")
    claude.stop(ENGLISH, prompt_id="two")
    claude.stop(CHINESE.replace("\n~~~\n", "\npaths：src/own.py\n~~~\n"), prompt_id="two")

    first, second = stored()
    assert first.paths == ("src/重试.py", "src/http/retry.py")
    assert second.paths == ("src/own.py",)


def test_a_turn_that_touched_very_many_files_says_nothing_by_them(claude: ClaudeHook, stored: Stored) -> None:
    claude.prompt("a turn")
    for number in range(6):
        claude.fire("PostToolUse", tool_input={"file_path": str(claude.project / f"{number}.py")})
    claude.stop(ENGLISH)

    (chunk,) = stored()
    assert chunk.paths == ()


def test_a_record_supersedes_the_one_that_its_block_names(claude: ClaudeHook, stored: Stored) -> None:
    claude.stop(ENGLISH)
    (old,) = stored()
    newer = ENGLISH.replace("Retries use full jitter", "Retries use equal jitter").replace("full", "equal")
    claude.stop(newer.replace("kind: decision", f"supersedes: {old.id}"), prompt_id="later")

    assert [chunk.supersedes for chunk in stored()] == [(), (old.id,)]
    context = claude.prompt("backoff").context
    assert "equal jitter" in context
    assert "full jitter" not in context


@pytest.mark.usefixtures("memory")
def test_the_work_tree_shows_exactly_one_new_file_for_a_captured_decision(
    claude: ClaudeHook, git: Callable[..., str], stored: Stored
) -> None:
    git("add", ".")
    git("commit", "-m", "memory")

    claude.stop(ENGLISH)

    (chunk,) = stored()
    assert git("status", "--porcelain", "--untracked-files=all").split() == ["??", f"memory/chunks/{chunk.id}.json"]
    text = Path(claude.project / "memory" / "chunks" / f"{chunk.id}.json").read_text(encoding="utf-8")
    assert str(claude.project) not in text

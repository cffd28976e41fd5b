"""What a prompt finds, what it must not find, and in which order, over real files and a real index."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hfa_core.errors import MemoryDamagedError, UnlockReasonError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import Database, open_database
from hfa_core.index.rebuild import rebuild
from hfa_core.index.sync import sync
from hfa_core.model import Node
from hfa_core.recall.recall import Request, recall
from hfa_core.recall.result import HIT, NONE, Recall
from hfa_core.recall.unlock import note_unlock
from hfa_core.store.chunks import read_chunk
from hfa_core.store.config import read_config
from hfa_core.store.directory import ACTIVE, OPEN, TOMBSTONED, Directory, read_directory, render_directory
from hfa_core.store.schema import digest_of
from hfa_core.store.snippet import render_snippet
from hfa_core.tokens import estimate_tokens

FOLDER = Path(__file__).parent
RECORDS: list[dict[str, str]] = json.loads((FOLDER / "records.json").read_text(encoding="utf-8"))
CHATTER = (FOLDER / "chatter.txt").read_text(encoding="utf-8").splitlines()


def ids(answer: Recall) -> list[str]:
    return [item.id for item in answer.selected]


def titles(answer: Recall) -> list[str]:
    return [item.title for item in answer.selected]


def edit(memory: Layout, chunk_id: str, **fields: object) -> None:
    """Change a chunk file by hand and give it the digest that fits, as a pull request could."""
    path = Path(memory.chunk(chunk_id))
    content: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    content.update(fields)
    content["digest"] = digest_of(content)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def add_node(memory: Layout, node_id: str, state: str = OPEN, hit_words: tuple[str, ...] = ()) -> None:
    """Add a row to L0; a further M node is not the active one."""
    directory = read_directory(memory)
    (Path(memory.root) / "branches" / f"{node_id}.md").touch()
    node = Node(
        id=node_id, title=f"Node {node_id}", path=f"branches/{node_id}.md", state=state, branch="", hit_words=hit_words
    )
    Path(memory.directory).write_text(render_directory(Directory((*directory.nodes, node))), encoding="utf-8")


# --- finding ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("record", RECORDS, ids=[record["title"] for record in RECORDS])
def test_a_question_in_other_words_finds_its_record_first_among_fifty(
    ask_fifty: Callable[..., Recall], record: dict[str, str]
) -> None:
    assert titles(ask_fifty(record["ask"]))[:1] == [record["title"]]


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("又是gbk的问题", "GBK乱码问题的根因是导出时没有写入BOM"),
        ("gbk", "GBK乱码问题的根因是导出时没有写入BOM"),
        ("乱码", "GBK乱码问题的根因是导出时没有写入BOM"),
        ("itgc", "用itgc生成报告需要先冻结账期"),
        ("ITGC 是什么", "用itgc生成报告需要先冻结账期"),
        ("怎么用ITGC生成报告", "用itgc生成报告需要先冻结账期"),
        ("验签", "回调请求要校验签名"),
        ("我们的限流怎么做的", "限流统一在网关层实现"),
        ("幂等", "消息消费者处理完成后才提交位点"),
        ("E0382", "Error E0382 in the parser came from a moved buffer"),
        ("userservice.getbyid", "UserService.getById caches for 60 seconds"),
        ("what does deploy/vault-agent.hcl configure", "Secrets come from Vault through a sidecar"),
    ],
)
def test_short_words_glued_words_and_identifiers_find_their_record(
    ask_fifty: Callable[..., Recall], prompt: str, title: str
) -> None:
    assert title in titles(ask_fifty(prompt))


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("token bucket", "TOKEN BUCKET"),
        ("ＨＭＡＣ", "hmac"),
        ("HMAC", "ｈｍａｃ"),
        ("café", "CAFÉ"),
        ("刷新令牌", "请问刷新令牌呢"),
        ("ﾊﾝｶｸ", "ハンカク"),
        ("Straße", "STRASSE"),
    ],
)
def test_width_and_case_make_no_difference(
    add: Callable[..., str], ask: Callable[..., Recall], stored: str, asked: str
) -> None:
    found = add("Something agreed", hit_words=(stored,), conclusion="A line without that word.")
    add("Another thing", hit_words=("other",), conclusion="Another line.")

    assert ids(ask(asked)) == [found]


def test_an_exact_hit_word_outranks_a_larger_overlap(add: Callable[..., str], ask: Callable[..., Recall]) -> None:
    exact = add("Sessions", hit_words=("sliding window",), conclusion="They end after an hour.")
    add(
        "Window size of the request limiter",
        hit_words=("limiter",),
        conclusion="The request limiter counts requests in a window that is sliding over a minute.",
    )

    assert ids(ask("does the request limiter use a sliding window"))[0] == exact


def test_an_exact_chinese_hit_word_outranks_a_larger_overlap(
    add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    exact = add("会话时长", hit_words=("滑动窗口",), conclusion="一小时后结束。")
    add("请求计数的窗口大小", hit_words=("计数器",), conclusion="请求计数器在窗口内滑动统计请求数量。")

    assert ids(ask("请求计数用不用滑动窗口"))[0] == exact


@pytest.mark.parametrize(
    ("word", "prompt"), [("compression", "compression of snapshots"), ("压缩", "快照压缩")], ids=["en", "zh"]
)
def test_a_word_in_the_title_beats_the_same_word_in_the_body(
    add: Callable[..., str], ask: Callable[..., Recall], word: str, prompt: str
) -> None:
    in_title = add(f"{word} 快照 snapshots", hit_words=("alpha",), conclusion="The first of two lines 甲.")
    add("Something 甲 else", hit_words=("beta",), conclusion=f"{word} 快照 snapshots, first of two lines.")

    assert ids(ask(prompt))[0] == in_title


def test_a_rare_word_beats_a_common_one(add: Callable[..., str], ask: Callable[..., Recall]) -> None:
    for number in range(12):
        add(f"Service number {number}", hit_words=(f"word{number}",), conclusion=f"The service has port {number}.")
    rare = add("Zookeeper ensemble", hit_words=("quorum",), conclusion="Three of them.")

    assert ids(ask("which service uses zookeeper"))[0] == rare


def test_of_equal_records_the_newer_comes_first_however_many_there_are(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    made = [
        add(f"Cache size {number:02d}", hit_words=(f"w{number:02d}",), conclusion=f"Cache size is set {number:02d}.")
        for number in range(40)
    ]
    expected = [made[-1], made[-2]]

    assert ids(ask("what is the cache size")) == expected
    rebuild(memory)
    assert ids(ask("what is the cache size")) == expected


def test_never_more_than_two_records_are_selected_and_the_others_are_named(
    add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    for number in range(6):
        add(f"Queue limit {number}", hit_words=("queue limit",), conclusion=f"The queue limit is {number}. 队列上限")

    answer = ask("queue limit 队列上限")

    assert len(answer.selected) == 2
    assert answer.status == HIT
    assert answer.deferred
    assert not {item.id for item in answer.deferred} & set(ids(answer))


# --- missing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prompt", CHATTER)
def test_chatter_and_off_topic_prompts_recall_nothing(ask_fifty: Callable[..., Recall], prompt: str) -> None:
    answer = ask_fifty(prompt)

    assert (answer.status, titles(answer), answer.recall_text, answer.recall_tokens) == (NONE, [], "", 0)


def test_there_are_enough_chatter_prompts_in_both_languages() -> None:
    chinese = [prompt for prompt in CHATTER if any("\u4e00" <= character <= "\u9fff" for character in prompt)]

    assert len(CHATTER) >= 60
    assert len(set(CHATTER)) == len(CHATTER)
    assert len(chinese) >= 30
    assert len(CHATTER) - len(chinese) >= 30


def test_an_empty_memory_recalls_nothing(ask: Callable[..., Recall]) -> None:
    for prompt in ("", "anything at all", "任何事情"):
        assert ask(prompt).status == NONE


# --- focus -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("node", [("S1", OPEN), ("M2", OPEN), ("S9", TOMBSTONED), ("M3", TOMBSTONED)])
def test_a_record_of_another_node_is_deferred_with_id_title_and_reason_and_opens_with_a_reason(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall], node: tuple[str, str]
) -> None:
    add_node(memory, node[0])
    other = add("Chart colours 图表配色", hit_words=("palette", "配色"), conclusion="SECRET-BODY", node=node[0])
    text = Path(memory.directory).read_text(encoding="utf-8")
    Path(memory.directory).write_text(text.replace(OPEN, node[1]), encoding="utf-8")

    for prompt in ("which palette for charts", "图表用什么配色"):
        closed = ask(prompt)
        assert closed.status == NONE
        assert [(item.id, item.title) for item in closed.deferred] == [(other, "Chart colours 图表配色")]
        assert node[0] in closed.deferred[0].reason
        assert "SECRET-BODY" not in json.dumps(closed.as_json())
        assert set(closed.as_json()["deferred"][0]) == {"id", "title", "reason"}  # type: ignore[index]

        opened = ask(prompt, unlock="comparing")
        assert ids(opened) == [other]
        assert "SECRET-BODY" in opened.recall_text


def test_a_profile_record_is_always_in_focus(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    add_node(memory, "P1")
    profile = add("Answers in Chinese 用中文回答", hit_words=("language", "中文"), conclusion="Always.", node="P1")

    assert ids(ask("which language")) == [profile]
    assert ids(ask("用中文吗")) == [profile]


@pytest.mark.parametrize("reason", ["", " ", "\n\t", "\u3000", "\x00"])
def test_a_blank_reason_to_unlock_is_refused(ask: Callable[..., Recall], reason: str) -> None:
    with pytest.raises(UnlockReasonError):
        ask("anything", unlock=reason)


def test_an_unlock_leaves_one_audit_line_with_time_reason_and_ids(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    add_node(memory, "S1")
    other = add("Chart colours", hit_words=("palette",), node="S1")
    answer = ask("palette", unlock="compare\nthem 比较")

    note_unlock(memory, "compare\nthem 比较", answer, now=0.0)

    lines = Path(memory.access_log).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"time": "1970-01-01T00:00:00Z", "reason": "compare them 比较", "ids": [other]}
    ]


def test_the_router_text_names_the_nodes_of_hits_and_of_hit_words_within_its_budget(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    add_node(memory, "S1", hit_words=("billing", "计费"))
    add("Refresh tokens", hit_words=("refresh token",))

    assert ask("refresh token").router_text == "M1 | Project | ACTIVE | main/M1.md"
    for prompt in ("billing", "计费模块"):
        answer = ask(prompt)
        assert answer.router_text == "S1 | Node S1 | OPEN | branches/S1.md"
        assert estimate_tokens(answer.router_text) <= answer.router_tokens <= 600


def test_a_directory_without_an_active_line_is_an_error_that_names_the_file(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    add("Refresh tokens", hit_words=("refresh token",))
    text = Path(memory.directory).read_text(encoding="utf-8")
    Path(memory.directory).write_text(text.replace(ACTIVE, OPEN), encoding="utf-8")

    with pytest.raises(MemoryDamagedError, match=r"directory\.md"):
        ask("refresh token")


# --- dead decisions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prompt", ["which message broker", "消息中间件用哪个"])
@pytest.mark.parametrize("unlock", [None, "looking back"])
def test_a_superseded_record_is_never_returned_but_leads_to_the_end_of_its_chain(
    add: Callable[..., str], ask: Callable[..., Recall], prompt: str, unlock: str | None
) -> None:
    words = ("message broker", "消息中间件")
    first = add("Broker is RabbitMQ", hit_words=words, conclusion="RabbitMQ.")
    second = add("Broker is Kafka", hit_words=words, conclusion="Kafka.", supersedes=(first,))
    third = add("Events go through NATS", hit_words=("events",), conclusion="NATS.", supersedes=(second,))

    answer = ask(prompt, unlock=unlock)

    assert ids(answer) == [third]
    assert any(first in reason or second in reason for reason in answer.selected[0].match)
    assert not {first, second} & {item.id for item in answer.deferred}
    assert "RabbitMQ" not in answer.recall_text
    assert "Kafka" not in answer.recall_text


def test_two_successors_of_one_record_are_both_shown_and_said_to_be_disputed(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    first = add("Broker is RabbitMQ", hit_words=("message broker",), conclusion="RabbitMQ.")
    left = add("Events use Kafka", hit_words=("kafka",), conclusion="Kafka.", supersedes=(first,))
    right = add("Events use NATS", hit_words=("nats",), conclusion="NATS.")
    # As after a merge of two branches: no command writes a second successor.
    edit(memory, right, supersedes=[first])

    for prompt in ("which message broker", "kafka", "nats"):
        answer = ask(prompt)
        assert sorted(ids(answer)) == sorted([left, right])
        assert all("disputed" in " ".join(item.match) for item in answer.selected)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_a_cycle_made_by_hand_returns_nothing_of_it_and_ends(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall], size: int
) -> None:
    made = [add(f"Broker {number}", hit_words=("message broker",)) for number in range(size)]
    for position, chunk_id in enumerate(made):
        edit(memory, chunk_id, supersedes=[made[(position + 1) % size]])

    assert ask("message broker").selected == ()


def test_a_damaged_successor_does_not_revive_what_it_replaced(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    first = add("Broker is RabbitMQ", hit_words=("message broker",))
    second = add("Broker is Kafka", hit_words=("message broker",), supersedes=(first,))
    path = Path(memory.chunk(second))
    path.write_text(path.read_text(encoding="utf-8").replace("Kafka", "Pulsar"), encoding="utf-8")

    assert ask("message broker").selected == ()


def test_an_edited_chunk_is_never_returned_as_current(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    found = add("Refresh tokens", hit_words=("refresh token",), conclusion="Every 24 hours.")
    assert ids(ask("refresh token")) == [found]
    path = Path(memory.chunk(found))
    stat = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace("24", "99"), encoding="utf-8")
    # Not even where the file's time and size say that nothing happened.
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    answer = ask("refresh token")

    assert answer.selected == ()
    assert "99" not in answer.recall_text


def test_a_record_in_the_sessions_context_is_deferred_and_makes_room_for_the_next(
    add: Callable[..., str], ask: Callable[..., Recall]
) -> None:
    made = [add(f"Queue limit {number}", hit_words=("queue limit",)) for number in range(3)]
    first = ask("queue limit")
    assert ids(first) == [made[2], made[1]]

    second = ask("queue limit", in_context=frozenset(ids(first)))

    assert ids(second) == [made[0]]
    assert {item.id for item in second.deferred} == {made[2], made[1]}
    assert ask("queue limit", in_context=frozenset(made)).status == NONE


# --- budgets ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_for_every_budget_the_text_fits_and_holds_whole_snippets_only(
    memory: Layout, add: Callable[..., str], ask: Callable[..., Recall], seed: int
) -> None:
    chance = random.Random(seed)
    words = ["rotate", "token", "缓存", "接口重试", "deadline", "x" * 30, "日志", "E0382", "{json}", "😀"]
    for number in range(5):
        line = " ".join(chance.choices(words, k=chance.randint(1, 25)))
        add(f"Limit {number}", hit_words=("limit", "上限"), conclusion=(f"limit 上限 {line}", line))
    # Every record that a budget of 600 lets in fits somewhere between 1 and 200, or nowhere.
    config = json.loads(Path(memory.config).read_text(encoding="utf-8"))
    seen: set[int] = set()
    for budget in range(1, 201):
        Path(memory.config).write_text(json.dumps({**config, "recall_budget": budget}), encoding="utf-8")
        answer = ask("limit 上限")
        snippets = [render_snippet(read_chunk(memory, chunk_id)) for chunk_id in ids(answer)]
        assert answer.recall_text == "\n".join(snippets)
        assert estimate_tokens(answer.recall_text) <= answer.recall_tokens <= budget
        seen.add(len(snippets))
    assert 0 in seen
    assert len(seen) > 1


# --- the same again --------------------------------------------------------------------------------------------


def test_the_same_memory_gives_the_same_bytes_fifty_times_and_after_a_rebuild(
    fifty: Layout, ask_fifty: Callable[..., Recall]
) -> None:
    prompts = [record["ask"] for record in RECORDS[::7]]
    first = [json.dumps(ask_fifty(prompt).as_json()) for prompt in prompts]

    def again() -> list[str]:
        with open_database(fifty) as database:
            directory = read_directory(fifty)
            sync(database, directory)
            config = read_config(fifty)
            answers = [recall(database, directory, config, Request(prompt)) for prompt in prompts]
        return [json.dumps(answer.as_json()) for answer in answers]

    for _ in range(50):
        assert again() == first
    rebuild(fifty)
    assert again() == first
    os.unlink(fifty.database)
    assert again() == first


# --- any text --------------------------------------------------------------------------------------------------

SYNTAX = [
    '"', '""', '"""', "'", "''", "*", "a*", "^a", "a^b", "-a", "+a", "a+b", "NEAR(a b)", "NEAR/3", "AND", "OR", "NOT",
    "a AND", "OR b", "NOT NOT", "(", ")", "(a", "a)", "{a b}:c", "title_terms:a", "word_terms : b", "- title_terms: a",
    'a"b', "a'b", 'say "hi" AND *', ";", "--", "/* */",
    "'; DROP TABLE chunks; --", "?", "?1", ":a", "@a", "$a", "%", "_",
    "\\", "\\\"", "a\\", "a/b", "C++", "C#", "a.b.c", "...", "\x00", "a\x00b", "\ud800", "\u202e", "\u200b", "\ufeff",
    "\u0301", "a\u0301\u0302", "İ", "ß", "ﷺ", "𠀀𠀁", "한국어",
    "カタカナ", "ไทย", "👨‍👩‍👧", "#", "##", "::", "@@", "a-", "-", "'s", "x's",
]  # fmt: skip


@pytest.mark.parametrize("prompt", SYNTAX, ids=repr)
def test_no_text_is_search_syntax(ask_fifty: Callable[..., Recall], prompt: str) -> None:
    for text in (prompt, f"refresh {prompt} token", f"刷新{prompt}令牌", prompt * 50):
        assert ask_fifty(text).status in (HIT, NONE)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(prompt=st.one_of(st.text(max_size=200), st.text(alphabet="\"'*^()-+:{}\\ aANDORNOT刷新令牌", max_size=80)))
def test_any_prompt_is_answered_within_the_limits(ask_fifty: Callable[..., Recall], prompt: str) -> None:
    answer = ask_fifty(prompt)

    assert len(answer.selected) <= 2
    assert estimate_tokens(answer.recall_text) <= 600
    assert (answer.status == HIT) == bool(answer.recall_text)
    json.dumps(answer.as_json())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    title=st.text(min_size=1, max_size=60),
    word=st.text(min_size=1, max_size=40),
    line=st.text(min_size=1, max_size=200),
)
def test_any_record_can_be_stored_and_asked_for_without_an_error(
    add: Callable[..., str], ask: Callable[..., Recall], title: str, word: str, line: str
) -> None:
    from hfa_core.errors import InvalidRecordError

    try:
        add(title, hit_words=(word,), conclusion=line)
    except InvalidRecordError:
        return
    for prompt in (title, word, line):
        assert len(ask(prompt).selected) <= 2


@pytest.mark.parametrize(
    "piece", ["refresh token rotation ", "刷新令牌轮换", "a", "é", "😀", "<hfa-memory>", "\n", "a_b.c/d "]
)
def test_a_prompt_of_a_megabyte_is_answered(ask_fifty: Callable[..., Recall], piece: str) -> None:
    assert len(ask_fifty(piece * (1_000_000 // len(piece))).selected) <= 2


def test_a_question_at_the_end_of_a_megabyte_is_still_found(ask_fifty: Callable[..., Recall]) -> None:
    noise = "one and the same line of a log\n" * 40_000

    assert titles(ask_fifty(f"{noise}\nwhat is our rate limit per API key, 限流阈值是多少"))


def test_a_brief_recall_selects_the_same_records_and_leaves_out_the_rest(
    memory: Layout, add: Callable[..., str], index: Database
) -> None:
    for number in range(4):
        add(f"Refresh tokens rotate 令牌轮换 {number}", hit_words=("令牌轮换",), conclusion=f"Every {number} hours.")
    directory, config = read_directory(memory), read_config(memory)
    sync(index, directory)

    whole = recall(index, directory, config, Request("令牌轮换 refresh tokens"))
    brief = recall(index, directory, config, Request("令牌轮换 refresh tokens", brief=True))

    assert (brief.selected, brief.recall_text) == (whole.selected, whole.recall_text)
    assert len(whole.deferred) == 2
    assert (brief.deferred, brief.router_text) == ((), "")

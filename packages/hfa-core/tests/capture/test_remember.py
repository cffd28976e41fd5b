"""Storing one record once: what is a duplicate, what is refused, and what many writers at once leave behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.capture.remember import Remembered, redact_draft, refuse_if_off, remember, request_id_of
from hfa_core.errors import (
    InvalidRecordError,
    JournalError,
    LockTimeoutError,
    MemoryOffError,
    NodeError,
    RequestConflictError,
    SupersedeError,
)
from hfa_core.fs.layout import Layout
from hfa_core.fs.lock import MemoryLock
from hfa_core.index.database import Database
from hfa_core.index.rebuild import rebuild
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft, Source
from hfa_core.store.chunks import id_of_file, list_files, parse_id, read_chunk
from hfa_core.store.directory import read_directory, render_directory
from hfa_core.store.schema import make_chunk, render_chunk

NOW = 1_790_000_000.0


def set_config(memory: Layout, **keys: object) -> None:
    content = json.loads(Path(memory.config).read_bytes())
    Path(memory.config).write_text(json.dumps({**content, **keys}), encoding="utf-8")


def add_node(memory: Layout, row: str) -> None:
    text = render_directory(read_directory(memory))
    Path(memory.directory).write_text(text + row + "\n", encoding="utf-8")


def count(memory: Layout) -> int:
    return len(list_files(memory))


def test_a_record_is_stored_as_the_author_said_it(memory: Layout, draft: Callable[..., Draft]) -> None:
    given = draft(
        "令牌轮换 rotation",
        conclusion=("刷新令牌每 15 分钟轮换。", "Never log a token."),
        hit_words=("令牌", "JWT", "jwt"),
        source=Source("cli", ref="docs/认证.md", branch="main", commit="abc123"),
        kind="project-convention",
        paths=("src/auth/jwt.py",),
        tags=("auth",),
        request_id="r-1",
    )

    done = remember(memory, given, now=NOW)

    chunk = read_chunk(memory, done.id)
    assert not done.duplicate
    assert (chunk.title, chunk.conclusion, chunk.hit_words) == (given.title, given.conclusion, ("令牌", "JWT"))
    assert (chunk.kind, chunk.paths, chunk.tags, chunk.source) == (given.kind, given.paths, given.tags, given.source)
    assert (chunk.node, chunk.epoch, chunk.scope, chunk.request_id) == ("M1", 1, "project", "r-1")
    assert chunk.created_at == "2026-09-21T14:13:20Z"
    assert Path(memory.chunk(done.id)).read_bytes() == render_chunk(chunk)


def test_ids_count_up_and_end_in_the_digest(memory: Layout, add: Callable[..., str]) -> None:
    ids = [add(title) for title in ("令牌轮换", "Use SQLite", "Tabs not blanks")]

    assert [parse_id(chunk_id) for chunk_id in ids] == [
        (number, read_chunk(memory, chunk_id).digest[:6]) for number, chunk_id in enumerate(ids, 1)
    ]


def test_ids_are_bare_where_the_config_says_so(memory: Layout, add: Callable[..., str]) -> None:
    set_config(memory, id_suffix=False)

    assert [add("令牌轮换"), add("Use SQLite")] == ["chunk_0001", "chunk_0002"]


@pytest.mark.parametrize(
    ("title", "again"), [("Use JWT", "use  jwt"), ("用ＪＷＴ认证", "用JWT认证"), ("Café", "Cafe\u0301")]
)
def test_the_same_request_with_the_same_content_gives_the_first_record(
    memory: Layout, draft: Callable[..., Draft], title: str, again: str
) -> None:
    first = remember(memory, draft(title, conclusion="一致 Agreed.", hit_words=("w",), request_id="r"), now=NOW)
    second = remember(memory, draft(again, conclusion="一致  agreed.", hit_words=("w",), request_id="r"), now=NOW + 9)

    assert (second.id, second.duplicate) == (first.id, True)
    assert count(memory) == 1


def test_a_request_id_of_other_content_is_a_conflict_that_writes_nothing(
    memory: Layout, draft: Callable[..., Draft]
) -> None:
    first = remember(memory, draft("令牌轮换", request_id="r"), now=NOW)

    with pytest.raises(RequestConflictError) as caught:
        remember(memory, draft("Use SQLite", request_id="r"), now=NOW)

    assert (caught.value.request_id, caught.value.chunk_id) == ("r", first.id)
    assert count(memory) == 1


def test_without_a_request_id_the_content_gives_one(memory: Layout, draft: Callable[..., Draft]) -> None:
    first = remember(memory, draft("令牌轮换"), now=NOW)
    again = remember(memory, draft("令牌轮换"), now=NOW)
    other = remember(memory, draft("令牌轮换", conclusion="不同的结论"), now=NOW)

    assert (again.id, again.duplicate, other.duplicate) == (first.id, True, False)
    assert read_chunk(memory, first.id).request_id.startswith("content-")


def captured(
    title: str, word: str, conclusion: str, turn: str, *, paths: tuple[str, ...] = (), supersedes: tuple[str, ...] = ()
) -> Draft:
    return Draft(
        title=title,
        hit_words=[word],
        conclusion=[conclusion],
        source=Source("hook", host="claude", session="s"),
        request_id=turn,
        paths=paths,
        supersedes=supersedes,
    )


@pytest.mark.parametrize(
    ("title", "word"),
    [("令牌轮换", "another"), ("Another title", "令牌"), ("令牌轮换", "令牌")],
    ids=["title", "word", "both"],
)
def test_what_a_later_turn_restates_about_the_same_thing_is_a_near_duplicate(
    memory: Layout, title: str, word: str
) -> None:
    first = remember(memory, captured("令牌轮换", "令牌", "令牌每小时 Rotate", "turn-1"), now=NOW)

    again = remember(memory, captured(title, word, "令牌每小时  ROTATE", "turn-2"), now=NOW)

    assert (again.id, again.duplicate) == (first.id, True)


def test_the_same_words_about_another_thing_are_a_decision_of_their_own(memory: Layout) -> None:
    first = remember(memory, captured("Use Redis for the cache", "redis", "Rejected. 否决。", "turn-1"), now=NOW)
    other = remember(memory, captured("用 Kafka 传事件", "kafka", "Rejected. 否决。", "turn-2"), now=NOW)

    assert not other.duplicate
    assert other.id != first.id


def test_what_a_person_writes_is_stored_however_often_it_was_said(memory: Layout, draft: Callable[..., Draft]) -> None:
    remember(memory, captured("令牌轮换", "令牌", "令牌每小时 Rotate", "turn-1"), now=NOW)

    assert not remember(memory, draft("By hand", conclusion="令牌每小时 Rotate"), now=NOW).duplicate


def test_an_old_block_quoted_again_does_not_undo_what_superseded_it(memory: Layout) -> None:
    weekly = captured("Tokens rotate weekly", "令牌", "每周轮换 Weekly.", "turn-1")
    old = remember(memory, weekly, now=NOW)
    remember(
        memory, captured("Tokens rotate daily", "令牌", "每天轮换 Daily.", "turn-2", supersedes=(old.id,)), now=NOW
    )

    weekly.request_id = "turn-3"

    assert remember(memory, weekly, now=NOW) == Remembered(old.id, duplicate=True)


@pytest.mark.parametrize("hosts", [("claude", "cursor"), ("claude", "claude")])
def test_one_turn_reported_by_several_hosts_is_one_request(hosts: tuple[str, str]) -> None:
    said, spelt = (captured("令牌", "x", text, "") for text in ("令牌 Rotate", "令牌  ｒotate"))
    one, other = (request_id_of("s", "t", said) for _ in hosts)

    assert one == other == request_id_of("s", "t", spelt)
    assert len({one, request_id_of("s", "t2", said), request_id_of("s2", "t", said)}) == 3
    assert one != request_id_of("s", "t", captured("Another 别的", "x", "令牌 Rotate", ""))


def test_a_secret_that_goes_on_in_the_next_line_is_not_stored(memory: Layout, draft: Callable[..., Draft]) -> None:
    key = ["-----BEGIN RSA " + "PRIVATE KEY-----", "MIIEow" + "IBAAKCAQEAx" * 3, "-----END RSA " + "PRIVATE KEY-----"]
    stored = draft("密钥 Key")
    stored.conclusion = tuple(key)

    text = Path(memory.chunk(remember(memory, stored, now=NOW).id)).read_text(encoding="utf-8")

    assert "IBAAKCAQEAx" not in text
    assert "[REDACTED" in text


def test_an_index_that_cannot_be_used_loses_no_decision(memory: Layout, draft: Callable[..., Draft]) -> None:
    first = remember(memory, draft("令牌轮换 one"), now=NOW)
    shutil.rmtree(memory.index)
    os.makedirs(memory.database)

    second = remember(memory, draft("令牌轮换 two"), now=NOW)
    again = remember(memory, draft("令牌轮换 two"), now=NOW)

    assert second.id[:10] == "chunk_0002"
    assert again == Remembered(second.id, duplicate=True)
    assert {id_of_file(entry.name) for entry in list_files(memory)} == {first.id, second.id}


@pytest.mark.parametrize("characters", [len("chunk_0001"), len("chunk_0001-ab"), len("chunk_0001-abcdef")])
def test_a_superseded_record_may_be_abbreviated_and_is_stored_by_its_whole_id(
    memory: Layout, draft: Callable[..., Draft], add: Callable[..., str], characters: int
) -> None:
    old = add("令牌轮换")
    newer = draft("Newer", supersedes=(old[:characters], old))

    first = remember(memory, newer, now=NOW)
    again = remember(memory, newer, now=NOW)

    assert read_chunk(memory, first.id).supersedes == (old,)
    assert (again.id, again.duplicate) == (first.id, True)


def test_what_cannot_be_superseded_is_refused_by_name(memory: Layout, add: Callable[..., str]) -> None:
    old = add("令牌轮换")
    successor = add("Newer", supersedes=(old,))

    for text, reason in [
        ("chunk_0099", "no such record"),
        ("chunk_0001-ffffff0", "no such record"),
        ("令牌", "no such record"),
        ("../chunk_0001", "no such record"),
        ("chunk_0001; DROP TABLE chunks", "no such record"),
        (old, f"already superseded by {successor}"),
    ]:
        with pytest.raises(SupersedeError, match=reason):
            add("Third", supersedes=(text,))
    assert count(memory) == 2


def test_a_bare_number_that_two_branches_gave_out_is_ambiguous(memory: Layout, add: Callable[..., str]) -> None:
    ours = add("令牌轮换")
    merged = make_chunk(
        Draft(title="Theirs", hit_words=["w"], conclusion=["c"], source=Source("cli"), node="M1", request_id="theirs"),
        number=1,
        epoch=1,
        created_at=read_chunk(memory, ours).created_at,
    )
    Path(memory.chunk(merged.id)).write_bytes(render_chunk(merged))

    with pytest.raises(SupersedeError, match=r"may mean .* or .*; write the whole id"):
        add("Newer", supersedes=("chunk_0001",))
    assert add("Newer", supersedes=(ours,)).startswith("chunk_0002-")


def test_a_record_goes_to_an_open_node_and_to_no_other(memory: Layout, add: Callable[..., str]) -> None:
    add_node(memory, "| S1 | 支线 | | OPEN | | |\n| S2 | Old | | TOMBSTONED | | |")

    assert read_chunk(memory, add("令牌轮换", node="S1")).node == "S1"
    for node, reason in [("S2", "is tombstoned; choose another node, such as M1"), ("S9", "it has M1, S1, S2")]:
        with pytest.raises(NodeError, match=reason) as caught:
            add("Use SQLite", node=node)
        assert caught.value.node_id == node
    assert count(memory) == 1


@pytest.mark.parametrize("conclusion", [("字" * 500,) * 3, ("word " * 99,) * 3])
def test_a_record_that_would_never_fit_into_the_budget_is_refused(
    memory: Layout, add: Callable[..., str], conclusion: tuple[str, ...]
) -> None:
    set_config(memory, recall_budget=150)

    with pytest.raises(InvalidRecordError, match="never fit into the recall budget of 150"):
        add("题目", conclusion=conclusion)

    assert count(memory) == 0


SECRETS = ("ghp_" + "a1B2c3D4e5F6" * 3, "ghp_" + "z9Y8x7W6v5U4" * 3)


def test_a_secret_is_gone_before_anything_is_hashed(memory: Layout, draft: Callable[..., Draft]) -> None:
    """Two secrets in one sentence give one record: no id can be used to test a guess."""
    one, other = (
        draft(
            f"部署令牌 {secret}",
            conclusion=f"Deploy with {secret}",
            hit_words=("deploy", secret),
            paths=(f"k/{secret}",),
        )
        for secret in SECRETS
    )

    first, second = remember(memory, one, now=NOW), remember(memory, other, now=NOW)

    assert (second.id, second.duplicate) == (first.id, True)
    stored = b"".join(path.read_bytes() for path in Path(memory.root).rglob("*") if path.is_file())
    assert not any(secret.encode() in stored for secret in SECRETS)
    assert "部署令牌" in read_chunk(memory, first.id).title


def test_redaction_reaches_every_text_of_a_draft(draft: Callable[..., Draft]) -> None:
    secret = SECRETS[0]
    given = draft(
        secret,
        conclusion=(secret, f"一 {secret}"),
        hit_words=(secret,),
        paths=(secret,),
        tags=(secret,),
        request_id=secret,
        source=Source("cli", session=secret, ref=secret, branch=secret),
    )

    assert secret not in repr(redact_draft(given))


def test_a_number_is_never_given_out_again_while_the_index_stands(memory: Layout, add: Callable[..., str]) -> None:
    add("令牌轮换")
    os.unlink(memory.chunk(add("Use SQLite")))

    assert add("Third").startswith("chunk_0003-")

    rebuild(memory)
    assert add("Fourth").startswith("chunk_0004-")


def test_a_damaged_newest_record_keeps_its_number_and_its_file(memory: Layout, add: Callable[..., str]) -> None:
    set_config(memory, id_suffix=False)
    add("令牌轮换")
    damaged = Path(memory.chunk(add("Use SQLite")))
    damaged.write_bytes(damaged.read_bytes()[:40])
    os.unlink(memory.database)

    assert add("Third") == "chunk_0003"
    assert len(damaged.read_bytes()) == 40


def test_a_record_is_stored_even_if_the_index_is_gone_or_garbage(memory: Layout, add: Callable[..., str]) -> None:
    ids = [add("令牌轮换")]
    for spoil in (lambda: os.unlink(memory.database), lambda: Path(memory.database).write_bytes(b"garbage" * 999)):
        spoil()
        ids.append(add(f"Record {len(ids)}"))

    assert [chunk_id[:10] for chunk_id in ids] == ["chunk_0001", "chunk_0002", "chunk_0003"]
    assert [problem for problem in verify_memory(memory) if problem.code != "index_wrong"] == []


def test_an_open_journal_or_a_held_lock_stops_every_write(memory: Layout, draft: Callable[..., Draft]) -> None:
    with MemoryLock(memory.lock), pytest.raises(LockTimeoutError):
        remember(memory, draft("令牌轮换"), now=NOW, lock_timeout_s=0)
    Path(memory.journal).write_text("{}", encoding="utf-8")
    with pytest.raises(JournalError):
        remember(memory, draft("令牌轮换"), now=NOW)

    assert count(memory) == 0


def test_a_switch_is_named_in_the_refusal() -> None:
    refuse_if_off("")
    with pytest.raises(MemoryOffError, match="HFA_OFF is set"):
        refuse_if_off("HFA_OFF is set")


WRITER = """
import sys
from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft, Source
for n in range(20):
    number = (int(sys.argv[2]) * 10 + n) % 100
    draft = Draft(title=f"决定 {number}", hit_words=["w"], conclusion=[f"Line {number}."], source=Source("cli"),
                  request_id=f"r-{number}")
    print(remember(Layout(sys.argv[1]), draft, now=1_790_000_000 + n, lock_timeout_s=120).id)
"""


def test_eight_writers_at_once_lose_nothing_and_double_nothing(memory: Layout, resync: Callable[[], Database]) -> None:
    """Each request is made by two of the processes."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, memory.root, str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for number in range(8)
    ]
    results = [process.communicate() for process in processes]

    assert [error for _, error in results] == [""] * 8
    chunks = [read_chunk(memory, entry.name.removesuffix(".json")) for entry in list_files(memory)]
    assert sorted(chunk.request_id for chunk in chunks) == sorted(f"r-{number}" for number in range(90))
    assert sorted(parse_id(chunk.id) or (0, "") for chunk in chunks) == sorted(
        (number, chunk.digest[:6]) for number, chunk in enumerate(sorted(chunks, key=lambda chunk: chunk.id), 1)
    )
    assert {line for output, _ in results for line in output.split()} == {chunk.id for chunk in chunks}
    with resync() as database:
        assert database.get_meta("count") == 90
    assert verify_memory(memory) == []

"""What a session has seen: appended by parallel processes, reset by the host, bounded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hfa_core.active.registry import KEPT_SESSIONS, MAXIMUM_BYTES, Session, prune_sessions
from hfa_core.fs.layout import UserLayout
from tests.payloads.claude_hook import ROOTS


@pytest.fixture
def user(tmp_path: Path) -> UserLayout:
    return UserLayout(str(tmp_path / "user"), "0123456789abcdef")


def file_of(user: UserLayout) -> Path:
    (path,) = Path(user.sessions).iterdir()
    return path


def test_lines_are_only_ever_added(user: UserLayout) -> None:
    session = Session(user, "one")
    before = b""
    for act in (
        lambda: session.note_shown(["chunk_0001-aaaaaa"]),
        lambda: session.note_turn("t1"),
        lambda: session.note_touched(["src/重试.py"]),
        session.note_cleared,
        lambda: session.note_turn("t2", muted=True),
    ):
        act()
        after = file_of(user).read_bytes()
        assert after.startswith(before)
        assert len(after) > len(before)
        before = after


def test_what_was_shown_counts_until_the_context_is_cleared(user: UserLayout) -> None:
    session = Session(user, "one")
    session.note_shown(["a", "b"])
    session.note_turn("t1")
    session.note_shown(["c"])
    assert Session(user, "one").read().shown == {"a", "b", "c"}

    session.note_cleared()
    assert Session(user, "one").read().shown == frozenset()
    session.note_shown(["a"])
    assert Session(user, "one").read().shown == {"a"}


def test_files_and_the_muted_mark_belong_to_their_turn(user: UserLayout) -> None:
    session = Session(user, "one")
    session.note_turn("t1", muted=True)
    session.note_touched(["x.py", "y.py"])
    session.note_touched(["x.py"])
    state = session.read()
    assert (state.touched, state.muted) == (("x.py", "y.py"), True)

    session.note_cleared()
    assert session.read().muted
    session.note_turn("t2")
    state = session.read()
    assert (state.touched, state.muted) == ((), False)


def test_sessions_do_not_see_one_another_whatever_their_ids_look_like(user: UserLayout) -> None:
    names = ["a", "b", "../a", "a/../b", "会话", "x" * 5000, "\ud800", "a\x00b", " "]
    for name in names:
        Session(user, name).note_shown([repr(name)])

    assert [Session(user, name).read().shown for name in names] == [{repr(name)} for name in names]
    assert len(list(Path(user.sessions).iterdir())) == len(names)
    assert sorted(path.name for path in Path(user.root).iterdir()) == [user.memory_id]


@pytest.mark.parametrize(("session_id", "memory_id"), [("", "0123456789abcdef"), ("one", "")])
def test_without_a_session_or_a_memory_nothing_is_kept(tmp_path: Path, session_id: str, memory_id: str) -> None:
    session = Session(UserLayout(str(tmp_path / "user"), memory_id), session_id)

    session.note_shown(["a"])
    session.note_turn("t", muted=True)
    session.note_cleared()

    assert session.read().shown == frozenset()
    assert not (tmp_path / "user").exists()


@pytest.mark.parametrize(
    "junk",
    [b"\n", b"{", b"nonsense\n", b"[]\n", b'{"shown": 1}\n', b"\xff\xfe\n", b'{"shown": "c', b"\x00" * 100, b"null\n"],
    ids=repr,
)
def test_lines_that_cannot_be_read_are_passed_over_and_spoil_no_later_one(user: UserLayout, junk: bytes) -> None:
    session = Session(user, "one")
    session.note_shown(["a"])
    with file_of(user).open("ab") as stream:
        stream.write(junk)
    session.note_turn("t", muted=True)
    session.note_shown(["b"])

    state = session.read()

    assert {"a", "b"} <= state.shown
    assert state.muted


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(junk=st.binary(max_size=300))
def test_any_bytes_in_the_file_give_a_state(user: UserLayout, junk: bytes) -> None:
    Session(user, "one").note_shown(["a"])
    file_of(user).write_bytes(junk)

    assert isinstance(Session(user, "one").read().shown, frozenset)


def test_parallel_processes_lose_nothing(user: UserLayout) -> None:
    program = (
        f"import sys; sys.path += {[str(root) for root in ROOTS]}\n"
        "from hfa_core.active.registry import Session\n"
        "from hfa_core.fs.layout import UserLayout\n"
        "session = Session(UserLayout(sys.argv[1], sys.argv[2]), 'one')\n"
        "for number in range(100):\n"
        "    session.note_shown([f'{sys.argv[3]}-{number}', '记' * 50])\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-I", "-S", "-c", program, user.root, user.memory_id, str(worker)])
        for worker in range(6)
    ]
    assert [process.wait() for process in running] == [0] * 6

    expected = {f"{worker}-{number}" for worker in range(6) for number in range(100)}
    assert Session(user, "one").read().shown == expected | {"记" * 50}


def test_a_session_file_that_grew_large_takes_no_more_files_but_still_what_was_shown(user: UserLayout) -> None:
    session = Session(user, "one")
    session.note_shown(["a" * MAXIMUM_BYTES])

    session.note_touched(["x.py"])
    session.note_shown(["b"])

    assert session.read().touched == ()
    assert "b" in session.read().shown


def test_pruning_keeps_the_sessions_that_were_used_last(user: UserLayout) -> None:
    assert prune_sessions(user) == 0
    for number in range(KEPT_SESSIONS + 5):
        Session(user, str(number)).note_shown(["a"])
    for age, path in enumerate(sorted(Path(user.sessions).iterdir())):
        os.utime(path, ns=(age, age))
    newest = sorted(Path(user.sessions).iterdir())[5:]

    assert prune_sessions(user) == 5
    assert sorted(Path(user.sessions).iterdir()) == newest
    assert prune_sessions(user) == 0

"""A memory against a plain dict: random operations, crashes, refusals and another program's files, in any order."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from hfa_core.capture.remember import remember
from hfa_core.errors import NodeError, StorageError, SupersedeError
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.listing import ALL, list_page
from hfa_core.index.pages import rebuild_derived, refresh_views
from hfa_core.index.sync import sync
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft, Source
from hfa_core.recall.recall import Request, recall
from hfa_core.store.chunks import list_files, parse_id, read_chunk
from hfa_core.store.config import Config, read_config, render_config
from hfa_core.store.create import create_memory
from hfa_core.store.directory import TOMBSTONED, read_directory
from hfa_core.store.nodes import activate_node, add_node, rename_node, tombstone_node
from hfa_core.store.schema import check_draft, make_chunk, render_chunk
from hfa_core.transaction.opening import ensure_recovered

EXAMPLES, STEPS = 24, 50
NOW = 1_790_000_000.0
TOPICS = ("刷新令牌", "refresh token", "数据库迁移", "golive checklist", "日志轮转", "rate limiter")
topics = st.sampled_from(TOPICS)
numbers = st.integers(0, 4)
places = st.integers(0, 1_000)
"""One of several things, by its place modulo their number."""
effects = st.integers(0, 35)
kinds = st.sampled_from(("put", "supersede", "node", "tombstone"))


class Crash(BaseException):
    """The process is gone: no handler of the code under test may go on."""


class Known(NamedTuple):
    """What the dict knows of a record."""

    title: str
    topic: str
    node: str
    replaces: tuple[str, ...]


class Memory(RuleBasedStateMachine):
    """The rules; `records` and `nodes` are the model."""

    steps = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.memory = Layout(os.path.join(self.folder, "memory"))
        create_memory(self.memory, "Project")
        config = Config(memory_id=read_config(self.memory).memory_id, topics_per_epoch=6)
        Path(self.memory.config).write_text(render_config(config), encoding="utf-8")
        self.records: dict[str, Known] = {}
        self.nodes: dict[str, str] = {node.id: node.state for node in read_directory(self.memory).nodes}
        self.given: set[str] = set()
        self.lost_numbers = False
        self.made = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    # What the model says.

    def current(self) -> list[str]:
        dead = {old for known in self.records.values() for old in known.replaces}
        return sorted(set(self.records) - dead)

    def open_nodes(self) -> list[str]:
        return [node for node, state in self.nodes.items() if state != TOMBSTONED]

    def draft(self, known: Known) -> Draft:
        return Draft(
            title=known.title,
            hit_words=(known.topic,),
            conclusion=(f"{known.title}，按约定执行, as agreed.",),
            source=Source("cli"),
            node=known.node,
            supersedes=known.replaces,
        )

    def store(self, known: Known) -> None:
        # The same content is the same record, whatever its node.
        said = known._replace(node="")
        earlier = [chunk_id for chunk_id, record in self.records.items() if record._replace(node="") == said]
        done = remember(self.memory, self.draft(known), now=NOW)
        assert done.duplicate is bool(earlier)
        if earlier:
            assert done.id in earlier
        else:
            self.note(done.id, known)

    def note(self, chunk_id: str, known: Known) -> None:
        assert chunk_id not in self.given, "an id is given once"
        number = (parse_id(chunk_id) or (0, ""))[0]
        assert number > max(((parse_id(old) or (0, ""))[0] for old in self.given), default=0)
        self.given.add(chunk_id)
        self.records[chunk_id] = known

    # Records.

    @rule(topic=topics, number=numbers, place=places)
    def put(self, topic: str, number: int, place: int) -> None:
        nodes = self.open_nodes()
        self.store(Known(f"{topic} {number}", topic, nodes[place % len(nodes)], ()))

    @precondition(lambda self: self.current())
    @rule(topic=topics, number=numbers, place=places)
    def supersede(self, topic: str, number: int, place: int) -> None:
        current = self.current()
        old = current[place % len(current)]
        self.store(Known(f"{topic} {number}", topic, "M1", (old,)))

    @precondition(lambda self: len(self.current()) < len(self.records))
    @rule(place=places)
    def supersede_what_is_dead(self, place: int) -> None:
        dead = sorted(set(self.records) - set(self.current()))
        self.made += 1
        known = Known(f"Never {self.made}", "never", "M1", (dead[place % len(dead)],))
        with pytest.raises(SupersedeError):
            remember(self.memory, self.draft(known), now=NOW)

    # Nodes.

    @rule(letter=st.sampled_from("MSP"), title=topics)
    def add_node(self, letter: str, title: str) -> None:
        node = add_node(self.memory, letter, title, time="2026-01-01T00:00:00Z").node
        assert node.id not in self.nodes
        self.nodes[node.id] = node.state

    @rule(place=places)
    def switch_node(self, place: int) -> None:
        mains = [node for node in self.open_nodes() if node.startswith("M")]
        chosen = mains[place % len(mains)]
        activate_node(self.memory, chosen, time="2026-01-01T00:00:00Z")
        for node in mains:
            self.nodes[node] = "ACTIVE" if node == chosen else "OPEN"

    @rule(place=places)
    def tombstone(self, place: int) -> None:
        # M1 stays, so that superseding has a node.
        nodes = [node for node in self.open_nodes() if self.nodes[node] != "ACTIVE" and node != "M1"]
        if not nodes:
            return
        chosen = nodes[place % len(nodes)]
        tombstone_node(self.memory, chosen, "given up 放弃", time="2026-01-01T00:00:00Z")
        self.nodes[chosen] = TOMBSTONED
        with pytest.raises(NodeError):
            remember(self.memory, self.draft(Known("Never", "never", chosen, ())), now=NOW)

    @rule(place=places, title=topics)
    def rename(self, place: int, title: str) -> None:
        nodes = sorted(self.nodes)
        rename_node(self.memory, nodes[place % len(nodes)], title, time="2026-01-01T00:00:00Z")

    # Another program, as git does when it pulls: no lock, no index.

    @rule(topic=topics, ahead=st.integers(1, 3), place=places, replace=st.booleans())
    def pull_a_record(self, topic: str, ahead: int, place: int, replace: bool) -> None:
        current = self.current() if replace else []
        self.made += 1
        known = Known(f"{topic} pulled {self.made}", topic, "M1", (current[place % len(current)],) if current else ())
        checked = check_draft(self.draft(known))
        highest = max(((parse_id(old) or (0, ""))[0] for old in self.given), default=0)
        checked.request_id = f"pulled-{self.made}"
        epoch = read_directory(self.memory).epoch
        chunk = make_chunk(
            checked, number=highest + ahead, epoch=epoch, created_at="2026-01-01T00:00:00Z", with_suffix=True
        )
        Path(self.memory.chunk(chunk.id)).write_bytes(render_chunk(chunk))
        self.note(chunk.id, known)

    @rule(place=places)
    def pull_a_removal(self, place: int) -> None:
        replaced = {old for known in self.records.values() for old in known.replaces}
        alone = sorted(one for one, known in self.records.items() if one not in replaced and not known.replaces)
        if alone:
            gone = alone[place % len(alone)]
            # As long as no sync has seen a file, nobody can know its number.
            self.sync_twice()
            os.unlink(self.memory.chunk(gone))
            del self.records[gone]
            self.lost_numbers = True

    # What is derived.

    @rule(thorough=st.booleans())
    def sync_twice(self, thorough: bool = True) -> None:
        directory = read_directory(self.memory)
        with open_database(self.memory) as database:
            sync(database, directory, thorough=thorough)
            again = sync(database, directory)
        # A file changed within the last clock tick is read once more.
        assert (again.removed, again.complete) == (0, True)
        assert again.changed <= len(self.records)

    @rule()
    def write_pages(self) -> None:
        refresh_views(self.memory)
        assert refresh_views(self.memory) == []

    @rule()
    def reindex(self) -> None:
        assert rebuild_derived(self.memory)[:2] == (len(self.records), [])

    @precondition(lambda self: not self.lost_numbers)
    @rule()
    def lose_the_index(self) -> None:
        shutil.rmtree(self.memory.index)

    # What goes wrong.

    @rule(
        stop=effects, kind=st.sampled_from(("put", "supersede", "node", "tombstone")), topic=topics, crash=st.booleans()
    )
    def break_off(self, stop: int, kind: str, topic: str, crash: bool) -> None:
        current, before = self.current(), {entry.name for entry in list_files(self.memory)}
        self.made += 1
        replaces = tuple(current[-1:]) if kind == "supersede" else ()
        known = Known(f"{topic} broken {self.made}", topic, "M1", replaces)
        spare = [node for node in self.open_nodes() if node.startswith("S")]
        run: Callable[[], object] = lambda: remember(self.memory, self.draft(known), now=NOW)  # noqa: E731
        if kind == "node":
            run = lambda: add_node(self.memory, "S", known.title, time="2026-01-01T00:00:00Z")  # noqa: E731
        elif kind == "tombstone" and spare:
            run = lambda: tombstone_node(self.memory, spare[0], "broken", time="2026-01-01T00:00:00Z")  # noqa: E731
        finished = run_until(run, stop, crash=crash)

        ensure_recovered(self.memory)

        new = {entry.name.removesuffix(".json") for entry in list_files(self.memory) if entry.name not in before}
        assert len(new) <= 1
        for chunk_id in new:
            self.note(chunk_id, known)
        states = {node.id: node.state for node in read_directory(self.memory).nodes}
        changed = {node for node, state in states.items() if self.nodes.get(node) != state}
        assert len(changed) + len(new) == 1 or not (finished or changed or new)
        self.nodes = states

    # What always holds.

    @invariant()
    def listing_and_files_are_what_the_model_says(self) -> None:
        type(self).steps += 1
        assert {entry.name for entry in list_files(self.memory)} == {f"{one}.json" for one in self.records}
        directory = read_directory(self.memory)
        assert {node.id: node.state for node in directory.nodes} == self.nodes
        with open_database(self.memory) as database:
            sync(database, directory, thorough=False)
            listed = list_page(database, state=ALL, limit=1000).records
            current = list_page(database, limit=1000).records
        assert sorted(link.id for link in listed) == sorted(self.records)
        assert sorted(link.id for link in current) == self.current()

    @invariant()
    def recall_returns_what_is_alive_and_only_that(self) -> None:
        topic = TOPICS[type(self).steps % len(TOPICS)]
        directory = read_directory(self.memory)
        with open_database(self.memory) as database:
            answer = recall(database, directory, read_config(self.memory), Request(topic, unlock="test"))
        found = {item.id for item in answer.selected}
        alive = set(self.current())
        assert found <= alive
        if any(self.records[one].topic == topic for one in alive):
            assert found
        for chunk_id in found:
            assert read_chunk(self.memory, chunk_id).title == self.records[chunk_id].title

    @invariant()
    def verification_finds_nothing(self) -> None:
        assert [problem for problem in verify_memory(self.memory) if problem.severity != "info"] == []


def run_until(run: Callable[[], object], stop: int, *, crash: bool) -> bool:
    """Run as a process that dies, or is refused, at effect `stop`; whether it came to its end before."""
    seen = 0

    def effect(kind: str, path: str) -> None:
        nonlocal seen
        seen += 1
        if crash and seen > stop:
            raise Crash
        if seen == stop + 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hfa_core.fs.atomic._effect", effect)
        try:
            run()
        except (Crash, StorageError):
            return False
    return True


@pytest.mark.slow
def test_a_memory_is_what_a_dict_says_after_any_operations() -> None:
    Memory.steps = 0

    run_state_machine_as_test(Memory, settings=settings(max_examples=EXAMPLES, stateful_step_count=STEPS))

    assert Memory.steps >= 1_000

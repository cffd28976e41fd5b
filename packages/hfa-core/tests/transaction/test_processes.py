"""Real processes: killed at random moments, and many writers and readers at once."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hfa_core.capture.remember import remember
from hfa_core.fs.atomic import TEMPORARY_PREFIX
from hfa_core.fs.layout import Layout
from hfa_core.index.verify import verify_memory
from hfa_core.model import Draft, Source
from hfa_core.store.chunks import list_files, parse_id, read_chunk
from hfa_core.store.config import Config, read_config, render_config
from hfa_core.store.directory import read_directory
from hfa_core.transaction.opening import ensure_recovered

ROUNDS = 200
NOW = 1_790_000_000.0

# One process makes a child for each round by forking, so that a round costs no interpreter start.
WORKER = """
import os, sys, time
from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft, Source
from hfa_core.store.nodes import activate_node, add_node, tombstone_node
layout = Layout(sys.argv[1])
# What is imported on the first write is imported before the clock of a round starts.
first = Draft(title="First", hit_words=["w"], conclusion=["It is."], source=Source("cli"))
remember(layout, first, now=1.79e9)
for line in sys.stdin:
    child = os.fork()
    if child:
        print(child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)
        continue
    number = 0
    while True:
        number += 1
        name = f"{os.getpid()}-{line.strip()}-{number}"
        draft = Draft(title=f"Record {name}", hit_words=["w"], conclusion=[f"It is {name}."], source=Source("cli"))
        done = remember(layout, draft, now=1.79e9)
        os.write(3, (done.id + chr(10)).encode())
        node = add_node(layout, "SM"[number % 2], f"Node {name}", time="2026-01-01T00:00:00Z").node.id
        if number % 2:
            activate_node(layout, node, time="2026-01-01T00:00:00Z")
        else:
            tombstone_node(layout, node, "over", time="2026-01-01T00:00:00Z")
"""


def set_limit(memory: Layout, topics: int) -> None:
    config = read_config(memory)
    changed = Config(memory_id=config.memory_id, topics_per_epoch=topics)
    Path(memory.config).write_text(render_config(changed), encoding="utf-8")


def check(memory: Layout) -> None:
    """L0 is sound, each tombstone has its line and no other has one, and verification finds nothing."""
    ensure_recovered(memory)
    directory = read_directory(memory)
    directory.active_main(memory.directory)
    closed = [node.id for node in directory.nodes if node.state == "TOMBSTONED"]
    lines = Path(memory.tombstones).read_text(encoding="utf-8").splitlines()
    assert [line.split('"')[3] for line in lines] == closed
    assert verify_memory(memory) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL and fork are POSIX")
def test_a_writer_killed_at_a_random_moment_leaves_a_whole_memory(memory: Layout, tmp_path: Path) -> None:
    set_limit(memory, 3)
    stored = tmp_path / "stored"
    chance = random.Random(20260101)
    command = f'exec 3>>"{stored}"; exec "$0" -c "$1" "$2"'
    with subprocess.Popen(
        ["sh", "-c", command, sys.executable, WORKER, memory.root],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
    ) as worker:  # fmt: skip
        assert worker.stdin is not None
        assert worker.stdout is not None
        for number in range(ROUNDS):
            worker.stdin.write(f"{number}\n")
            worker.stdin.flush()
            child = int(worker.stdout.readline())
            # Not to wait for something, but to let a random part of the work happen.
            threading.Event().wait(chance.uniform(0, 0.1))
            subprocess.run(["kill", f"-{signal.SIGKILL.value}", str(child)], check=False)
            assert worker.stdout.readline() == "gone\n"
            check(memory)
        worker.stdin.close()

    remember(memory, Draft(title="Last", hit_words=["w"], conclusion=["It is."], source=Source("cli")), now=NOW)
    assert list(Path(memory.root).rglob(TEMPORARY_PREFIX + "*")) == []
    ids = [entry.name.removesuffix(".json") for entry in list_files(memory)]
    assert len({parse_id(chunk_id) for chunk_id in ids}) == len(ids)
    reported = stored.read_text(encoding="utf-8").split()
    assert reported, "how many are finished depends on the machine, but some are"
    assert set(reported) <= set(ids), "what was reported as stored is there"


WRITER = """
import sys
from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.model import Draft, Source
start = int(sys.argv[2]) * 25
for number in range(start, start + 50):
    draft = Draft(title=f"Record {number}", hit_words=["w"], conclusion=[f"It is {number}."],
                  source=Source("cli"), request_id=f"r-{number}")
    done = remember(Layout(sys.argv[1]), draft, now=1.79e9, lock_timeout_s=120)
    print(f"r-{number}", done.id)
"""

READER = """
import sys
from hfa_core.fs.layout import Layout
from hfa_core.index.database import open_database
from hfa_core.index.lookup import list_damaged, list_ids
from hfa_core.index.sync import sync
from hfa_core.store.chunks import read_chunk
from hfa_core.store.directory import read_directory
from hfa_core.transaction.opening import ensure_recovered
layout, seen = Layout(sys.argv[1]), 0
while seen < 225:
    ensure_recovered(layout, lock_timeout_s=120)
    directory = read_directory(layout)
    directory.active_main(layout.directory)
    with open_database(layout, timeout_s=120) as database:
        sync(database, directory)
        assert list_damaged(database) == []
        ids = list_ids(database)
        assert len(ids) >= seen
        seen = len(ids)
    for chunk_id in ids[-3:]:
        read_chunk(layout, chunk_id)
"""


@pytest.mark.slow
def test_many_writers_and_readers_lose_nothing_and_see_nothing_half_done(memory: Layout) -> None:
    set_limit(memory, 20)

    def start(program: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", program, memory.root, *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")

    # Eight writers of fifty, of which each shares half with its neighbour: 225 requests.
    writers = [start(WRITER, str(number)) for number in range(8)]
    readers = [start(READER) for _ in range(8)]
    ended = [(process.communicate(timeout=500), process.returncode) for process in [*writers, *readers]]

    assert [(texts[1], code) for texts, code in ended] == [("", 0)] * 16
    answers = [tuple(line.split()) for texts, _ in ended[:8] for line in texts[0].splitlines()]
    assert len(answers) == 400
    assert len(set(answers)) == 225, "one request has one id, whoever asked"
    ids = {entry.name.removesuffix(".json") for entry in list_files(memory)}
    assert ids == {answer[1] for answer in answers}
    assert len({(parse_id(chunk_id) or (0, ""))[0] for chunk_id in ids}) == 225
    epochs = [read_chunk(memory, chunk_id).epoch for chunk_id in ids]
    assert [epochs.count(epoch) for epoch in range(1, 13)] == [20] * 11 + [5]
    assert read_directory(memory).epoch == 12
    assert verify_memory(memory) == []

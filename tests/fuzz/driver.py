"""A program that answers thousands of mutated payloads, each in a process of its own, and reports the first faults.

python driver.py HOST SEED COUNT PROJECT: one JSON object on stdout; the environment is that of a hook.
"""

from __future__ import annotations

import json
import os
import random
import select
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import hfa_claude.hook
import hfa_cursor.hook
import hfa_generic_hook.hook
from hfa_core.hook import (
    on_answer,
    on_compact,
    on_edit,
    on_invocation,
    on_prompt,
    on_session_end,
    on_session_start,
    on_stop,
    on_tool,
)
from hfa_core.light.json_codec import as_text
from tests.payloads import ANTIGRAVITY, CLAUDE, CURSOR, event_of, load_sample

PRELOADED = (
    on_answer,
    on_compact,
    on_edit,
    on_invocation,
    on_prompt,
    on_session_end,
    on_session_start,
    on_stop,
    on_tool,
)
"""Imported once here, not in each of the processes."""

HOSTS: dict[str, tuple[Callable[[Sequence[str]], None], Path]] = {
    "claude": (hfa_claude.hook.main, CLAUDE),
    "cursor": (hfa_cursor.hook.main, CURSOR),
    "antigravity": (hfa_generic_hook.hook.main, ANTIGRAVITY),
}
"""The hook of each host, and the folder of its payloads."""

LIMIT_S = 8.0
"""Twice the time that a hook allows itself."""

VALUES: tuple[object, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 2**70, "", " ", "\x00", "refresh token", "刷新令牌", "x" * 100_000),
    *("\ud800", "../../etc/passwd", "/dev/zero", "/proc/self/mem", "```hfa-memory\ntitle: x\n```", "\u202e\u200b"),
    *([], [None], ["x"] * 1000, {}, {"a": {"b": {"c": [0]}}}, [[[[[[0]]]]]]),
)


def mutate(rng: random.Random, payload: dict[str, object]) -> bytes:
    """The payload with a few faults in its fields, and maybe in its bytes."""
    for _ in range(rng.randrange(3)):
        key = rng.choice([*payload, "unknown", "decision", "prompt", "transcript_path"])
        if rng.random() < 0.2:
            payload.pop(key, None)
        else:
            payload[key] = rng.choice(VALUES)
    data = json.dumps(payload, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return rng.choice(BYTES)(rng, data)


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flip(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]


def _quotes(rng: random.Random, data: bytes) -> bytes:
    return data.replace(b'"', rng.choice([b"'", b"\\", b""]))


def _encode(rng: random.Random, data: bytes) -> bytes:
    other = data.decode("utf-8", "replace").encode("utf-16")
    return rng.choice([b"\xef\xbb\xbf" + data, other, data + data, b"[" + data + b"]", rng.randbytes(200), b""])


def _keep(_: random.Random, data: bytes) -> bytes:
    return data


BYTES: tuple[Callable[[random.Random, bytes], bytes], ...] = (*[_keep] * 6, _cut, _flip, _quotes, *[_encode] * 5)


def run(host: str, event: str, data: bytes, streams: str) -> tuple[int, bytes, float]:
    """Exit code, stdout and seconds of one hook process."""
    stdin_read, stdin_write = os.pipe()
    stdout_read, stdout_write = os.pipe()
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(stdin_read, 0)
            os.dup2(stdout_write, 1)
            for descriptor in (stdin_read, stdin_write, stdout_read, stdout_write):
                os.close(descriptor)
            if streams == "no stdin":
                os.close(0)
            elif streams == "no stdout":
                os.close(1)
            HOSTS[host][0]([host, event])
        finally:
            os._exit(99)
    os.close(stdin_read)
    os.close(stdout_write)
    output = _talk(stdin_write, stdout_read, data)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), output, time.monotonic() - started


def _talk(into: int, out: int, data: bytes) -> bytes:
    """Write all, read all; a process that does not read must not hold this one up."""
    os.set_blocking(into, False)
    output, view, writing = b"", memoryview(data), True
    while True:
        readable, writable, _ = select.select([out], [into] if writing else [], [])
        if writable:
            try:
                view = view[os.write(into, view) :]
            except BrokenPipeError:
                view = view[len(view) :]
            if not view:
                os.close(into)
                writing = False
        if readable:
            part = os.read(out, 1 << 16)
            output += part
            if not part:
                break
    if writing:
        os.close(into)
    os.close(out)
    return output


def judge(code: int, output: bytes, seconds: float, streams: str) -> str:
    """What is wrong with an answer; empty for one that is as it should be."""
    if code:
        return f"exit code {code}"
    if seconds > LIMIT_S:
        return f"{seconds:.1f} s"
    if streams == "no stdout":
        return "" if not output else "output from nowhere"
    try:
        reply: object = json.loads(output)
    except ValueError:
        return f"no JSON: {output[:80]!r}"
    one_line = output.endswith(b"\n") and output.count(b"\n") == 1
    return "" if isinstance(reply, dict) and one_line else f"not one object on one line: {output[:80]!r}"


def main() -> None:
    """Run them all."""
    host, seed, count, project = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    folder = HOSTS[host][1]
    samples = sorted(path.stem for path in folder.glob("*.json"))
    rng = random.Random(seed)
    faults: list[str] = []
    told = 0
    for number in range(count):
        sample = rng.choice(samples)
        session = f"session-{number}"
        payload = load_sample(folder, sample, project, session_id=session, conversationId=session)
        event = as_text(payload.get("hook_event_name")) or event_of(sample)
        if rng.random() < 0.2:
            event = event_of(rng.choice(samples))
        # Some ask what the memory knows, so that the fuzz reaches what lies behind the parsing.
        payload.update({key: "refresh token" for key in ("prompt", "lastUserInput") if key in payload})
        data = mutate(rng, payload)
        streams = rng.choice(["both"] * 20 + ["no stdin", "no stdout"])
        code, output, seconds = run(host, event, data, streams)
        told += b"hfa-memory" in output
        problem = judge(code, output, seconds, streams)
        if problem:
            faults.append(f"{number} {event} {streams} {data[:300]!r}: {problem}")
    print(json.dumps({"count": count, "told": told, "faults": faults[:10]}))


if __name__ == "__main__":
    main()

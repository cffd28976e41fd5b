"""One hook process: read the payload, handle the event, write one reply, leave with 0 whatever happened.

This is the only place below the command line that catches everything; each fault leaves a line in the hook log.
"""

from __future__ import annotations

import os
import time

from hfa_core.active.registry import session_name
from hfa_core.fs.layout import UserLayout
from hfa_core.hook.log import write_entry
from hfa_core.hook.occasion import Occasion
from hfa_core.light.json_codec import as_mapping, parse_json
from hfa_core.light.text import decode_utf8
from hfa_core.model import HookReply, Record
from hfa_core.settings import current_environment
from hfa_core.store.config import read_config
from hfa_core.store.locate import find_memory, is_off
from hfa_core.transaction.opening import ensure_recovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Mapping, Sequence

    from hfa_core.model import HookEvent
    from hfa_core.settings import Environment
else:
    # Its Python face loads `enum`, which costs more than the rest of a hook.
    import _signal

TIME_LIMIT_S = 4.0
"""Below the time that a host is told to wait for a prompt's hook (5 s)."""
STDIN_BYTES = 32 * 1024 * 1024
"""A larger payload is not read to its end: no event that matters here comes near it."""
LOCK_TIMEOUT_S = 1.0
"""How long a hook waits for another process to finish an operation on several files, which takes milliseconds."""
_READ_BYTES = 1 << 16


class Wire(Record):
    """
    How an adapter speaks: payload to event, reply to bytes, and the bytes that mean "nothing to say".

    `complete` fills in what a payload left out from the last rows of the host's transcript; None where a payload is
    always whole.
    """

    __slots__ = ("complete", "empty", "host", "parse_event", "render_reply")

    def __init__(
        self,
        host: str,
        parse_event: Callable[[str, Mapping[str, object]], HookEvent | None],
        render_reply: Callable[[HookEvent, HookReply], bytes],
        *,
        empty: bytes,
        complete: Callable[[HookEvent, Sequence[Mapping[str, object]]], None] | None = None,
    ) -> None:
        self.complete = complete
        self.host = host
        self.parse_event = parse_event
        self.render_reply = render_reply
        self.empty = empty


class OutOfTime(BaseException):
    """The hook took too long. It is no `OSError`, which a reader would take for a file that cannot be read."""


class Run:
    """The progress of one hook, for its log line."""

    def __init__(self, host: str, event: str) -> None:
        self.host = host
        self.event = event
        self.session = ""
        self.outcome = "nothing"
        self.user: UserLayout | None = None
        self.started = time.monotonic()


def run_hook(wire: Wire, host_event: str, *, memory_dir: str = "") -> None:
    """
    Answer one event of a host on stdout and end the process with exit code 0.

    `memory_dir` is the folder of the memory; by default it is looked for from where the session works.

    Under `HFA_HOOK_STRICT` (for tests) an error is raised instead, so that failing open cannot hide a fault.
    """
    _limit_time()
    environment = current_environment()
    run = Run(wire.host, host_event)
    output = wire.empty
    try:
        output = answer(wire, host_event, read_stdin(), environment, run, memory_dir)
    except BaseException as error:
        run.outcome = "error"
        _log(run, environment, error)
        if environment.strict:
            raise
    else:
        _log(run, environment, None)
    try:
        _limit_time(0)
        _write_stdout(output)
    finally:
        # No fault may bring a second reply. Skips the interpreter's teardown; all that matters is closed and synced.
        os._exit(0)


def _limit_time(seconds: float = TIME_LIMIT_S) -> None:
    """Whatever a hook waits for, such as a pipe in the place of a file, it ends before the host loses patience."""
    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, _give_up)
        _signal.setitimer(_signal.ITIMER_REAL, seconds, seconds)


def _give_up(_number: int, _frame: object) -> None:
    raise OutOfTime(f"no answer within {TIME_LIMIT_S:g} s")


def answer(wire: Wire, host_event: str, data: bytes, environment: Environment, run: Run, memory_dir: str = "") -> bytes:
    """
    The bytes that answer a payload.

    Raises:
        ValueError: The payload is not a JSON object.
        HfaError: The memory cannot be used; the caller answers with the empty reply.
    """
    if environment.off:
        run.outcome = "off"
        return wire.empty
    payload = parse_json(decode_utf8(data, "replace"))
    fields = as_mapping(payload)
    if not isinstance(payload, dict):
        raise ValueError(f"the payload is a {type(payload).__name__}, not an object")
    event = wire.parse_event(host_event, fields)
    if event is None:
        run.outcome = "ignored"
        return wire.empty
    run.session = event.session_id
    layout = find_memory(memory_dir, environment, event.cwd or os.getcwd())
    if layout is None:
        run.outcome = "no memory"
        return wire.empty
    run.user = UserLayout(environment.user_dir, read_config(layout).memory_id)
    if is_off(environment, layout):
        run.outcome = "off"
        return wire.empty
    ensure_recovered(layout, lock_timeout_s=LOCK_TIMEOUT_S)
    if wire.complete and event.transcript and _is_wanting(event):
        from hfa_core.hook.transcript import read_rows

        wire.complete(event, read_rows(event.transcript))
    reply = _load_handler(event.name)(event, Occasion(layout, run.user, time.time()))
    run.outcome = "context" if reply.context else reply.note or "nothing"
    return wire.render_reply(event, reply) if reply.context else wire.empty


def _is_wanting(event: HookEvent) -> bool:
    """Whether an event lacks the text that it is about."""
    if event.name == "stop":
        return not (event.message or event.decision)
    return event.name in ("prompt", "invocation") and not event.prompt


def _load_handler(name: str) -> Callable[[HookEvent, Occasion], HookReply]:
    """The handler of an event, such as `prompt`; a process answers one event, so no other one is imported."""
    module = __import__(f"hfa_core.hook.on_{name}", fromlist=["handle"])
    return module.handle


def read_stdin() -> bytes:
    """Everything on stdin up to `STDIN_BYTES`; empty where stdin is closed."""
    parts: list[bytes] = []
    size = 0
    try:
        while size < STDIN_BYTES:
            part = os.read(0, _READ_BYTES)
            if not part:
                break
            parts.append(part)
            size += len(part)
    except OSError:
        return b""
    return b"".join(parts)


def _write_stdout(output: bytes) -> None:
    view = memoryview(output)
    try:
        while view:
            view = view[os.write(1, view) :]
    except OSError:
        # The host hung up; nobody is left to tell.
        return


def _log(run: Run, environment: Environment, error: BaseException | None) -> None:
    user = run.user or UserLayout(environment.user_dir)
    entry: dict[str, object] = {
        "host": run.host,
        "event": run.event,
        "outcome": run.outcome,
        "ms": round((time.monotonic() - run.started) * 1000, 1),
    }
    if run.session:
        entry["session"] = session_name(run.session)
    if error is not None:
        entry["error"] = type(error).__name__
        entry["message"] = _redact(str(error))[:500]
    write_entry(user.hook_log, entry, now=time.time())


def _redact(text: str) -> str:
    from hfa_core.redact import redact

    return redact(text)

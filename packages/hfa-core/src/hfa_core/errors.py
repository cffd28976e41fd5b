"""Every exception that HFA raises on purpose, each with the exit code of the command it ends.

A class stands for one condition that a caller or a user can act on. Its message says what, where and what to do,
and never proposes a destructive step. Exit codes are never reused: 1 is any other `HfaError`, 2 is a usage error.
"""

from __future__ import annotations


class HfaError(Exception):
    """A condition that ends the command with a message instead of a traceback."""

    exit_code = 1

    def as_json(self) -> dict[str, object]:
        """The error as `--json` and MCP show it: what, where and what to do are in the message."""
        return {"error": {"type": type(self).__name__, "message": str(self), "exit_code": self.exit_code}}


class MemoryNotFoundError(HfaError):
    """No memory was found from a folder upwards. Nothing was read or written."""

    exit_code = 10

    def __init__(self, start: str) -> None:
        super().__init__(f"no memory found from {start} upwards; run `hfa init` in the project to make one")
        self.start = start


class ForeignMemoryError(HfaError):
    """A folder that HFA did not make stands where a memory would be. It was left as it was."""

    exit_code = 11

    def __init__(self, path: str) -> None:
        super().__init__(
            f'{path} is not an HFA memory and was left alone; name another folder with `{{"memory_dir": "NAME"}}` '
            "in .hfa.json at the project root, or with --memory-dir"
        )
        self.path = path


class MemoryDamagedError(HfaError):
    """A file of truth cannot be used as it stands. It was left as it was."""

    exit_code = 12

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class ConfigError(HfaError):
    """A key of a configuration file has a value that cannot be used. The file was left as it was."""

    exit_code = 13

    def __init__(self, path: str, key: str, reason: str) -> None:
        super().__init__(f"{path}: `{key}` {reason}")
        self.path = path
        self.key = key
        self.reason = reason


class UnsupportedFormatError(HfaError):
    """A file was written by a newer HFA: it cannot be read, or not be written. It was left as it was."""

    exit_code = 14

    def __init__(self, path: str, found: str, known: str, *, verb: str = "use") -> None:
        super().__init__(f"{path}: format {found!r} is newer than {known!r}; install a newer HFA to {verb} it")
        self.path = path
        self.found = found
        self.known = known
        self.verb = verb


class MemoryOffError(HfaError):
    """The memory is switched off for this project or this process. Nothing was written."""

    exit_code = 15

    def __init__(self, switch: str) -> None:
        super().__init__(f"the memory is off ({switch}); nothing was written")
        self.switch = switch


class NoProjectError(HfaError):
    """A memory should be made where no project is. Nothing was written."""

    exit_code = 16

    def __init__(self, folder: str) -> None:
        super().__init__(f"{folder} is no project; run this in a project's folder, or name one with --memory-dir")
        self.folder = folder


class UpgradeError(HfaError):
    """A memory cannot be brought to another format as it stands. Nothing was changed."""

    exit_code = 17

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}; nothing was changed")
        self.path = path
        self.reason = reason


class InvalidRecordError(HfaError):
    """A field of a record breaks a rule of the format. Nothing was written."""

    exit_code = 20

    def __init__(self, field: str, value: str, rule: str) -> None:
        shown = value if len(value) <= 60 else value[:57] + "..."
        super().__init__(f"{field}: {shown!r} {rule}; nothing was written")
        self.field = field
        self.value = value
        self.rule = rule


class RequestConflictError(HfaError):
    """A request id is already taken by a record with other content. Nothing was written."""

    exit_code = 21

    def __init__(self, request_id: str, chunk_id: str) -> None:
        super().__init__(
            f"request id {request_id!r} already belongs to {chunk_id}, whose content differs; "
            "use a new request id, or supersede that record; nothing was written"
        )
        self.request_id = request_id
        self.chunk_id = chunk_id


class SupersedeError(HfaError):
    """A record that should be superseded cannot be. Nothing was written."""

    exit_code = 22

    def __init__(self, chunk_id: str, reason: str) -> None:
        super().__init__(f"cannot supersede {chunk_id}: {reason}; nothing was written")
        self.chunk_id = chunk_id
        self.reason = reason


class NodeError(HfaError):
    """A node cannot take a record. Nothing was written."""

    exit_code = 23

    def __init__(self, node_id: str, reason: str) -> None:
        super().__init__(f"node {node_id}: {reason}; nothing was written")
        self.node_id = node_id
        self.reason = reason


class UnlockReasonError(HfaError):
    """The focus lock was asked to open without a reason. Nothing was shown."""

    exit_code = 24

    def __init__(self) -> None:
        super().__init__('--unlock needs a reason, such as --unlock "comparing with the old branch"; nothing was shown')


class CaptureError(HfaError):
    """Some of a turn's decisions could not be stored; the others were."""

    exit_code = 25

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("not stored: " + " | ".join(problems))
        self.problems = problems


class UnknownRecordError(HfaError):
    """No record has the id that was asked for. Nothing was changed."""

    exit_code = 28

    def __init__(self, asked: str, near: tuple[str, ...]) -> None:
        hint = f"the nearest are {', '.join(near)}" if near else "`hfa list --state all` shows what there is"
        super().__init__(f"no record is called {asked!r}; {hint}")
        self.asked = asked
        self.near = near


class AmbiguousIdError(HfaError):
    """An abbreviated id fits several records. Nothing was changed."""

    exit_code = 29

    def __init__(self, asked: str, candidates: tuple[str, ...]) -> None:
        super().__init__(f"{asked!r} may be any of {', '.join(candidates)}; give more of the id")
        self.asked = asked
        self.candidates = candidates


class UnknownHostError(HfaError):
    """No installed adapter speaks for the named host. Nothing was changed."""

    exit_code = 30

    def __init__(self, host: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown host {host!r}; installed adapters: {', '.join(known) or 'none'}")
        self.host = host
        self.known = known


class UnknownBackendError(HfaError):
    """No installed plugin offers the named search engine. Nothing was changed."""

    exit_code = 33

    def __init__(self, backend: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown backend {backend!r}; plugins offer: {', '.join(known) or 'none'}")
        self.backend = backend
        self.known = known


class BackendError(HfaError):
    """A plugin's search engine failed, or answered with something else than ids. Nothing was changed."""

    exit_code = 38

    def __init__(self, backend: str, problem: str) -> None:
        super().__init__(f"backend {backend}: {problem}; leave `--backend` out to search with the built-in one")
        self.backend = backend
        self.problem = problem


class ProfileError(HfaError):
    """The profile that describes a host is missing or not as it should be. Nothing was changed."""

    exit_code = 34

    def __init__(self, path: str, key: str, problem: str) -> None:
        super().__init__(f"{path}: {f'`{key}` ' if key else ''}{problem}")
        self.path = path
        self.key = key
        self.problem = problem


class HostConfigError(HfaError):
    """A host's configuration file cannot be read or edited safely. It was left as it was."""

    exit_code = 31

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}; nothing was changed")
        self.path = path
        self.reason = reason


class UnsupportedHostError(HfaError):
    """The adapter of a host cannot do what was asked yet. Nothing was changed."""

    exit_code = 32

    def __init__(self, host: str, capability: str) -> None:
        super().__init__(f"{host}: {capability} is unsupported in this version; nothing was changed")
        self.host = host
        self.capability = capability


class LockTimeoutError(HfaError):
    """Another process held the memory's lock for too long. Nothing was written."""

    exit_code = 40

    def __init__(self, path: str, timeout_s: float) -> None:
        super().__init__(
            f"{path} was held by another process for {timeout_s:g} s; nothing was written; "
            "try again when it has finished"
        )
        self.path = path
        self.timeout_s = timeout_s


class StorageError(HfaError):
    """The system refused to read or write a file. What was there before is still there."""

    exit_code = 41

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}; what was there before is unchanged")
        self.path = path
        self.reason = reason


class UnfinishedError(StorageError):
    """The system refused a file after an operation was decided. It counts as done; whoever comes next finishes it."""

    exit_code = 44

    def __init__(self, operation: str, path: str, reason: str) -> None:
        HfaError.__init__(
            self,
            f"{path}: {reason}; the {operation} is decided but not finished: do not repeat it, make the file writable, "
            "and the next command finishes it",
        )
        self.operation = operation
        self.path = path
        self.reason = reason


class EditedMeanwhileError(HfaError):
    """Another program changed a file while a change of ours to it was being prepared. Nothing was written."""

    exit_code = 45

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} was changed by another program at the same moment; nothing was written; run the command again"
        )
        self.path = path


class JournalError(HfaError):
    """A transaction journal stands in the memory and cannot be finished. Reading and writing are blocked."""

    exit_code = 42

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"{path}: {reason}; reading and writing are blocked until it is resolved; "
            "keep a copy of the file, then see docs/explanation/transactions.md"
        )
        self.path = path
        self.reason = reason


class NotTextError(HfaError):
    """A file that should be counted is not UTF-8 text. Nothing was counted or changed."""

    exit_code = 43

    def __init__(self, path: str, place: int) -> None:
        super().__init__(f"{path}: is not UTF-8 text at byte {place}; leave it out; nothing was counted")
        self.path = path
        self.place = place


class VerifyError(HfaError):
    """Verification found faults; they are listed in the report that was printed."""

    exit_code = 50

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} finding{'s' if count != 1 else ''}")
        self.count = count


class MissingExtraError(HfaError):
    """A command needs an optional part of HFA that is not installed. Nothing was started."""

    exit_code = 60

    def __init__(self, command: str, extra: str) -> None:
        super().__init__(f'{command} needs the extra `{extra}`; install it with: pip install "hfa-core[{extra}]"')
        self.command = command
        self.extra = extra


class ListenError(HfaError):
    """A server cannot listen on an address. Nothing was started."""

    exit_code = 61

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"cannot listen on {address}: {reason}; name another with --http HOST:PORT")
        self.address = address
        self.reason = reason


class RemoteAddressError(HfaError):
    """A server should listen beyond this machine, and nobody said so expressly. Nothing was started."""

    exit_code = 62

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{address} can be reached from other machines; if that is meant, add --allow-remote NAME with the name "
            "under which clients reach it"
        )
        self.address = address


class TokenFileError(HfaError):
    """The file with a server's token cannot be trusted. It was left as it was, and nothing was started."""

    exit_code = 63

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}; nothing was started")
        self.path = path
        self.reason = reason

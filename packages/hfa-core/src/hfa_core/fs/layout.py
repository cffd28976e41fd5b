"""The name of every folder and file of a memory and of a user's state, and nothing else."""

from __future__ import annotations

import os

from hfa_core.model import Record

MEMORY_FOLDER = "memory"
PROJECT_SETTINGS = ".hfa.json"


class Layout(Record):
    """Where the parts of one memory are; `root` is its folder, absolute."""

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = root

    def _at(self, *names: str) -> str:
        return os.path.join(self.root, *names)

    @property
    def config(self) -> str:
        """Settings of this memory; the file that makes a folder a memory."""
        return self._at("config.json")

    @property
    def directory(self) -> str:
        """L0, the table of nodes."""
        return self._at("directory.md")

    @property
    def tombstones(self) -> str:
        """One line for each node that was tombstoned: when, and why."""
        return self._at("tombstones.jsonl")

    @property
    def chunks(self) -> str:
        """L1, the folder of records: the only source of truth."""
        return self._at("chunks")

    def chunk(self, chunk_id: str) -> str:
        """The file of one record."""
        return self._at("chunks", f"{chunk_id}.json")

    @property
    def index(self) -> str:
        """Everything that can be rebuilt from L0 and L1."""
        return self._at("index")

    @property
    def database(self) -> str:
        """The SQLite index."""
        return self._at("index", "fts.sqlite")

    def epoch(self, number: int) -> str:
        """The folder of one epoch's generated views."""
        return self._at("history", f"epoch_{number:02d}")

    def summaries(self, epoch: int) -> str:
        """The generated list of an epoch's records."""
        return os.path.join(self.epoch(epoch), "summaries.md")

    def framework(self, epoch: int) -> str:
        """Whether an epoch is active or sealed."""
        return os.path.join(self.epoch(epoch), "framework.md")

    @property
    def stream(self) -> str:
        """The milestone log, where it is switched on."""
        return self._at("history", "stream.md")

    @property
    def access_log(self) -> str:
        """One line for each time the focus lock was opened."""
        return self._at("history", "access.jsonl")

    @property
    def lock(self) -> str:
        """The file whose lock writers hold."""
        return self._at(".hfa.lock")

    @property
    def journal(self) -> str:
        """A transaction that is decided and not yet applied."""
        return self._at(".hfa-transaction.json")

    @property
    def turn_cache(self) -> str:
        """The folder of what a turn keeps between two hook processes; never in git."""
        return self._at(".local", "turn-cache")

    @property
    def workspace(self) -> str:
        """The folder that holds the memory: what `paths` of records are relative to."""
        return os.path.dirname(self.root)


class UserLayout(Record):
    """Where one user's private files are; `root` is the user folder, `memory_id` the memory they belong to."""

    __slots__ = ("memory_id", "root")

    def __init__(self, root: str, memory_id: str = "") -> None:
        self.root = root
        self.memory_id = memory_id

    @property
    def folder(self) -> str:
        """The folder for this memory, or the user folder itself where no memory is known."""
        return os.path.join(self.root, self.memory_id) if self.memory_id else self.root

    @property
    def hook_log(self) -> str:
        """One line for each hook that ran."""
        return os.path.join(self.folder, "hook.jsonl")

    @property
    def receipts(self) -> str:
        """One line for each text that was handed to a host."""
        return os.path.join(self.folder, "receipts.jsonl")

    @property
    def sessions(self) -> str:
        """The folder of the session registry."""
        return os.path.join(self.folder, "sessions")

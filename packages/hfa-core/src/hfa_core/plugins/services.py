"""What a plugin may offer beside hosts: another index to search in, and a model for maintenance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from hfa_core.errors import BackendError
from hfa_core.store.schema import parse_id

LOOKED_AT = 50
"""choice: how many proposals are asked for. Most recalls show two; focus, branch and supersession take some away."""


@runtime_checkable
class IndexBackend(Protocol):
    """
    A search engine beside the built-in one, for `hfa recall --backend NAME`.

    It only proposes: what is in focus, current, on this branch and within the budget is decided as for any recall, and
    every record comes from its own file. Hooks never ask it, since they load no plugin.
    """

    @property
    def name(self) -> str:
        """The word on the command line, such as `vectors`."""
        ...

    def find(self, memory: Path, text: str, limit: int) -> Sequence[str]:
        """
        The ids of the records that may answer a text, best first; at most `limit`. Ids that the memory does not have
        are passed over.

        Args:
            memory: The folder of the memory.
            text: The prompt as it was given.
            limit: How many are looked at.
        """
        ...


@runtime_checkable
class MaintenanceModel(Protocol):
    """A language model that answers work orders of the background upkeep; core itself calls none."""

    @property
    def name(self) -> str:
        """The word on the command line and in the journal, such as `claude`."""
        ...

    def answer(self, order: str, *, limit_s: float) -> str:
        """
        What the model makes of a work order; whatever it is, it is checked before anything is stored.

        Args:
            order: The work order, with its contract, as one text.
            limit_s: Seconds after which the answer is no longer wanted.

        Raises:
            TimeoutError: It took longer.
            OSError: It could not be reached.
        """
        ...


def propose(backend: IndexBackend, memory: Path, text: str) -> tuple[str, ...]:
    """
    What a backend proposes, each id once.

    Raises:
        BackendError: It raised, or what it gave is no list of texts.
    """
    try:
        found: list[object] = list(backend.find(memory, text, LOOKED_AT))
    except Exception as error:
        raise BackendError(backend.name, f"{type(error).__name__}: {error}") from error
    ids = [one for one in found[:LOOKED_AT] if isinstance(one, str)]
    if len(ids) != len(found[:LOOKED_AT]):
        raise BackendError(backend.name, "what it found is no list of ids")
    return tuple(dict.fromkeys(one for one in ids if parse_id(one)))

"""How a run of the `hfa` command ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple, TypeAlias, cast


class Done(NamedTuple):
    """The exit code, stdout and stderr of one command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, object]:
        """Stdout, which must be one JSON object and nothing else, with a silent stderr."""
        assert self.err == "", self
        document = json.loads(self.out)
        assert isinstance(document, dict), self
        return cast("dict[str, object]", document)


Hfa: TypeAlias = Callable[..., Done]
"""Runs a command: its words as arguments."""

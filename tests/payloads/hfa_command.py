"""A run of the `hfa` command in this process, and how it ended."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

import pytest

from hfa_core.cli import main


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


def run_hfa(
    arguments: tuple[str, ...], cwd: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Done:
    """Run the command in a folder as the console script would, without the cost of a process."""
    monkeypatch.chdir(cwd)
    monkeypatch.setattr(sys, "argv", ["hfa", *arguments])
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main()
    captured = capsys.readouterr()
    code = ended.value.code
    return Done(code if isinstance(code, int) else 0 if code is None else 1, captured.out, captured.err)

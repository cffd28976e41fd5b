"""What a person sees when the system refuses: one line that names the file and the cause, and an exit code."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from tests.payloads.hfa_command import Hfa

ADD = ("remember", "--title", "Golive on Friday", "--hit-words", "golive", "--conclusion", "We go live on Fridays.")
pytestmark = pytest.mark.usefixtures("memory")


def refuse(patch: pytest.MonkeyPatch, kind: str, part: str, code: int) -> None:
    """From here on effects of a kind on paths with `part` fail."""

    def effect(found: str, path: str) -> None:
        if found == kind and part in path:
            raise OSError(code, os.strerror(code), path)

    patch.setattr("hfa_core.fs.atomic._effect", effect)


@pytest.mark.parametrize(
    ("kind", "code"), [("write", errno.ENOSPC), ("fsync", errno.EIO), ("create", errno.EACCES), ("create", errno.EROFS)]
)
def test_a_refused_record_names_file_and_cause_and_is_stored_by_the_same_command_later(
    hfa: Hfa, kind: str, code: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        refuse(patch, kind, "chunks", code)
        done = hfa(*ADD)
        as_json = hfa(*ADD, "--json")

    assert done.code == 41
    assert done.err.count("\n") == 1
    assert "chunks" in done.err
    assert os.strerror(code) in done.err
    assert json.loads(as_json.out)["error"]["exit_code"] == 41
    assert "golive" not in hfa("recall", "golive").out
    assert hfa(*ADD).code == 0
    assert "live on Fridays" in hfa("recall", "golive").out


def test_a_page_that_cannot_be_written_is_told_and_no_failure_of_the_write(hfa: Hfa, memory: Layout) -> None:
    with pytest.MonkeyPatch.context() as patch:
        refuse(patch, "write", "history", errno.ENOSPC)
        done = hfa(*ADD)

    assert done.code == 0
    assert "the record is stored" in done.err
    assert os.strerror(errno.ENOSPC) in done.err
    assert hfa("reindex").code == 0
    assert "Golive on Friday" in Path(memory.summaries(1)).read_text(encoding="utf-8")


def test_a_decided_operation_says_that_it_must_not_be_repeated_and_the_next_command_finishes_it(hfa: Hfa) -> None:
    with pytest.MonkeyPatch.context() as patch:
        refuse(patch, "rename", "directory.md", errno.EACCES)
        done = hfa("node", "add", "移动客户端")
        blocked = hfa("recall", "golive")

    assert (done.code, blocked.code) == (44, 44)
    assert "do not repeat it" in done.err
    listed = hfa("node", "list")
    assert (listed.code, listed.out.count("移动客户端")) == (0, 1)

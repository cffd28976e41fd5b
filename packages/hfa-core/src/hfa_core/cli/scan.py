"""`hfa scan`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from typing import Annotated

import typer

from hfa_core.cli.output import plural, print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.errors import StorageError, VerifyError
from hfa_core.index.problem import Problem
from hfa_core.index.secrets import find_in_file, find_in_memory, find_in_text


def scan(
    files: Annotated[list[str] | None, typer.Argument(help="Files to look at; without any, the whole memory.")] = None,
    staged: Annotated[bool, typer.Option("--staged", help="What is staged for the next commit.")] = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Look for secrets in files and change nothing.

    A finding names file, place and kind, never the secret, and ends with exit code 50.

    As a git hook, `.git/hooks/pre-commit`: exec hfa scan --staged

    Example: hfa scan --json
    """
    if staged:
        found = list(_find_staged())
    elif files:
        found = [problem for path in files for problem in _find_in_file(path)]
    else:
        layout, _ = open_memory(memory_dir)
        found = list(find_in_memory(layout))
    if as_json:
        print_json({"ok": not found, "findings": [problem.as_json() for problem in found]})
    else:
        print_lines(*(f"{one.severity:7} {one.code}: {one.path}: {one.text}" for one in found))
        print_lines(f"{plural(len(found), 'secret')} found; {found[0].fix}." if found else "No secret was found.")
    if found:
        raise typer.Exit(VerifyError.exit_code)


def _find_in_file(path: str) -> Iterator[Problem]:
    if not os.path.isfile(path):
        raise StorageError(path, "is no file")
    return find_in_file(os.path.realpath(path))


def _find_staged() -> Iterator[Problem]:
    """
    The files of the next commit as git holds them, wherever in the repository they are.

    Raises:
        StorageError: git cannot be run here.
    """
    names = _git("diff", "--cached", "--name-only", "--no-renames", "--diff-filter=d", "-z").split(b"\0")
    for name in filter(None, names):
        path = os.fsdecode(name)
        yield from find_in_text(path, _git("show", f":{path}").decode("utf-8", "replace"))


def _git(*arguments: str) -> bytes:
    try:
        return subprocess.run(["git", *arguments], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", b"") or str(error).encode()
        raise StorageError(os.getcwd(), f"git says {reason.decode('utf-8', 'replace').strip()}") from error

"""`hfa verify`."""

from __future__ import annotations

from typing import Annotated

import typer

from hfa_core.cli.output import plural, print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.errors import VerifyError
from hfa_core.fs.layout import Layout
from hfa_core.index.problem import ERROR
from hfa_core.index.secrets import find_in_memory
from hfa_core.index.verify import verify_memory


def verify(
    secrets: Annotated[bool, typer.Option("--secrets", help="Also look for secrets in every file.")] = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Check every file and the index and change nothing, as for CI; an error ends with exit code 50, a warning does not.

    Example: hfa verify --secrets --json
    """
    layout, _ = open_memory(memory_dir)
    report(layout, as_json, with_secrets=secrets)


def report(layout: Layout, as_json: bool, *, with_secrets: bool = False) -> None:
    """Print what verification finds and leave with its exit code."""
    problems = [*(find_in_memory(layout) if with_secrets else ()), *verify_memory(layout)]
    errors = sum(problem.severity == ERROR for problem in problems)
    if as_json:
        print_json({"ok": not errors, "findings": [problem.as_json() for problem in problems]})
    else:
        for one in problems:
            print_lines(f"{one.severity:7} {one.code}: {one.path}: {one.text}")
            print_lines(*([f"        fix: {one.fix}"] if one.fix else []))
        sound = "Everything is sound" if not problems else "Nothing is unsound"
        verdict = plural(errors, "error") if errors else sound
        others = len(problems) - errors
        print_lines(verdict + (f"; {plural(others, 'other finding')}." if others else "."))
    if errors:
        raise typer.Exit(VerifyError.exit_code)

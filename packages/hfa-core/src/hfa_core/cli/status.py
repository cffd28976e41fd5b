"""`hfa status`."""

from __future__ import annotations

import typer

from hfa_core.cli.output import plural, print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.errors import VerifyError
from hfa_core.light.json_codec import as_mapping, as_texts
from hfa_core.operations.status import read_status


def status(memory_dir: MemoryDirOption = "", as_json: JsonOption = False) -> None:
    """
    Say what the memory holds and whether it is sound; damage ends with exit code 50, and changes nothing.

    Example: hfa status --json
    """
    facts = read_status(*open_memory(memory_dir))
    problems = as_texts(facts["problems"])
    if as_json:
        print_json(facts)
    else:
        print_lines(*_describe(facts, problems))
    if problems:
        raise typer.Exit(VerifyError.exit_code)


def _describe(facts: dict[str, object], problems: tuple[str, ...]) -> list[str]:
    lines = [f"memory       {facts['memory_dir']}"]
    main, records, budgets, tokens = (
        as_mapping(facts.get(key)) for key in ("active_main", "records", "budgets", "tokens")
    )
    if main:
        lines.append(f"active line  {main['id']} {main['title']}, epoch {facts.get('epoch')}")
    if records:
        lines.append(f"records      {records['current']} current, {records['superseded']} superseded")
    if budgets:
        lines.append(f"budgets      {budgets['recall']} tokens recalled, {budgets['router']} routed")
    if tokens:
        why = f" ({tokens['problem']})" if tokens["problem"] else ""
        counts = f"{tokens['counted']} counted exactly, {tokens['estimated']} estimated"
        lines.append(f"tokens       {tokens['method']}: {counts}{why}")
    if facts.get("read_only"):
        lines.append(f"read only    {facts['read_only']}")
    if facts.get("off"):
        lines.append(f"off          {facts['off']}")
    for name, last in as_mapping(facts.get("hooks")).items():
        lines.append(f"last hook    {name}: {as_mapping(last)['time']} {as_mapping(last)['outcome']}")
    lines += [f"problem      {problem}" for problem in problems]
    return [*lines, "sound" if not problems else plural(len(problems), "problem")]

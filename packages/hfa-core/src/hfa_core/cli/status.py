"""`hfa status`."""

from __future__ import annotations

import typer

from hfa_core.cli.output import plural, print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory, user_layout
from hfa_core.errors import HfaError, VerifyError
from hfa_core.fs.layout import Layout
from hfa_core.hook.log import read_entries
from hfa_core.index.database import open_database
from hfa_core.index.freshness import is_current, source_digest
from hfa_core.index.lookup import count_exact, list_damaged, list_superseded
from hfa_core.index.sync import sync_to_read
from hfa_core.light.json_codec import as_mapping
from hfa_core.settings import Environment
from hfa_core.store.config import describe_newer, read_config
from hfa_core.store.directory import read_directory
from hfa_core.store.locate import is_off
from hfa_core.tokens import METHOD_ESTIMATE, METHOD_EXACT
from hfa_core.tokens.exact import find_problem, load_counter
from hfa_core.transaction.opening import ensure_recovered


def status(memory_dir: MemoryDirOption = "", as_json: JsonOption = False) -> None:
    """
    Say what the memory holds and whether it is sound; damage ends with exit code 50, and changes nothing.

    Example: hfa status --json
    """
    layout, environment = open_memory(memory_dir)
    facts: dict[str, object] = {"memory_dir": layout.root}
    problems: list[str] = []
    for part in (_config_facts, _directory_facts, _index_facts, _hook_facts):
        try:
            facts |= part(layout, environment, problems)
        except HfaError as error:
            problems.append(str(error))
    problems = list(dict.fromkeys(problems))
    facts["problems"] = problems
    if as_json:
        print_json(facts)
    else:
        print_lines(*_describe(facts, problems))
    if problems:
        raise typer.Exit(VerifyError.exit_code)


def _config_facts(layout: Layout, environment: Environment, problems: list[str]) -> dict[str, object]:
    config = read_config(layout)
    if not config.is_newer:
        problems += [f"{layout.config}: unknown key `{key}` is ignored" for key in config.unknown_keys]
    return {
        "format": config.format,
        "read_only": describe_newer(config) if config.is_newer else "",
        "memory_id": config.memory_id,
        "off": is_off(environment, layout),
        "budgets": {"recall": config.recall_budget, "router": config.router_budget},
    }


def _directory_facts(layout: Layout, _environment: Environment, _problems: list[str]) -> dict[str, object]:
    directory = read_directory(layout)
    main = directory.active_main(layout.directory)
    return {
        "active_main": {"id": main.id, "title": main.title},
        "epoch": directory.epoch,
        "nodes": len(directory.nodes),
    }


def _index_facts(layout: Layout, _environment: Environment, problems: list[str]) -> dict[str, object]:
    ensure_recovered(layout)
    directory = read_directory(layout)
    with open_database(layout) as database:
        fresh = is_current(database)
        sync_to_read(database, directory, find_counter=load_counter)
        problems += list_damaged(database)
        count = database.get_meta("count")
        records = count if isinstance(count, int) else 0
        superseded = len(list_superseded(database))
        digest = source_digest(database, layout)
        counted = count_exact(database)
    return {
        "records": {"all": records, "current": records - superseded, "superseded": superseded},
        "index": {"was_current": fresh, "source_digest": digest},
        "tokens": _token_facts(records, counted),
    }


def _token_facts(records: int, counted: int) -> dict[str, object]:
    """How the stored records were counted; the tokenizer is only looked at where that leaves a question."""
    problem = find_problem() if counted < records or not records else ""
    exact = counted == records and not problem
    return {
        "method": METHOD_EXACT if exact else METHOD_ESTIMATE,
        "exact": exact,
        "counted": counted,
        "estimated": records - counted,
        "problem": problem,
    }


def _hook_facts(layout: Layout, environment: Environment, _problems: list[str]) -> dict[str, object]:
    last: dict[str, object] = {}
    for entry in read_entries(user_layout(layout, environment).hook_log, limit=2000):
        name = f"{entry.get('host')} {entry.get('event')}"
        last.setdefault(name, {"time": entry.get("time"), "outcome": entry.get("outcome")})
    return {"hooks": last}


def _describe(facts: dict[str, object], problems: list[str]) -> list[str]:
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

"""What a memory holds and whether it is sound: the facts of `hfa status`."""

from __future__ import annotations

from hfa_core.errors import HfaError
from hfa_core.fs.layout import UserLayout
from hfa_core.hook.log import read_entries
from hfa_core.index.database import open_database
from hfa_core.index.freshness import is_current, source_digest
from hfa_core.index.lookup import count_exact, list_damaged, list_superseded
from hfa_core.index.sync import sync_to_read
from hfa_core.store.config import describe_newer, read_config
from hfa_core.store.directory import read_directory
from hfa_core.store.locate import is_off
from hfa_core.tokens import METHOD_ESTIMATE, METHOD_EXACT
from hfa_core.tokens.exact import find_problem, load_counter
from hfa_core.transaction.opening import ensure_recovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout
    from hfa_core.settings import Environment

MAXIMUM_PROBLEMS = 10
"""Beyond these only their number is said: an agent that asks pays for every line. `hfa verify` lists all."""


def read_status(layout: Layout, environment: Environment) -> dict[str, object]:
    """
    The facts as the JSON of `hfa status --json`; `problems` lists what is wrong, and facts that cannot be told for it
    are missing.
    """
    facts: dict[str, object] = {"memory_dir": layout.root}
    problems: list[str] = []
    for part in (_config_facts, _directory_facts, _index_facts, _hook_facts):
        try:
            facts |= part(layout, environment, problems)
        except HfaError as error:
            problems.append(str(error))
    distinct = list(dict.fromkeys(problems))
    more = len(distinct) - MAXIMUM_PROBLEMS
    rest = [f"{more} more; `hfa verify` lists all"] if more > 0 else []
    facts["problems"] = distinct[:MAXIMUM_PROBLEMS] + rest
    return facts


def user_layout(layout: Layout, environment: Environment) -> UserLayout:
    """The user's private folder for a memory."""
    return UserLayout(environment.user_dir, read_config(layout).memory_id)


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

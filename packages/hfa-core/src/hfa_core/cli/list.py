"""`hfa list`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from hfa_core.cli.output import plural, print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, open_memory
from hfa_core.cli.show import describe_state
from hfa_core.index.database import open_database
from hfa_core.index.lineage import CURRENT, Link
from hfa_core.index.listing import Page, list_page
from hfa_core.index.sync import sync_to_read
from hfa_core.model import KINDS
from hfa_core.scope.grammar import FORMS, PROJECT, is_scope
from hfa_core.store.directory import read_directory
from hfa_core.tokens.exact import load_counter
from hfa_core.transaction.opening import ensure_recovered

MAXIMUM_LIMIT = 1000
MAXIMUM_PAGE = 1_000_000


def _check_kind(kind: str) -> str:
    if kind and kind not in KINDS:
        raise typer.BadParameter(f"{kind!r} must be one of {', '.join(KINDS)}")
    return kind


def _check_scope(scope: str) -> str:
    if scope and not is_scope(scope):
        raise typer.BadParameter(f"{scope!r} is no scope; a scope is {', '.join(FORMS)}")
    return scope


def list_records(
    scope: Annotated[
        str, typer.Option("--in", metavar="SCOPE", callback=_check_scope, help="Only records of this scope.")
    ] = "",
    node: Annotated[str, typer.Option(help="Only records of this node, such as M1.")] = "",
    kind: Annotated[str, typer.Option(callback=_check_kind, help="Only this kind, such as pitfall.")] = "",
    state: Annotated[
        Literal["current", "superseded", "damaged", "all"],
        typer.Option(help="Disputed records count as superseded."),
    ] = "current",
    limit: Annotated[int, typer.Option(min=1, max=MAXIMUM_LIMIT, help="Records a page.")] = 20,
    page: Annotated[int, typer.Option(min=1, max=MAXIMUM_PAGE, help="Which page; the first is 1.")] = 1,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    List the records, newest first, a page at a time.

    Example: hfa list --node M1 --kind decision --state all
    """
    layout, _ = open_memory(memory_dir)
    ensure_recovered(layout)
    directory = read_directory(layout)
    with open_database(layout) as database:
        sync_to_read(database, directory, find_counter=load_counter)
        found = list_page(database, scope=scope, state=state, node=node, kind=kind, limit=limit, page=page)
    if as_json:
        records = [_as_json(link) for link in found.records]
        print_json({"total": found.total, "page": found.page, "pages": found.pages, "records": records})
    else:
        print_lines(*_describe(found))


def _as_json(link: Link) -> dict[str, object]:
    return {
        "id": link.id,
        "scope": PROJECT,
        "title": link.title,
        "kind": link.kind,
        "node": link.node,
        "created_at": link.created_at,
        "state": link.state,
        "superseded_by": list(link.successors),
        "problem": link.problem,
    }


def _describe(found: Page) -> list[str]:
    lines: list[str] = []
    for link in found.records:
        facts = " ".join(one for one in (link.created_at[:10], link.node, link.kind) if one)
        state = "" if link.state == CURRENT else f"  [{describe_state(link)}]"
        lines.append(f"{link.id}  {facts}  {link.title or link.problem}{state}")
    return [*lines, f"{plural(found.total, 'record')}, page {found.page} of {found.pages}"]

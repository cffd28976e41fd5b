"""`hfa add-topic`, also called `hfa remember`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hfa_core.capture.remember import redact_draft, refuse_if_off
from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import DryRunOption, JsonOption, MemoryDirOption, open_memory
from hfa_core.model import Draft
from hfa_core.operations.record import draft_of, store
from hfa_core.store.locate import is_off
from hfa_core.store.schema import check_draft


def add_topic(
    title: Annotated[str, typer.Option(help="What was decided, in one line.")],
    hit_words: Annotated[
        list[str], typer.Option("--hit-words", "--hit-word", help="1 to 8 exact words; commas or repetition separate.")
    ],
    conclusion: Annotated[list[str], typer.Option(help="One line; up to three times.")],
    kind: Annotated[str, typer.Option(help="decision, fact, pitfall, preference, ...")] = "decision",
    node: Annotated[str, typer.Option(help="Node of the directory; else the active main line.")] = "",
    path: Annotated[list[str] | None, typer.Option(help="A file it is about, relative to the repository.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A free label.")] = None,
    source: Annotated[str, typer.Option(help="Where it comes from: a document, an issue.")] = "",
    supersedes: Annotated[list[str] | None, typer.Option(help="A record that this one replaces.")] = None,
    request_id: Annotated[str, typer.Option(help="The same id and content again stores nothing.")] = "",
    dry_run: DryRunOption = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Store one record; secrets in it are redacted first.

    Example: hfa add-topic --title "Tokens rotate daily" --hit-words "refresh token,rotation"
    --conclusion "The auth service rotates refresh tokens every 24 h." --path src/auth/jwt.ts
    """
    layout, environment = open_memory(memory_dir)
    refuse_if_off(is_off(environment, layout))
    draft = draft_of(
        layout,
        title=title,
        hit_words=hit_words,
        conclusion=conclusion,
        kind=kind,
        node=node,
        paths=path or (),
        tags=tag or (),
        ref=source,
        supersedes=supersedes or (),
        request_id=request_id,
        source_kind="cli",
    )
    if dry_run:
        _show_draft(check_draft(redact_draft(draft)), as_json)
        return
    stored = store(layout, draft)
    if stored.lag:
        print(f"hfa: the record is stored; its page is behind until the next write ({stored.lag})", file=sys.stderr)
    if as_json:
        print_json(stored.as_json())
    else:
        print_lines(f"{stored.id} {'was there already; nothing was stored' if stored.duplicate else 'is stored'}.")


def _show_draft(draft: Draft, as_json: bool) -> None:
    if as_json:
        content = {
            "title": draft.title,
            "kind": draft.kind,
            "hit_words": list(draft.hit_words),
            "conclusion": list(draft.conclusion),
            "paths": list(draft.paths),
            "supersedes": list(draft.supersedes),
        }
        print_json({"dry_run": True, "draft": content})
    else:
        print_lines(f"Would store ({draft.kind}): {draft.title}", *(f"  {line}" for line in draft.conclusion))

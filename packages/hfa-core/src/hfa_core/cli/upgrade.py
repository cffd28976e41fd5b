"""`hfa upgrade`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from hfa_core.capture.remember import refuse_if_off
from hfa_core.cli.output import plural, print_json, print_lines
from hfa_core.cli.place import DryRunOption, JsonOption, MemoryDirOption
from hfa_core.errors import MemoryNotFoundError
from hfa_core.fs.layout import Layout
from hfa_core.settings import current_environment
from hfa_core.store.locate import is_off
from hfa_core.upgrade.run import Plan, apply_plan, find_upgradable, plan_undo, plan_upgrade


def upgrade(
    undo: Annotated[bool, typer.Option("--undo", help="Go back to the files of before the newest upgrade.")] = False,
    dry_run: DryRunOption = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Bring a memory of an earlier format to this one, whole or not at all; what changes is kept first.

    The copies are in history/legacy-backups/ in the memory, and --undo brings them back. Records stored since stay.

    Example: hfa upgrade --dry-run
    """
    environment = current_environment()
    layout = find_upgradable(memory_dir, environment, os.getcwd())
    if layout is None:
        raise MemoryNotFoundError(os.getcwd())
    if dry_run:
        plan = plan_undo(layout) if undo else plan_upgrade(layout)
    else:
        refuse_if_off(is_off(environment, layout))
        plan = apply_plan(layout, undo=undo)
    if as_json:
        print_json(
            {
                "memory_dir": layout.root,
                "from": plan.before,
                "to": plan.after,
                "steps": list(plan.texts),
                "files": sorted(plan.files),
                "backup": plan.backup if plan.files else "",
                "undo": undo,
                "dry_run": dry_run,
            }
        )
    else:
        print_lines(*_describe(plan, layout, undo, dry_run))


def _describe(plan: Plan, layout: Layout, undo: bool, dry_run: bool) -> list[str]:
    if not plan.files:
        why = "no upgrade made it so" if undo else "there is nothing to do"
        return [f"The memory is of format {plan.before}; {why}. Nothing was changed."]
    lines = [f"{plan.before} to {plan.after} in {layout.root}:", *(f"  {text}" for text in plan.texts)]
    if dry_run:
        lines += [f"  would write {name}" for name in sorted(plan.files)]
    kept = "copies from" if undo else "what they held would be kept in" if dry_run else "what they held is kept in"
    lines.append(f"{plural(len(plan.files), 'file')}; {kept} {plan.backup}.")
    if dry_run:
        lines.append("Nothing was changed (--dry-run).")
    elif not undo:
        lines.append("`hfa upgrade --undo` goes back.")
    return lines

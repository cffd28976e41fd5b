"""`hfa doctor`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from hfa_core.capture.remember import refuse_if_off
from hfa_core.cli.output import plural, print_json, print_lines
from hfa_core.cli.place import DryRunOption, JsonOption, MemoryDirOption, install_request, places
from hfa_core.doctor.apply import Mended, mend_memory, plan_backups, read_file, set_modes
from hfa_core.doctor.hosts import HostReport, describe_host, examine_host
from hfa_core.doctor.memory import examine_memory
from hfa_core.doctor.private_files import MAXIMUM_ENTRIES, check_log, check_modes
from hfa_core.doctor.repair import Diagnosis, Repair, plan_repairs, show_diff
from hfa_core.errors import HfaError, VerifyError
from hfa_core.fs.layout import Layout, UserLayout
from hfa_core.hook.log import read_entries
from hfa_core.hosts.findings import Finding
from hfa_core.operations.status import user_layout
from hfa_core.plugins.manager import Plugins, load_plugins
from hfa_core.settings import Environment, current_environment
from hfa_core.store.locate import is_off
from hfa_core.tokens.exact import INSTALL, find_problem, is_installed
from hfa_core.upgrade.run import find_upgradable

FORMAT = "hfa-doctor/1"


def doctor(
    apply: Annotated[
        bool, typer.Option("--apply", help="Mend what needs no judgement; what is replaced is kept first.")
    ] = False,
    dry_run: DryRunOption = False,
    memory_dir: MemoryDirOption = "",
    as_json: JsonOption = False,
) -> None:
    """
    Say what is wrong with the memory, the hooks and the installation, each with the step that mends it.

    With --apply, make the steps that need no judgement, and say what is left; a file that is replaced is first copied
    to history/legacy-backups/ in the memory. With --dry-run, show what --apply would write.

    Example: hfa doctor --apply --dry-run
    """
    environment = current_environment()
    round_ = _examine(memory_dir, environment)
    plan = plan_repairs(round_.diagnoses)
    report = _Report("dry-run" if dry_run else "apply" if apply else "examine", plan, Mended((), ()))
    if report.mode == "apply":
        report.mended = _mend(round_, environment)
        round_ = _examine(memory_dir, environment)
    elif round_.layout:
        _, places = plan_backups(round_.layout, plan)
        report.mended = Mended((), tuple(places))
    ok = all(one.finding.severity != "error" for one in round_.diagnoses)
    if as_json:
        print_json(
            {
                "format": FORMAT,
                "mode": report.mode,
                "ok": ok,
                "findings": [one.as_json() for one in round_.diagnoses],
                "hosts": [host.as_json() for host in round_.hosts],
                "plan": [_as_json(one) for one in plan],
                "applied": [_as_json(one) for one in report.mended.repairs],
                "backups": list(report.mended.backups),
            }
        )
    else:
        hosts = [line for host in round_.hosts for line in describe_host(host)]
        print_lines(*_describe(round_.diagnoses), *(["", *hosts] if hosts else []), *report.describe())
    if not ok:
        raise typer.Exit(VerifyError.exit_code)


@dataclass(slots=True)
class _Round:
    """One examination: the memory, if there is one, what was found, the gravest first, and the hosts by their names."""

    layout: Layout | None
    diagnoses: list[Diagnosis]
    hosts: list[HostReport]


def _examine(memory_dir: str, environment: Environment) -> _Round:
    layout, diagnoses = None, list[Diagnosis]()
    users = [UserLayout(environment.user_dir)]
    try:
        layout = find_upgradable(memory_dir, environment, os.getcwd())
        if layout is None:
            diagnoses.append(Diagnosis(Finding("memory_missing", "info", f"no memory from {os.getcwd()}", "hfa init")))
        else:
            diagnoses += _check_switch(layout, environment)
            diagnoses += examine_memory(layout)
            users[:] = [UserLayout(environment.user_dir), user_layout(layout, environment)]
    except HfaError as error:
        if not diagnoses:
            fix = "mend what the message names, then run `hfa doctor` again"
            diagnoses.append(Diagnosis(Finding("memory_unusable", "error", str(error), fix)))
    diagnoses += check_modes(users[-1])
    for user in users:
        diagnoses += check_log(user)
    plugins = load_plugins(None if environment.plugins is None else ",".join(environment.plugins))
    hosts = _examine_hosts(plugins, environment, users[-1])
    found = (*_check_tokenizer(), *plugins.findings, *(finding for host in hosts for finding in host.findings))
    diagnoses += [Diagnosis(finding) for finding in found]
    order = ("error", "warning", "info")
    diagnoses.sort(key=lambda one: order.index(one.finding.severity))
    return _Round(layout, diagnoses, hosts)


def _check_switch(layout: Layout, environment: Environment) -> Iterator[Diagnosis]:
    switch = is_off(environment, layout)
    if switch:
        yield Diagnosis(Finding("memory_off", "info", f"the memory is off ({switch})", ""))


def _check_tokenizer() -> Iterator[Finding]:
    problem = find_problem()
    if problem:
        # Without the extra, estimates are what was chosen; with it, something is wrong.
        severity = "warning" if is_installed() else "info"
        yield Finding("tokens_estimated", severity, f"token counts are estimates: {problem}", INSTALL)


def _examine_hosts(plugins: Plugins, environment: Environment, user: UserLayout) -> list[HostReport]:
    log = read_entries(user.hook_log, limit=MAXIMUM_ENTRIES)
    where = places(environment)
    return [examine_host(adapter, install_request(adapter, "user", where), log) for adapter in plugins.hosts.values()]


def _mend(found: _Round, environment: Environment) -> Mended:
    """
    Carry the plan out; a memory that is off stays as it is.

    Raises:
        MemoryOffError: Nothing was changed. Else as `mend_memory`.
    """
    modes = [one for one in plan_repairs(found.diagnoses) if one.action == "mode"]
    others = [one for one in plan_repairs(found.diagnoses) if one.action != "mode"]
    mended = Mended((), ())
    if found.layout and others:
        refuse_if_off(is_off(environment, found.layout))
        mended = mend_memory(found.layout, others)
    set_modes(modes)
    return Mended((*mended.repairs, *modes), mended.backups)


@dataclass(slots=True)
class _Report:
    """What is told after the findings: the plan, or what was done."""

    mode: str
    plan: Sequence[Repair]
    mended: Mended

    def describe(self) -> list[str]:
        """The lines for a person; none for a plain examination that found nothing to mend."""
        if self.mode == "apply":
            lines = ["", "Mended:" if self.mended.repairs else "Nothing could be mended mechanically."]
            lines += [_line(one) for one in self.mended.repairs]
            kept = "Copies of what was replaced:"
        elif not self.plan:
            return ["", "Nothing was changed (--dry-run)."] if self.mode == "dry-run" else []
        else:
            lines = ["", "`hfa doctor --apply` would do this:", *(_line(one) for one in self.plan)]
            kept = "Copies of what is replaced would be kept:"
        if self.mended.backups:
            lines += [kept, *(f"  {path}" for path in self.mended.backups)]
        if self.mode == "dry-run":
            lines += [line for one in self.plan if one.action == "write" for line in _diff(one).splitlines()]
            lines.append("Nothing was changed (--dry-run).")
        return lines


def _line(repair: Repair) -> str:
    return f"  {repair.action:8} {repair.path}: {repair.text}"


def _diff(repair: Repair) -> str:
    return show_diff(read_file(repair.path), repair.data, repair.path)


def _as_json(repair: Repair) -> dict[str, object]:
    return {"action": repair.action, "path": repair.path, "text": repair.text}


def _describe(diagnoses: Sequence[Diagnosis]) -> list[str]:
    if not diagnoses:
        return ["All is well."]
    lines: list[str] = []
    for one in diagnoses:
        finding = one.finding
        lines.append(f"{finding.severity:7} {finding.code}: {finding.text}")
        lines += [f"        fix: {finding.fix}"] if finding.fix else []
    mendable = sum(bool(one.repairs) for one in diagnoses)
    return [*lines, f"{plural(len(diagnoses), 'finding')}, {mendable} of them mendable by `hfa doctor --apply`."]

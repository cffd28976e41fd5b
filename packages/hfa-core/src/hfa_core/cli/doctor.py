"""`hfa doctor`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption, MemoryDirOption, install_request, user_layout
from hfa_core.errors import HfaError, VerifyError
from hfa_core.fs.layout import Layout, UserLayout
from hfa_core.hook.log import read_entries
from hfa_core.hosts.findings import Finding
from hfa_core.index.verify import verify_memory
from hfa_core.plugins.manager import load_plugins
from hfa_core.settings import Environment, current_environment
from hfa_core.store.locate import find_memory, is_off
from hfa_core.tokens.exact import INSTALL, find_problem, is_installed

SHOWN_FAILURES = 5


def doctor(memory_dir: MemoryDirOption = "", as_json: JsonOption = False) -> None:
    """
    Say what is wrong with the memory, the hooks and the installation, each with the step that mends it.

    Example: hfa doctor
    """
    environment = current_environment()
    findings = [*_check_memory(memory_dir, environment), *_check_tokenizer(), *_check_hosts(environment)]
    order = ("error", "warning", "info")
    findings.sort(key=lambda finding: order.index(finding.severity))
    if as_json:
        print_json(
            {
                "ok": all(finding.severity != "error" for finding in findings),
                "findings": [
                    {"code": one.code, "severity": one.severity, "text": one.text, "fix": one.fix} for one in findings
                ],
            }
        )
    else:
        for one in findings:
            print_lines(f"{one.severity:7} {one.code}: {one.text}", *([f"        fix: {one.fix}"] if one.fix else []))
        print_lines(*([] if findings else ["All is well."]))
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(VerifyError.exit_code)


def _check_memory(memory_dir: str, environment: Environment) -> Iterator[Finding]:
    logs = [UserLayout(environment.user_dir)]
    try:
        layout = find_memory(memory_dir, environment, os.getcwd())
        if layout is None:
            yield Finding("memory_missing", "info", f"no memory from {os.getcwd()} upwards", "hfa init")
        else:
            logs.append(user_layout(layout, environment))
            yield from _check_layout(layout, environment)
    except HfaError as error:
        yield Finding("memory_unusable", "error", str(error), "")
    for log in logs:
        yield from _check_log(log)


def _check_layout(layout: Layout, environment: Environment) -> Iterator[Finding]:
    switch = is_off(environment, layout)
    if switch:
        yield Finding("memory_off", "info", f"the memory is off ({switch})", "")
    for problem in verify_memory(layout):
        yield Finding(problem.code, problem.severity, f"{problem.path}: {problem.text}", problem.fix)


def _check_log(user: UserLayout) -> Iterator[Finding]:
    """The hook log: when hooks last ran, and the newest failures."""
    entries = read_entries(user.hook_log, limit=2000)
    if entries and user.memory_id:
        newest = entries[0]
        text = f"the last hook was {newest.get('host')} {newest.get('event')} at {newest.get('time')}"
        yield Finding("hook_last_run", "info", text, "")
    failures = [entry for entry in entries if entry.get("outcome") == "error"]
    # Before a memory is found, nobody can say whose failure it is.
    place = "" if user.memory_id else ", outside any memory,"
    for entry in failures[:SHOWN_FAILURES]:
        text = (
            f"{entry.get('host')} {entry.get('event')} at {entry.get('time')}{place} answered with nothing: "
            f"{entry.get('error')}: {entry.get('message')}"
        )
        yield Finding("hook_failed", "warning", text, f"see {user.hook_log}")


def _check_tokenizer() -> Iterator[Finding]:
    problem = find_problem()
    if problem:
        # Without the extra, estimates are what was chosen; with it, something is wrong.
        severity = "warning" if is_installed() else "info"
        yield Finding("tokens_estimated", severity, f"token counts are estimates: {problem}", INSTALL)


def _check_hosts(environment: Environment) -> Iterator[Finding]:
    plugins = load_plugins(None if environment.plugins is None else ",".join(environment.plugins))
    yield from plugins.findings
    for adapter in plugins.hosts.values():
        request = install_request(adapter, "user", environment)
        yield from adapter.check(request)

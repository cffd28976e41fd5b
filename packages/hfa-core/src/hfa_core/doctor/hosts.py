"""What is so of each host: whether it is here, what is installed, what has run, and whether it would run now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hfa_core.doctor.self_test import run_self_test
from hfa_core.hosts.adapter import HostAdapter, InstalledCommand, InstallRequest, Scope
from hfa_core.hosts.findings import Finding

SCOPES: tuple[Scope, ...] = ("user", "project")


@dataclass(slots=True)
class HostReport:
    """
    One host.

    Attributes:
        name: The host's word on the command line.
        title: Its name for people.
        detected: Whether it seems to be in use here.
        version: The release that would start here; empty if unknown.
        tested_version: The release that its adapter was run against.
        installed: The events with a command of ours, by the scope whose settings hold them; no empty ones.
        trusted: Whether it runs hooks of a scope in this project; None where nobody can tell.
        last_fired: When each of its events last ran a hook of ours in this project, RFC 3339 in UTC; empty for never.
        last_failure: The newest hook that answered with nothing because of a fault; empty for none.
        self_test: What is wrong with each installed command, by `scope event`; empty for one that works.
        findings: What a person should know, by its gravity.
    """

    name: str
    title: str
    detected: bool
    version: str = ""
    tested_version: str = ""
    installed: dict[Scope, tuple[str, ...]] = field(default_factory=dict[Scope, tuple[str, ...]])
    trusted: dict[Scope, bool | None] = field(default_factory=dict[Scope, bool | None])
    last_fired: dict[str, str] = field(default_factory=dict[str, str])
    last_failure: str = ""
    self_test: dict[str, str] = field(default_factory=dict[str, str])
    findings: list[Finding] = field(default_factory=list[Finding])

    def as_json(self) -> dict[str, object]:
        """Everything but the findings, which stand with the others."""
        return {
            "host": self.name,
            "title": self.title,
            "detected": self.detected,
            "version": self.version,
            "tested_version": self.tested_version,
            "installed": {scope: list(events) for scope, events in self.installed.items()},
            "trusted": dict(self.trusted),
            "last_fired": {event: time or None for event, time in self.last_fired.items()},
            "last_failure": self.last_failure,
            "self_test": dict(self.self_test),
        }


def examine_host(adapter: HostAdapter, request: InstallRequest, log: Sequence[Mapping[str, object]]) -> HostReport:
    """
    Look at one host; starts it for its version, and every installed command for its self-test, if it is in use.

    Args:
        adapter: The host's adapter.
        request: What an installation would be asked for; its scope is what `check` advises.
        log: Entries of the hook log, newest first.
    """
    report = HostReport(adapter.name, adapter.title, adapter.detect(request.places))
    report.tested_version = adapter.tested_version
    report.findings += adapter.check(request)
    commands: list[InstalledCommand] = []
    for scope in SCOPES:
        of_scope = replace(request, scope=scope)
        found = adapter.find_installed(of_scope)
        if found:
            commands += found
            report.installed[scope] = tuple(dict.fromkeys(command.event for command in found))
            report.trusted[scope] = adapter.is_trusted(of_scope)
    if not commands:
        return report
    report.version = adapter.find_version(request.places)
    own = [entry for entry in log if entry.get("host") == adapter.name]
    report.last_fired = {
        event: next((str(entry.get("time")) for entry in own if entry.get("event") == event), "")
        for event in dict.fromkeys(command.event for command in commands)
    }
    report.last_failure = next((_failure(entry) for entry in own if entry.get("outcome") == "error"), "")
    problems = run_self_test(adapter, commands, request.places.env)
    report.self_test = {f"{command.scope} {command.event}": problem for command, problem in problems.items()}
    report.findings += _judge(report, problems)
    return report


def _failure(entry: Mapping[str, object]) -> str:
    return f"{entry.get('event')} at {entry.get('time')}: {entry.get('error')}: {entry.get('message')}"


def _judge(report: HostReport, problems: Mapping[InstalledCommand, str]) -> Iterator[Finding]:
    again = f"run `hfa install {report.name}` again, and `hfa doctor` after it"
    seen: dict[str, list[InstalledCommand]] = {}
    for command, problem in problems.items():
        if problem:
            seen.setdefault(problem, []).append(command)
    for problem, commands in seen.items():
        events = ", ".join(dict.fromkeys(command.event for command in commands))
        text = f"the hooks of {report.title} for {events} in {commands[0].path} do not work: {problem}"
        # A shared command of a team does nothing on a machine without HFA, and that is as it should be.
        severity = "error" if any(command.scope == "user" for command in commands) else "warning"
        yield Finding("self_test_failed", severity, text, again)
    if False in report.trusted.values():
        text = f"{report.title} runs no hooks in this folder until you trust it"
        yield Finding("folder_untrusted", "warning", text, f"start {report.title} here and accept the folder")
    if not any(report.last_fired.values()):
        text = f"no hook of {report.title} has run in this project yet"
        yield Finding("never_fired", "info", text, f"start {report.title} here and send a prompt")
    if report.version and _release(report.version) != _release(report.tested_version):
        text = f"{report.title} {report.version} is here; HFA was run against {report.tested_version}"
        yield Finding("version_untested", "info", text, "")


def _release(version: str) -> list[str]:
    """The numbers that a host changes when its hooks may change: the first two."""
    return version.split(".")[:2]


def describe_host(report: HostReport) -> list[str]:
    """The lines for a person; none for a host that is neither here nor installed."""
    if not (report.detected or report.installed):
        return []
    lines = [f"{report.title} {report.version}".rstrip()]
    for scope in SCOPES:
        events = report.installed.get(scope, ())
        failed = [event for event in events if report.self_test.get(f"{scope} {event}")]
        state = (
            "not installed" if not events else f"installed; {len(events) - len(failed)} of {len(events)} hooks answer"
        )
        if events and report.trusted.get(scope) is False:
            state += "; not trusted"
        lines.append(f"  {scope:8} {state}")
    fired = [f"{event} {time}" for event, time in report.last_fired.items() if time]
    never = [event for event, time in report.last_fired.items() if not time]
    if report.installed:
        lines.append(f"  last run {', '.join(fired) or 'never in this project'}")
        if fired and never:
            lines.append(f"  not yet  {', '.join(never)}")
    return lines

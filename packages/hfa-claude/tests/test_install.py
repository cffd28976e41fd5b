"""Installing into Claude Code: golden settings, the command as the host runs it, and what the doctor says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from hfa_claude import __version__
from hfa_claude.check import check
from hfa_claude.events import EVENTS
from hfa_claude.install import OWNER, TIMEOUTS_S, detect, plan_hooks, plan_install, plan_server
from hfa_claude.plugin_folder import render_plugin
from hfa_core.errors import HostConfigError
from hfa_core.hosts.adapter import CAPABILITIES, HostAdapter, InstallRequest, Places, Scope
from hfa_core.hosts.apply import apply_edits, undo_edits
from hfa_core.hosts.boot import render_boot
from hfa_core.hosts.json_edits import add_entries, remove_entries
from hfa_core.plugins.manager import find_host

CONFIGS = Path(__file__).parent / "configs"
CASES = sorted(folder.name for folder in CONFIGS.iterdir())
GOLDEN = InstallRequest(
    "user", Places(Path("/home/user"), Path("/project"), {}, Path("/state")), Path("/venv/bin/python"), (Path("/lib"),)
)


def golden(case: str, which: str) -> str:
    """The bytes of a golden file as text; empty if the case has no such file."""
    path = CONFIGS / case / f"{which}.json"
    return path.read_bytes().decode() if path.exists() else ""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    return Places(tmp_path / "home", tmp_path / "project", {"PATH": str(tmp_path / "bin")}, tmp_path / "state")


@pytest.fixture
def roots(tmp_path: Path) -> tuple[Path, ...]:
    """One folder with a space, quotes and Chinese in its name, which holds a package without a hook."""
    root = tmp_path / "a 'b' \"c\" 记忆"
    (root / "hfa_claude").mkdir(parents=True)
    (root / "hfa_claude" / "__init__.py").touch()
    return (root,)


def request(places: Places, roots: tuple[Path, ...], scope: Scope = "user") -> InstallRequest:
    return InstallRequest(scope, places, Path(sys.executable), roots)


def install(places: Places, roots: tuple[Path, ...], scope: Scope = "user") -> Path:
    edits = plan_install(request(places, roots, scope))
    apply_edits(edits, places.user_state)
    return edits[0].path


def codes(places: Places, roots: tuple[Path, ...]) -> list[str]:
    return [finding.code for finding in check(request(places, roots))]


@pytest.mark.parametrize("case", CASES)
def test_install_turns_the_golden_settings_before_into_those_after(case: str) -> None:
    assert add_entries(golden(case, "before"), plan_install(GOLDEN))[0] == golden(case, "after")


@pytest.mark.parametrize("case", CASES)
def test_installing_into_the_golden_settings_after_changes_nothing(case: str) -> None:
    assert add_entries(golden(case, "after"), plan_install(GOLDEN))[0] == golden(case, "after")


@pytest.mark.parametrize("case", [case for case in CASES if "ours" not in case])
def test_uninstall_turns_the_golden_settings_after_back_into_those_before(case: str) -> None:
    after, traces = add_entries(golden(case, "before"), plan_install(GOLDEN))

    assert remove_entries(after, plan_install(GOLDEN), traces).text == golden(case, "before")


def test_uninstall_of_a_fresh_installation_leaves_a_home_as_it_was(places: Places, roots: tuple[Path, ...]) -> None:
    path = install(places, roots)
    assert path == places.home / ".claude" / "settings.json"

    undo_edits(plan_install(request(places, roots)), places.user_state)

    assert list(places.home.iterdir()) == []


def test_uninstall_does_not_need_the_interpreter_and_roots_of_the_installation(
    places: Places, roots: tuple[Path, ...]
) -> None:
    install(places, roots)

    undo_edits(plan_install(InstallRequest("user", places, Path("/other/python"), ())), places.user_state)

    assert list(places.home.iterdir()) == []


def test_a_moved_config_folder_is_followed(places: Places, roots: tuple[Path, ...], tmp_path: Path) -> None:
    moved = Places(places.home, places.project_root, {"CLAUDE_CONFIG_DIR": str(tmp_path / "cfg")}, places.user_state)

    assert install(moved, roots) == tmp_path / "cfg" / "settings.json"
    assert detect(moved)
    assert not detect(places)


@pytest.mark.parametrize("scope", ["user", "project"])
def test_every_event_has_a_time_limit_within_ten_seconds_and_the_last_within_its_shared_budget(scope: Scope) -> None:
    edits = plan_install(InstallRequest(scope, GOLDEN.places, GOLDEN.python, GOLDEN.import_roots))
    limits = {edit.pointer[-1]: json.loads(json.dumps(edit.value))["hooks"][0]["timeout"] for edit in edits}

    assert limits == TIMEOUTS_S
    assert set(limits) <= set(EVENTS)
    assert max(limits.values()) <= 10
    assert limits["SessionEnd"] <= 1.5


def test_only_the_tool_event_has_a_matcher_and_it_lists_exact_names() -> None:
    matchers = {edit.pointer[-1]: json.loads(json.dumps(edit.value)).get("matcher") for edit in plan_install(GOLDEN)}

    assert {event for event, matcher in matchers.items() if matcher} == {"PostToolUse"}
    assert matchers["PostToolUse"].replace("|", "").isalpha()


def test_no_hook_runs_before_a_compaction_because_the_host_would_tell_the_model_of_it() -> None:
    assert "PreCompact" in EVENTS
    assert ("hooks", "PreCompact") not in [edit.pointer for edit in plan_install(GOLDEN)]


# The command at user scope


def run_boot(roots: tuple[Path, ...], event: str = "Stop", env: Mapping[str, str] | None = None) -> tuple[int, bytes]:
    command = [sys.executable, "-I", "-S", "-c", render_boot("hfa_claude", OWNER, roots), "claude", event]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=env, check=False, timeout=60)
    return done.returncode, done.stdout


def write_hook(roots: tuple[Path, ...], source: str) -> None:
    (roots[0] / "hfa_claude" / "hook.py").write_text("import os, sys\n" + source, encoding="utf-8")


def test_the_command_hands_host_and_event_to_the_hook(roots: tuple[Path, ...]) -> None:
    write_hook(roots, "def main(argv):\n    os.write(1, repr(argv).encode())\n    os._exit(0)\n")

    assert run_boot(roots, "PreCompact") == (0, b"['claude', 'PreCompact']")


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "en_US.ISO-8859-1"])
def test_the_command_finds_its_roots_in_any_locale(roots: tuple[Path, ...], locale: str) -> None:
    write_hook(roots, "def main(argv):\n    print('reply')\n")

    assert run_boot(roots, env={"LC_ALL": locale}) == (0, b"reply\n")


@pytest.mark.parametrize(
    "body",
    [
        "os.write(1, b'reply\\n'); os._exit(0)",
        "os.write(1, b'reply\\n')",
        "os.write(1, b'reply\\n'); sys.exit(0)",
        "os.write(1, b'reply\\n'); sys.exit()",
        "print('reply')",
        "print('reply'); sys.exit()",
        "os.write(1, b'reply\\n'); sys.modules[__name__].replied = True; raise KeyboardInterrupt",
        "os.write(1, b'reply\\n'); sys.modules[__name__].replied = True; sys.exit(2)",
    ],
)
def test_a_hook_that_replies_is_the_only_one_to_reply(roots: tuple[Path, ...], body: str) -> None:
    write_hook(roots, f"def main(argv):\n    {body}\n")

    assert run_boot(roots) == (0, b"reply\n")


@pytest.mark.parametrize(
    "source",
    [
        "def main(argv):\n    raise RuntimeError",
        "def main(argv):\n    raise KeyboardInterrupt",
        "def main(argv):\n    sys.exit(3)",
        "def main(argv):\n    sys.exit('told on standard error')",
        "def main(argv):\n    print('half a rep', end='')\n    raise RuntimeError",
        "def main():\n    pass",
        "raise SystemExit(2)",
        "import hfa_no_such_module",
        "def main(:",
        "",
    ],
)
def test_a_hook_that_fails_gives_one_empty_reply_and_success(roots: tuple[Path, ...], source: str) -> None:
    write_hook(roots, source)

    assert run_boot(roots) == (0, b"{}\n")


def test_a_removed_package_gives_one_empty_reply_and_success(tmp_path: Path, roots: tuple[Path, ...]) -> None:
    assert run_boot(roots) == (0, b"{}\n")
    assert run_boot((tmp_path / "gone",)) == (0, b"{}\n")
    assert run_boot(()) == (0, b"{}\n")


def test_nothing_in_the_roots_shadows_the_standard_library(roots: tuple[Path, ...]) -> None:
    for name in ("os", "json", "codecs"):
        (roots[0] / f"{name}.py").write_text("raise RuntimeError('shadow')")
    write_hook(roots, "import json\ndef main(argv):\n    print(json.dumps(1))\n")

    assert run_boot(roots) == (0, b"1\n")


def test_a_host_that_closed_its_end_is_no_failure(roots: tuple[Path, ...]) -> None:
    write_hook(roots, "def main(argv):\n    print('reply')\n")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-I", "-S", "-c", render_boot("hfa_claude", OWNER, roots), "claude", "Stop"]
    try:
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60)
    finally:
        os.close(writing)

    assert (done.returncode, done.stderr) == (0, b"")


def test_the_command_is_ours_by_its_mark_and_names_no_release() -> None:
    boot = render_boot("hfa_claude", OWNER, (Path("/lib"),))

    assert boot.startswith(OWNER)
    assert "sys.path += ['/lib']\n" in boot
    assert __version__ not in boot


def test_the_installed_entry_runs_as_the_host_would_run_it(places: Places, roots: tuple[Path, ...]) -> None:
    write_hook(roots, "def main(argv):\n    print(argv[1])\n")
    settings = json.loads(install(places, roots).read_bytes())

    for event in TIMEOUTS_S:
        (group,) = settings["hooks"][event]
        (handler,) = group["hooks"]
        done = subprocess.run([handler["command"], *handler["args"]], capture_output=True, check=False, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{event}\n".encode(), b"")


# The command at project scope


def shared_command(places: Places, roots: tuple[Path, ...]) -> str:
    settings = json.loads(install(places, roots, "project").read_bytes())
    return str(settings["hooks"]["Stop"][0]["hooks"][0]["command"])


def run_shared(command: str, path: str) -> tuple[int, bytes, bytes]:
    shell = shutil.which("sh") or "sh"
    done = subprocess.run([shell, "-c", command], capture_output=True, env={"PATH": path}, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_a_file_that_a_team_commits_names_no_path(places: Places, roots: tuple[Path, ...]) -> None:
    text = install(places, roots, "project").read_text()

    for path in (*roots, places.home, places.project_root, Path(sys.executable)):
        assert str(path) not in text
    assert sys.prefix not in text


def test_a_colleague_without_hfa_sees_nothing_and_no_error(places: Places, roots: tuple[Path, ...]) -> None:
    assert run_shared(shared_command(places, roots), "/nonexistent") == (0, b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("script", "seen"), [("echo $1", b"Stop\n"), ("echo told >&2; exit 2", b""), ("kill -9 $$", b"")]
)
def test_a_colleague_with_hfa_gets_its_reply_and_never_its_failure(
    places: Places, roots: tuple[Path, ...], tmp_path: Path, script: str, seen: bytes
) -> None:
    console = tmp_path / "bin" / "hfa-claude"
    console.parent.mkdir()
    console.write_text(f"#!/bin/sh\n{script}\n")
    console.chmod(0o755)
    code, output, _ = run_shared(shared_command(places, roots), str(console.parent))

    assert (code, output) == (0, seen)


# What the doctor says


def test_a_fresh_installation_has_no_findings(places: Places, roots: tuple[Path, ...]) -> None:
    assert codes(places, roots) == ["not_installed"]

    install(places, roots)

    assert codes(places, roots) == []


def test_an_interpreter_or_root_that_is_gone_is_an_error(places: Places, roots: tuple[Path, ...]) -> None:
    gone = InstallRequest("user", places, places.home / "no-python", (*roots, places.home / "no-root"))
    apply_edits(plan_install(gone), places.user_state)
    findings = list(check(gone))

    assert [(finding.code, finding.severity) for finding in findings] == [
        ("interpreter_missing", "error"),
        ("root_missing", "error"),
    ]
    assert "no-python" in findings[0].text
    assert "no-root" in findings[1].text
    assert "hfa install claude --scope user" in findings[1].fix


def test_a_root_without_the_package_is_an_error(places: Places, roots: tuple[Path, ...]) -> None:
    install(places, roots)
    shutil.rmtree(roots[0] / "hfa_claude")

    assert codes(places, roots) == ["package_missing"]


def test_an_installation_for_user_and_project_is_mentioned(places: Places, roots: tuple[Path, ...]) -> None:
    install(places, roots)
    install(places, roots, "project")

    assert codes(places, roots) == ["command_missing", "installed_twice"]


def test_an_installation_from_elsewhere_is_mentioned(places: Places, roots: tuple[Path, ...]) -> None:
    install(places, roots)
    other = InstallRequest("user", places, Path(sys.executable), (roots[0], places.home))

    assert [finding.code for finding in check(other)] == ["outdated"]


def test_an_installation_that_lost_an_event_is_a_warning(places: Places, roots: tuple[Path, ...]) -> None:
    path = install(places, roots)
    settings = json.loads(path.read_bytes())
    del settings["hooks"]["Stop"]
    path.write_text(json.dumps(settings))
    (finding,) = check(request(places, roots))

    assert (finding.code, finding.severity) == ("partly_installed", "warning")
    assert "for Stop" in finding.text


@pytest.mark.parametrize("name", ["home/.claude/settings.json", "project/.claude/settings.local.json"])
def test_hooks_that_are_switched_off_are_an_error(
    places: Places, roots: tuple[Path, ...], tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text('{"disableAllHooks": true}')
    install(places, roots)

    assert codes(places, roots) == ["hooks_disabled"]


@pytest.mark.parametrize("text", ["{// mine\n}", "{", "\udcff"])
def test_settings_that_cannot_be_read_are_an_error_and_no_exception(
    places: Places, roots: tuple[Path, ...], text: str
) -> None:
    path = places.home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(text.encode("utf-8", "surrogateescape"))

    assert codes(places, roots) == ["settings_unreadable"]


@pytest.mark.parametrize("text", ["[]", "{}", '{"hooks": []}', '{"hooks": {"Stop": [1, {"hooks": 1}]}}', "", "1"])
def test_settings_of_any_shape_are_checked_without_an_exception(
    places: Places, roots: tuple[Path, ...], text: str
) -> None:
    path = places.home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(text)

    assert codes(places, roots) == ["not_installed"]


def test_the_adapter_is_registered_and_supports_everything() -> None:
    adapter = find_host("claude")

    assert isinstance(adapter, HostAdapter)
    assert adapter.capabilities == dict.fromkeys(CAPABILITIES, "full")
    assert adapter.events == tuple(TIMEOUTS_S)
    assert list(adapter.plan_install(GOLDEN)) == plan_hooks(GOLDEN)


# The MCP server


@pytest.mark.parametrize(("scope", "name"), [("user", "home/.claude.json"), ("project", "project/.mcp.json")])
def test_the_server_is_registered_where_the_host_looks_and_goes_again(
    places: Places, roots: tuple[Path, ...], tmp_path: Path, scope: Scope, name: str
) -> None:
    path = tmp_path / name
    before = '{ "mcpServers" : {"theirs": {"command": "x"}}, "numStartups": 7 }'
    path.write_text(before)
    wanted = replace(request(places, roots, scope), with_server=True)
    assert path in [change.path for change in apply_edits(plan_install(wanted), places.user_state)]

    document = json.loads(path.read_text())
    assert list(document["mcpServers"]) == ["theirs", "hfa"]
    assert document["mcpServers"]["hfa"]["alwaysLoad"] is True
    assert document["numStartups"] == 7

    undo_edits(plan_install(wanted), places.user_state)
    assert path.read_text() == before


def test_a_server_of_that_name_that_is_not_ours_is_left_alone(places: Places, roots: tuple[Path, ...]) -> None:
    path = places.home / ".claude.json"
    path.write_text('{"mcpServers": {"hfa": {"command": "mine"}}}')

    with pytest.raises(HostConfigError, match=r"\.claude\.json"):
        apply_edits(plan_install(replace(request(places, roots), with_server=True)), places.user_state)

    assert path.read_text() == '{"mcpServers": {"hfa": {"command": "mine"}}}'
    assert not (places.home / ".claude" / "settings.json").exists()


def test_the_shared_server_entry_names_no_path_and_the_users_names_the_interpreter(
    places: Places, roots: tuple[Path, ...]
) -> None:
    shared = json.loads(json.dumps(plan_server(request(places, roots, "project")).value))
    own = json.loads(json.dumps(plan_server(request(places, roots)).value))

    assert (shared["command"], shared["args"]) == ("hfa-mcp", [])
    assert (own["command"], own["args"]) == (sys.executable, ["-I", "-m", "hfa_core.mcp"])


def test_the_plugin_has_the_events_and_limits_of_an_installation() -> None:
    hooks = json.loads(render_plugin()["hooks/hooks.json"])["hooks"]

    assert {event: group[0]["hooks"][0]["timeout"] for event, group in hooks.items()} == TIMEOUTS_S
    assert "/home" not in "".join(render_plugin().values())

"""Hosts described as data: the shipped ones, a user's own, and what a wrong description is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hfa_core.errors import ProfileError
from hfa_core.hosts.adapter import HostAdapter
from hfa_core.testing import FakeHost
from hfa_generic_hook.antigravity_plugin import render_plugin
from hfa_generic_hook.hooks_file import find_faults, find_plugin_faults
from hfa_generic_hook.plugin import AntigravityAdapter
from hfa_generic_hook.profile import list_profiles, read_profile

ROOT = Path(__file__).resolve().parents[3]
OWN = {
    "profile": "hfa-hook/1",
    "name": "my-host",
    "events": {"ask": {"is": "prompt", "reply": "add"}, "done": {"is": "stop"}},
    "fields": {"session_id": ["id"], "cwd": ["where.0"], "prompt": ["said", "q.text"], "message": ["answer"]},
    "replies": {"add": {"notes": ["{context}"], "for": "{event}"}},
}
BLOCK = "```hfa-memory\ntitle: 端口\nhit_words: port, 端口\nconclusion: Port 9090. 用 9090。\n```"


@pytest.fixture
def adapter() -> HostAdapter:
    return AntigravityAdapter()


def hfa_hook(host: FakeHost, *arguments: str, stdin: object = None, cwd: Path | None = None) -> tuple[int, str, str]:
    """The console script, as a host or a person starts it."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name("hfa-hook")), *arguments],
        input=json.dumps(stdin).encode(),
        capture_output=True,
        cwd=cwd or host.project,
        env=host.environment,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_shipped_profiles_are_sound() -> None:
    assert list_profiles() == ["antigravity", "claude-shaped"]
    for name in list_profiles():
        assert read_profile(name).name == name


def test_a_host_that_only_a_file_describes_recalls_and_remembers(fake_host: FakeHost, tmp_path: Path) -> None:
    path = tmp_path / "我的 host.json"
    path.write_text(json.dumps(OWN), encoding="utf-8")
    where = {"id": "s1", "where": [str(fake_host.project)]}
    done = hfa_hook(fake_host, "--profile", str(path), "done", stdin={**where, "answer": BLOCK}, cwd=tmp_path)
    assert done == (0, "{}\n", "")
    assert [record.title for record in fake_host.records()] == ["端口"]

    for number, prompt in enumerate(("which port?", "哪个端口？")):
        asked = {**where, "id": f"s{number + 2}", "q": {"text": prompt}}
        code, out, err = hfa_hook(fake_host, "--profile", str(path), "ask", stdin=asked, cwd=tmp_path)
        assert (code, err) == (0, "")
        reply = json.loads(out)
        assert reply["for"] == "ask"
        assert "用 9090。" in reply["notes"][0]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"profile": "other"}, "profile"),
        ({"name": ""}, "name"),
        ({"events": {}}, "events"),
        ({"events": []}, "events"),
        ({"events": {"ask": {"is": "nonsense"}}}, "events.ask.is"),
        ({"events": {"ask": {"is": "prompt", "reply": "other"}}}, "events.ask.reply"),
        ({"events": {"ask": {"is": "prompt", "timeout": 1.5}}}, "events.ask.timeout"),
        ({"events": {"ask": {"is": "prompt", "timeout": "5"}}}, "events.ask.timeout"),
        ({"events": {"ask": {"is": "prompt", "tiemout": 5}}}, "events.ask.tiemout"),
        ({"events": {"ask": {"is": "stop", "only_if": {"x": 1}}}}, "events.ask.only_if.x"),
        ({"fields": {"prompt": "said"}}, "fields.prompt"),
        ({"fields": {"propmt": ["said"]}}, "fields.propmt"),
        ({"replys": {}}, "replys"),
        ({"transcript": {"usr": {}}}, "transcript.usr"),
        ({"hooks": {"usr": ""}}, "hooks.usr"),
    ],
)
def test_a_wrong_profile_is_told_file_and_key(
    fake_host: FakeHost, tmp_path: Path, change: dict[str, object], key: str
) -> None:
    path = tmp_path / "host.json"
    path.write_text(json.dumps({**OWN, **change}), encoding="utf-8")

    with pytest.raises(ProfileError) as caught:
        read_profile(str(path))
    assert (caught.value.path, caught.value.key) == (str(path), key)
    code, out, err = hfa_hook(fake_host, "--check", str(path))
    assert (code, out) == (34, "")
    assert f"`{key}`" in err
    # A host is still answered.
    code, out, err = hfa_hook(fake_host, "--profile", str(path), "ask", stdin={})
    assert (code, out) == (0, "{}\n")
    assert f"`{key}`" in err


@pytest.mark.parametrize("text", ["", "{", "[1]", "{}", "\udcff"])
def test_a_file_that_is_no_profile_is_told_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "host.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(ProfileError, match=r"host\.json"):
        read_profile(str(path))
    with pytest.raises(ProfileError, match="shipped are antigravity, claude-shaped"):
        read_profile("no-such-host")


@pytest.mark.parametrize("name", ["antigravity", "claude-shaped"])
def test_printed_hooks_run_from_any_folder_and_use_the_memory_that_was_named(
    fake_host: FakeHost, tmp_path: Path, name: str
) -> None:
    fake_host.remember("Ports", ["port", "端口"], ["Port 9090. 用 9090。"])
    code, out, err = hfa_hook(fake_host, "--print-hooks", name, "--memory-dir", "memory")
    assert (code, err) == (0, "")
    profile = read_profile(name)
    document = json.loads(out)
    (hooks,) = document.values()
    assert list(hooks) == list(profile.events)
    event = next(one for one, entry in profile.events.items() if entry["is"] in ("prompt", "invocation"))
    (entry,) = hooks[event]
    handler = entry if "command" in entry else entry["hooks"][0]
    assert handler["timeout"] <= 10
    payload = {
        "lastUserInput": "which port? 端口",
        "prompt": "which port? 端口",
        "session_id": "s",
        "conversationId": "s",
    }
    done = subprocess.run(
        ["sh", "-c", handler["command"]],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=tmp_path,
        env=fake_host.environment,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert "用 9090。" in done.stdout.decode()


def test_the_plugin_at_the_root_is_as_the_host_wants_it() -> None:
    files = {name: json.loads((ROOT / name).read_text(encoding="utf-8")) for name in render_plugin()}

    assert find_faults(files["hooks.json"], read_profile("antigravity")) == []
    assert find_plugin_faults(files["plugin.json"]) == []
    assert os.sep + "home" not in json.dumps(files)


WRONG_HOOKS = (
    ("[]", "the root"),
    ('{"hfa": []}', "hfa: "),
    ('{"hfa": {"PreInvokation": []}}', "hfa.PreInvokation: "),
    ('{"hfa": {"Stop": {}}}', "hfa.Stop: "),
    ('{"hfa": {"Stop": ["x"]}}', "hfa.Stop.0: "),
    ('{"hfa": {"Stop": [{"type": "command", "command": "x", "timeout": 1.5}]}}', "hfa.Stop.0.timeout: "),
    ('{"hfa": {"Stop": [{"type": "command", "command": "x", "timeout": "5"}]}}', "hfa.Stop.0.timeout: "),
    ('{"hfa": {"Stop": [{"type": "command", "timeout": 5}]}}', "hfa.Stop.0.command: "),
    ('{"hfa": {"Stop": [{"type": "command", "command": "x", "timeout": 5, "env": {}}]}}', "hfa.Stop.0.env: "),
    ('{"hfa": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 5}]}]}}', "hfa.Stop.0.hooks: "),
)


@pytest.mark.parametrize(("hooks", "fault"), WRONG_HOOKS)
def test_a_hooks_file_that_the_host_would_drop_is_told_where(
    fake_host: FakeHost, tmp_path: Path, hooks: str, fault: str
) -> None:
    path = tmp_path / "hooks.json"
    path.write_text(hooks, encoding="utf-8")
    code, out, _ = hfa_hook(fake_host, "--check-hooks", str(path))

    assert code == 1
    assert fault in out


@pytest.mark.parametrize(
    ("manifest", "fault"),
    [({}, "name: "), ({"name": 1}, "name: "), ({"name": "x", "hook": "y"}, "hook: "), ([], "root")],
)
def test_a_manifest_that_the_host_would_drop_is_told_why(manifest: dict[str, str], fault: str) -> None:
    assert any(fault in one for one in find_plugin_faults(manifest))

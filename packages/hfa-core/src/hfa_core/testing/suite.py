"""The tests that every adapter must pass, as a class to inherit: no host, real files, real processes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

import pytest

from hfa_core.errors import HostConfigError, UnsupportedHostError
from hfa_core.hosts.adapter import CAPABILITIES, Capability, HostAdapter, Scope
from hfa_core.hosts.edits import Edit, JsonEdit
from hfa_core.model import HookEvent, HookReply
from hfa_core.testing.fake_host import SCOPES, FakeHost
from hfa_core.testing.settings_files import THEIRS, forms_of

FIELDS = ("session_id", "turn_id", "cwd", "prompt", "message", "files", "trigger", "agent_id")
ANSWERED = ("session_start", "prompt", "tool")
"""Where a host may take context; from the end of a turn it would send the agent back to work."""

WRONG: tuple[object, ...] = (None, True, -1, 1.5, "", "text 文本", [], ["x", None], {}, {"x": []})
"""What stands in a field in place of what should."""

TORN = {
    "nothing": b"",
    "blank": b" \n",
    "half an object": b'{"prompt": "refr',
    "another kind": b"[1, 2]",
    "not UTF-8": b'{"prompt": "\xff\xfe\xed\xa0\x80"}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "unpaired surrogate": b'{"prompt": "\\ud800", "cwd": "\\udfff"}',
    "nested": b'{"prompt": ' + b"[" * 100_000,
    "nul": b'{"cwd": "/\\u0000", "session_id": "\\u0000"}',
    "long": b'{"prompt": "' + b"refresh token " * 100_000 + b'"}',
}

BLOCK = """Done. 好了。

```hfa-memory
title: Refresh tokens rotate
hit_words: refresh token, 刷新令牌
conclusion: They rotate daily. 每天轮换。
```
"""


class HostAdapterSuite:
    """To be inherited, with a fixture `adapter`; `docs/how-to/write-an-adapter.md` shows how."""

    @pytest.fixture
    def adapter(self) -> HostAdapter:
        """The adapter under test."""
        raise NotImplementedError("give the suite a fixture `adapter`")

    # What it says of itself

    def test_the_adapter_keeps_the_protocol_and_tells_of_every_capability(self, adapter: HostAdapter) -> None:
        assert isinstance(adapter, HostAdapter)
        assert set(adapter.capabilities) == set(CAPABILITIES)
        assert set(adapter.capabilities.values()) <= {"full", "unsupported"}

    def test_its_name_is_a_word_for_the_command_line_and_its_title_is_for_people(self, adapter: HostAdapter) -> None:
        assert adapter.name == adapter.name.lower()
        assert adapter.name.replace("-", "").isalnum()
        assert adapter.title.strip()
        assert len(set(adapter.events)) == len(adapter.events)

    def test_what_it_cannot_install_it_refuses_with_an_error_that_says_so(self, fake_host: FakeHost) -> None:
        if fake_host.adapter.capabilities["install"] == "full":
            assert fake_host.adapter.plan_install(fake_host.request())
            return
        with pytest.raises(UnsupportedHostError, match=fake_host.adapter.name):
            fake_host.install()

    # Settings

    @pytest.mark.parametrize("scope", SCOPES)
    def test_planning_touches_no_file(self, fake_host: FakeHost, scope: Scope) -> None:
        _need(fake_host, "install")
        before = _tree(fake_host)

        fake_host.adapter.plan_install(fake_host.request(scope))

        assert _tree(fake_host) == before

    @pytest.mark.parametrize("scope", SCOPES)
    def test_after_an_installation_every_event_has_its_command_and_a_second_one_changes_nothing(
        self, fake_host: FakeHost, scope: Scope
    ) -> None:
        _need(fake_host, "install")
        assert fake_host.install(scope)
        assert {command.event for command in fake_host.commands()} == set(fake_host.adapter.events)
        assert fake_host.install(scope) == []

    @pytest.mark.parametrize("scope", SCOPES)
    def test_an_installation_undone_leaves_every_form_of_settings_byte_for_byte(
        self, fake_host: FakeHost, scope: Scope
    ) -> None:
        _need(fake_host, "install")
        for of_file in _by_file(fake_host, scope):
            for name, before in forms_of(of_file).items():
                path = of_file[0].path
                if before is not None:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(before)
                tree = _tree(fake_host)

                assert path in fake_host.install(scope), name
                after = path.read_bytes()
                assert before is None or THEIRS.encode() not in before or THEIRS.encode() in after, name
                assert path in fake_host.uninstall(scope), name

                assert _tree(fake_host) == tree, name
                path.unlink(missing_ok=True)

    def test_what_the_user_changed_since_stays_when_ours_goes(self, fake_host: FakeHost) -> None:
        _need(fake_host, "install")
        for of_file in _by_file(fake_host, "user"):
            before = forms_of(of_file).get("foreign" if isinstance(of_file[0], JsonEdit) else "prose")
            if before is None:
                continue
            path = of_file[0].path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(before)
            fake_host.install()
            path.write_bytes(path.read_bytes().replace(THEIRS.encode(), "theirs, 改过".encode()))

            fake_host.uninstall()

            assert path.read_bytes() == before.replace(THEIRS.encode(), "theirs, 改过".encode())

    def test_a_link_and_a_private_file_stay_what_they_are(self, fake_host: FakeHost, tmp_path: Path) -> None:
        _need(fake_host, "install")
        for number, of_file in enumerate(_by_file(fake_host, "user")):
            path, target = of_file[0].path, tmp_path / f"dotfiles-{number}"
            if "empty" not in forms_of(of_file):
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(b"")
            target.chmod(0o600)
            path.symlink_to(target)

            assert path in fake_host.install()

            assert path.is_symlink()
            assert target.stat().st_mode & 0o777 == 0o600
            fake_host.uninstall()
            assert (path.is_symlink(), target.read_bytes()) == (True, b"")

    def test_settings_with_comments_are_refused_or_kept_and_never_lost(self, fake_host: FakeHost) -> None:
        _need(fake_host, "install")
        for of_file in _by_file(fake_host, "user"):
            if not isinstance(of_file[0], JsonEdit):
                continue
            path, before = of_file[0].path, f"{{\n  // {THEIRS}\n}}\n".encode()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(before)
            refusal = ""
            try:
                fake_host.install()
            except HostConfigError as error:
                refusal = str(error)
            assert THEIRS.encode() in path.read_bytes()
            assert not refusal or (str(path) in refusal and path.read_bytes() == before)
            path.unlink()

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
    @pytest.mark.parametrize("linked", [False, True], ids=["a pipe", "a link to one"])
    def test_what_is_no_file_is_refused_and_left_and_nobody_waits_for_it(
        self, fake_host: FakeHost, tmp_path: Path, linked: bool
    ) -> None:
        _need(fake_host, "install")
        for number, of_file in enumerate(_by_file(fake_host, "user")):
            path, pipe = of_file[0].path, tmp_path / f"pipe-{number}"
            path.parent.mkdir(parents=True, exist_ok=True)
            if linked:
                os.mkfifo(pipe)
                path.symlink_to(pipe)
            else:
                os.mkfifo(path)

            with pytest.raises(HostConfigError, match="pipe"):
                fake_host.install()

            assert path.is_fifo()
            assert fake_host.commands() == []
            assert [finding.severity for finding in fake_host.adapter.check(fake_host.request())] != []
            path.unlink()

    def test_a_file_that_a_team_commits_names_no_path_of_one_person(self, fake_host: FakeHost) -> None:
        _need(fake_host, "install")
        request = fake_host.request("project")
        for edit in fake_host.adapter.plan_install(request):
            if request.places.project_root in edit.path.parents:
                written = _written(edit)
                for folder in (fake_host.home, fake_host.project, request.python.parent, *request.import_roots):
                    assert str(folder) not in written

    # Payloads and replies

    def test_a_payload_gives_back_what_it_was_made_from(self, adapter: HostAdapter) -> None:
        for event in _events(adapter):
            parsed = adapter.parse_event(event.host_event, adapter.sample_payload(event.host_event, event))

            assert parsed is not None
            assert (parsed.host, parsed.host_event) == (adapter.name, event.host_event)
            for field in FIELDS:
                assert getattr(parsed, field) in (getattr(event, field), "", ())

    def test_a_missing_or_wrong_or_unknown_field_is_no_failure(self, adapter: HostAdapter) -> None:
        for event in _events(adapter):
            payload = adapter.sample_payload(event.host_event, event)
            variants: list[Mapping[str, object]] = [{}, {**payload, "unknown": {"深": [1]}}]
            for key in payload:
                variants.append({name: value for name, value in payload.items() if name != key})
                variants += [{**payload, key: wrong} for wrong in WRONG]
            for variant in variants:
                parsed = adapter.parse_event(event.host_event, variant)
                for field in FIELDS if parsed else ():
                    assert isinstance(getattr(parsed, field), type(getattr(event, field)))

    def test_an_event_that_the_host_does_not_have_is_none_of_ours(self, adapter: HostAdapter) -> None:
        for host_event in ("", "NoSuchEvent", "事件"):
            assert adapter.parse_event(host_event, {}) is None

    def test_a_reply_is_one_json_object_on_one_line_and_holds_the_context_where_the_host_takes_it(
        self, adapter: HostAdapter
    ) -> None:
        for event in _events(adapter):
            for context in ("", "plain", 'quotes " and \\ and\nlines', "中文 \u2028 😀", "\ud800"):
                data = adapter.render_reply(event, HookReply(context))
                assert data.endswith(b"\n")
                assert data.count(b"\n") == 1
                reply = json.loads(data)
                assert isinstance(reply, dict)
                text = context.encode("utf-8", "replace").decode()
                if not context or event.name not in ANSWERED:
                    assert "context" not in data.decode().lower() or not context
                elif event.name == "prompt" and adapter.capabilities["recall"] == "full":
                    assert json.dumps(text)[1:-1] in json.dumps(reply)

    # The installed command, run as the host runs it

    @pytest.mark.parametrize("scope", SCOPES)
    def test_a_prompt_brings_what_is_known_in_either_language_and_nothing_else(
        self, fake_host: FakeHost, scope: Scope
    ) -> None:
        _need(fake_host, "recall")
        fake_host.remember("Refresh tokens", ["refresh token", "刷新令牌"], ["They rotate daily. 每天轮换。"])
        fake_host.install(scope)
        for number, prompt in enumerate(("how do refresh tokens rotate?", "刷新令牌怎么轮换？")):
            fake_host.session_id = f"session-{number}"
            told = fake_host.prompt(prompt, turn=f"turn-{number}")
            assert "They rotate daily. 每天轮换。" in told.text, prompt
        for number, prompt in enumerate(("thanks!", "谢谢", "write a haiku about the sea")):
            assert fake_host.prompt(prompt, turn=f"other-{number}").text == "", prompt

    def test_hooks_installed_for_user_and_project_give_one_recall_and_one_record_a_turn(
        self, fake_host: FakeHost
    ) -> None:
        _need(fake_host, "recall", "capture")
        fake_host.remember("Access tokens", ["access token", "访问令牌"], ["They live an hour. 一小时。"])
        for scope in SCOPES:
            fake_host.install(scope)
        told = fake_host.prompt("how long do access tokens live? 访问令牌")
        assert len(told.answers) > 1
        assert told.text.count("They live an hour. 一小时。") == 1

        assert fake_host.stop(BLOCK).text == ""
        assert [record.title for record in fake_host.records()] == ["Access tokens", "Refresh tokens rotate"]

    def test_a_turn_told_twice_is_stored_once(self, fake_host: FakeHost) -> None:
        _need(fake_host, "capture")
        fake_host.install()
        for _ in range(2):
            fake_host.stop(BLOCK)

        assert [record.conclusion for record in fake_host.records()] == [("They rotate daily. 每天轮换。",)]

    def test_every_event_is_answered_with_success_and_noted_whatever_its_fields(self, fake_host: FakeHost) -> None:
        _need(fake_host, "install")
        fake_host.install()
        for event in _events(fake_host.adapter):
            payload = dict(fake_host.adapter.sample_payload(event.host_event, event))
            payload.update({key: str(fake_host.project) for key, value in payload.items() if value == event.cwd})
            fake_host.send(event.host_event, json.dumps(payload).encode())
            assert fake_host.send(event.host_event, b"{}").text == ""
        assert {entry.get("event") for entry in fake_host.log()} >= set(fake_host.adapter.events)

    @pytest.mark.parametrize("name", TORN)
    def test_input_that_is_no_payload_is_answered_with_nothing_and_success(
        self, fake_host: FakeHost, name: str
    ) -> None:
        _need(fake_host, "install")
        fake_host.remember("Refresh tokens", ["refresh token"], ["They rotate daily."])
        fake_host.install()
        for host_event in fake_host.adapter.events:
            told = fake_host.send(host_event, TORN[name])
            assert all(len(answer.out) < 20_000 for answer in told.answers)
            assert told.replies is not None

    def test_a_folder_without_a_memory_is_answered_with_nothing(self, fake_host: FakeHost, tmp_path: Path) -> None:
        _need(fake_host, "recall")
        fake_host.install()
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()

        assert fake_host.prompt("refresh tokens", cwd=elsewhere).text == ""
        assert list(elsewhere.iterdir()) == []


def _need(fake_host: FakeHost, *capabilities: Capability) -> None:
    for capability in capabilities:
        if fake_host.adapter.capabilities[capability] != "full":
            pytest.skip(f"{fake_host.adapter.title} is registered without {capability}")


def _by_file(fake_host: FakeHost, scope: Scope) -> list[list[Edit]]:
    edits = sorted(fake_host.adapter.plan_install(fake_host.request(scope)), key=lambda edit: str(edit.path))
    return [list(of_file) for _, of_file in groupby(edits, key=lambda edit: edit.path)]


def _tree(fake_host: FakeHost) -> dict[Path, bytes | None]:
    """Every file and folder of home and project but HFA's own, with the content of files."""
    return {
        path: path.read_bytes() if path.is_file() else None
        for root in (fake_host.home, fake_host.project)
        for path in sorted(root.rglob("*"))
        if not path.is_relative_to(fake_host.home / ".local") and not path.is_relative_to(fake_host.memory.root)
    }


def _written(edit: Edit) -> str:
    return json.dumps(edit.value) if isinstance(edit, JsonEdit) else edit.text


def _events(adapter: HostAdapter) -> Iterator[HookEvent]:
    """One event of each kind that the host has, with everything filled in."""
    for host_event in adapter.events:
        event = HookEvent(
            host=adapter.name,
            name="",
            host_event=host_event,
            session_id="session-会话",
            turn_id="turn-1",
            cwd="/home/dev/项目",
            prompt="how do tokens rotate? 令牌",
            message="Decided. 决定了。",
            files=("/home/dev/项目/重试.py",),
            trigger="startup",
            agent_id="agent-1",
        )
        parsed = adapter.parse_event(host_event, adapter.sample_payload(host_event, event))
        assert parsed is not None, f"{host_event} is installed but not understood"
        event.name = parsed.name
        yield event

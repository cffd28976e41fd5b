"""The contract of adapters, and the adapter that says it supports nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from hfa_core.errors import UnsupportedHostError
from hfa_core.hosts.adapter import CAPABILITIES, HostAdapter, InstallRequest, Places, UnsupportedAdapter
from hfa_core.model import HookEvent, HookReply

ADAPTER = UnsupportedAdapter("other", "Other Host", ".other")


def request(home: Path) -> InstallRequest:
    return InstallRequest("user", Places(home, home / "project", {}, home / "state"), home / "python", (home / "lib",))


def test_an_unsupported_adapter_is_an_adapter_and_supports_nothing() -> None:
    assert isinstance(ADAPTER, HostAdapter)
    assert ADAPTER.capabilities == dict.fromkeys(CAPABILITIES, "unsupported")
    assert ADAPTER.events == ()


def test_an_unsupported_adapter_refuses_to_plan_and_to_reply(tmp_path: Path) -> None:
    with pytest.raises(
        UnsupportedHostError, match="other: install is unsupported in this version; nothing was changed"
    ):
        ADAPTER.plan_install(request(tmp_path))
    with pytest.raises(UnsupportedHostError):
        ADAPTER.render_reply(HookEvent(host="other", name="stop", host_event="x"), HookReply())


def test_an_unsupported_adapter_understands_no_event() -> None:
    assert ADAPTER.parse_event("Stop", {}) is None


def test_an_unsupported_host_is_mentioned_only_where_it_is_in_use(tmp_path: Path) -> None:
    assert list(ADAPTER.check(request(tmp_path))) == []
    (tmp_path / ".other").mkdir()

    assert [(finding.code, finding.severity) for finding in ADAPTER.check(request(tmp_path))] == [
        ("unsupported", "info")
    ]


def test_a_host_without_a_folder_is_never_detected(tmp_path: Path) -> None:
    assert not UnsupportedAdapter("other", "Other").detect(request(tmp_path).places)

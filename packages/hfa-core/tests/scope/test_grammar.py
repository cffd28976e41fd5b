"""What a scope may be called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.scope.grammar import is_scope


@pytest.mark.parametrize(
    "name",
    [
        "project", "user", "sessions/s-1", "sessions/2026.09", "sessions/会话", "sessions/s/user", "sessions/s/vp/lead",
        "sessions/s/feature/登录", "sessions/s/topic/a", "sessions/s/topic/a/b", "chat/c", "chat/c/vp/v",
    ],
)  # fmt: skip
def test_every_form_is_a_scope(name: str) -> None:
    assert is_scope(name)


@pytest.mark.parametrize(
    "name",
    [
        "", "Project", "projects", "user/x", "sessions", "sessions/", "sessions//user", "/sessions/s", "sessions/s/vp",
        "sessions/s/topic", "sessions/s/topic/a/b/c", "sessions/..", "sessions/../user", "sessions/.git", "sessions/a.",
        "sessions/s/vp/..", "sessions/a b", "sessions/a\n", "sessions/a\\b", "sessions/a:b", "sessions/a\0",
        "sessions/a\u202eb", "chat/c/user", "chat/c/feature/f", "group/s", "sessions/" + "x" * 65,
    ],
)  # fmt: skip
def test_nothing_else_is_one(name: str) -> None:
    assert not is_scope(name)


@given(st.text(max_size=12), st.sampled_from(["sessions/{}", "sessions/s/vp/{}", "chat/{}", "{}"]))
def test_no_scope_leads_out_of_its_folder(text: str, form: str) -> None:
    name = form.format(text)

    assert not is_scope(name) or (".." not in name.split("/") and not name.startswith("/") and "\\" not in name)

"""The focus lock and the lines of L0 that a prompt routes to."""

from __future__ import annotations

import pytest

from hfa_core.model import Node
from hfa_core.router.focus import reason_to_defer, route_nodes
from hfa_core.store.directory import ACTIVE, OPEN, TOMBSTONED, Directory


def node(id: str, state: str) -> Node:
    return Node(id=id, title=f"Title {id} 标题", path=f"main/{id}.md", state=state, branch="", hit_words=())


DIRECTORY = Directory(
    (
        node("M2", ACTIVE), node("M1", OPEN), node("S1", OPEN),
        node("S2", TOMBSTONED), node("P1", OPEN), node("P2", TOMBSTONED),
    )
)  # fmt: skip


@pytest.mark.parametrize("node_id", ["M2", "P1"])
def test_the_active_line_and_the_profile_are_in_focus(node_id: str) -> None:
    assert reason_to_defer(DIRECTORY, node_id) == ""


@pytest.mark.parametrize(
    ("node_id", "said"),
    [
        ("M1", "not in focus"), ("S1", "not in focus"), ("S2", "tombstoned"),
        ("P2", "tombstoned"), ("M9", "not in the"), ("", "(none)"),
    ],
)  # fmt: skip
def test_everything_else_waits_and_says_why(node_id: str, said: str) -> None:
    assert said in reason_to_defer(DIRECTORY, node_id)


def test_routed_nodes_come_in_the_directorys_order_without_repetition() -> None:
    found = route_nodes(DIRECTORY, ("P1", "S1", "M2", "S1", "unknown"))

    assert [one.id for one in found] == ["M2", "S1", "P1"]
    assert route_nodes(DIRECTORY, ()) == ()

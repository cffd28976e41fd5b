"""The focus lock: only the active main line and the profile are in focus; everything else waits behind a reason."""

from __future__ import annotations

from hfa_core.store.directory import ACTIVE, TOMBSTONED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.model import Node
    from hfa_core.store.directory import Directory


def reason_to_defer(directory: Directory, node_id: str) -> str:
    """Why a record of that node is out of focus; empty if it is in focus."""
    node = directory.find(node_id)
    if node is None:
        return f"its node {node_id or '(none)'} is not in the directory"
    if node.state == TOMBSTONED:
        return f"{node.id} {node.title} is tombstoned"
    if node.id.startswith("P") or (node.id.startswith("M") and node.state == ACTIVE):
        return ""
    return f"{node.id} {node.title} is not in focus"


def route_nodes(directory: Directory, node_ids: tuple[str, ...]) -> tuple[Node, ...]:
    """The nodes of the directory that a prompt routes to, in the directory's order."""
    return tuple(node for node in directory.nodes if node.id in node_ids)

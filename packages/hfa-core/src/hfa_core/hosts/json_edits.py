"""Edits to a JSON text: made and unmade without touching any other byte, comments aside, which are refused."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hfa_core.hosts.edits import JsonDefault, JsonEdit, JsonEntry, JsonMember, Pointer, Removal, Traces
from hfa_core.hosts.json_text import MARK, Item, Json, Node, fault_at, scan

_ADVICE = "HFA does not change what it does not understand, so mend this and run the command again"
_ADVICE_FOREIGN = "rename or remove it and run the command again"
_BLANK = MARK + " \t\r\n"
_INDENT = re.compile(r"[ \t]*")
_COLON = re.compile(r" ?: ?")


def add_entries(text: str, entries: Sequence[JsonEdit]) -> tuple[str, Traces]:
    """
    The text with each element in its array and each member in its object, and what had to be added around them.

    An element of the same owner is replaced where it stands, and one beside them that no entry asks for any more is
    taken out. An entry that is there already changes nothing. New ones go to the end of their container.

    Args:
        text: The content of the file; white space only counts as an empty object.
        entries: Entries of one file; at least one.

    Raises:
        HostConfigError: The text is not plain JSON, something else stands where a container should be, or a member of
            that name is somebody else's.
    """
    path = str(entries[0].path)
    traces = Traces()
    if not text.strip(_BLANK):
        traces = Traces(blank=text)
        text = MARK * text.startswith(MARK) + "{}\n"
    for entry in entries:
        text, added = _put_any(text, entry)
        traces = traces.and_then(added)
    wanted = {entry.pointer for entry in entries if isinstance(entry, JsonEntry)}
    for pointer, owner in _owned_arrays(text, entries):
        if pointer not in wanted:
            text = _take_out(text, pointer, owner, path, None)
    return text, traces


def remove_entries(text: str, entries: Sequence[JsonEdit], traces: Traces | None) -> Removal:
    """
    The text without the elements of the entries' owners, in the entries' arrays and in those beside them, and without
    their members.

    Args:
        text: The content of the file.
        entries: What an installation would add; only pointers and owners count here. At least one.
        traces: What the installation left beside its elements. Without it every container goes that is empty
            because our element left, except the root.

    Raises:
        HostConfigError: The text is not plain JSON, or repeats a key on the way to an element of ours.
    """
    if not text.strip(_BLANK):
        return Removal(text, is_empty=False)
    path = str(entries[0].path)
    before = text
    for pointer, owner in _owned_arrays(text, entries):
        text = _take_out(text, pointer, owner, path, traces)
    for entry in entries:
        if isinstance(entry, JsonMember):
            text = _take_member(text, entry, traces)
        elif isinstance(entry, JsonDefault):
            text = _take_default(text, entry, traces)
    root = scan(text, path)
    is_empty = root.kind == "object" and not root.items
    if text != before and is_empty and traces and traces.blank is not None:
        text = traces.blank
    return Removal(text, is_empty)


def has_entries(text: str, entries: Sequence[JsonEdit]) -> bool:
    """
    Whether an element or member of the entries' owners is in the text.

    Raises:
        HostConfigError: As `remove_entries`.
    """
    if not text.strip(_BLANK):
        return False
    members = [entry for entry in entries if isinstance(entry, JsonMember)]
    return bool(_owned_arrays(text, entries)) or any(find_owned(text, member) for member in members)


def find_owned(text: str, entry: JsonEntry | JsonMember) -> list[str]:
    """
    Our elements in the array of an entry, each as its JSON text, in their order, or our member; empty if there is none.

    Raises:
        HostConfigError: As `remove_entries`.
    """
    if isinstance(entry, JsonMember):
        node = _find(text, scan(text, str(entry.path)), entry.pointer, str(entry.path))
        return [text[node.start : node.end]] if node is not None and _holds(node, entry.owner) else []
    array = _find(text, scan(text, str(entry.path)), entry.pointer, str(entry.path))
    if array is None or array.kind != "array":
        return []
    return [text[item.start : item.end] for item in array.items if _holds(item.node, entry.owner)]


def _put_any(text: str, entry: JsonEdit) -> tuple[str, Traces]:
    if isinstance(entry, JsonEntry):
        return _put(text, entry)
    return _put_member(text, entry) if isinstance(entry, JsonMember) else _put_default(text, entry)


def _put_default(text: str, entry: JsonDefault) -> tuple[str, Traces]:
    path = str(entry.path)
    root = scan(text, path)
    _demand("object", text, root, (), path)
    if _only_member(text, root, entry.key, path):
        return text, Traces()
    spaces = _space(text, root, ())
    return _append(text, root, entry.key, entry.value, _style_of(text, root)), Traces(((entry.key,),), spaces)


def _take_default(text: str, entry: JsonDefault, traces: Traces | None) -> str:
    """Only what an installation is known to have put there, and nobody changed since."""
    path = str(entry.path)
    root = scan(text, path)
    item = _only_member(text, root, entry.key, path)
    if item is None or traces is None or (entry.key,) not in traces.created:
        return text
    if not _is_same(item.node, scan(json.dumps(entry.value), path)):
        return text
    index = next(index for index, one in enumerate(root.items) if one is item)
    return _settle(_without(text, _spans(root, {index})), (), path, traces)


def _put(text: str, entry: JsonEntry) -> tuple[str, Traces]:
    path = str(entry.path)
    root = scan(text, path)
    style = _style_of(text, root)
    node = root
    for depth, key in enumerate(entry.pointer):
        above = entry.pointer[:depth]
        _demand("object", text, node, above, path)
        item = _only_member(text, node, key, path)
        if item is None:
            created = tuple(entry.pointer[:length] for length in range(depth + 1, len(entry.pointer) + 1))
            value: Json = [entry.value]
            for inner in reversed(entry.pointer[depth + 1 :]):
                value = {inner: value}
            return _append(text, node, key, value, style), Traces(created, _space(text, node, above))
        node = item.node
    _demand("array", text, node, entry.pointer, path)
    ours = next((item.node for item in node.items if _is_whole(item.node, entry.owner)), None)
    doubled = _owned_spans(node, entry.owner, keep=ours)
    if doubled:
        return _put(_without(text, doubled), entry)
    if ours is None:
        return _append(text, node, None, entry.value, style), Traces((), _space(text, node, entry.pointer))
    if _is_same(ours, scan(json.dumps(entry.value), path)):
        return text, Traces()
    return text[: ours.start] + _render(text, node, ours.start, entry.value, style) + text[ours.end :], Traces()


def _put_member(text: str, entry: JsonMember) -> tuple[str, Traces]:
    path = str(entry.path)
    root = scan(text, path)
    style = _style_of(text, root)
    holder = node = root
    for depth, key in enumerate(entry.pointer):
        above = entry.pointer[:depth]
        _demand("object", text, node, above, path)
        item = _only_member(text, node, key, path)
        if item is None:
            created = tuple(entry.pointer[:length] for length in range(depth + 1, len(entry.pointer)))
            value = entry.value
            for inner in reversed(entry.pointer[depth + 1 :]):
                value = {inner: value}
            return _append(text, node, key, value, style), Traces(created, _space(text, node, above))
        holder, node = node, item.node
    if not _holds(node, entry.owner):
        raise fault_at(text, node.start, path, f"`{'.'.join(entry.pointer)}` that is not HFA's", _ADVICE_FOREIGN)
    if _is_same(node, scan(json.dumps(entry.value), path)):
        return text, Traces()
    return text[: node.start] + _render(text, holder, node.start, entry.value, style) + text[node.end :], Traces()


def _take_member(text: str, entry: JsonMember, traces: Traces | None) -> str:
    path = str(entry.path)
    holder = _find(text, scan(text, path), entry.pointer[:-1], path)
    if holder is None or holder.kind != "object":
        return text
    item = _only_member(text, holder, entry.pointer[-1], path)
    if item is None or not _holds(item.node, entry.owner):
        return text
    index = next(index for index, one in enumerate(holder.items) if one is item)
    return _settle(_without(text, _spans(holder, {index})), entry.pointer[:-1], path, traces)


def _take_out(text: str, pointer: Pointer, owner: str, path: str, traces: Traces | None) -> str:
    array = _find(text, scan(text, path), pointer, path)
    if array is None:
        return text
    return _settle(_without(text, _owned_spans(array, owner)), pointer, path, traces)


def _settle(text: str, pointer: Pointer, path: str, traces: Traces | None) -> str:
    """Take away empty containers that we added or, without traces, all; give back the inner space of the others."""
    while True:
        root = scan(text, path)
        node = _find(text, root, pointer, path)
        if node is None or node.items:
            return text
        parent = _find(text, root, pointer[:-1], path) if pointer else None
        if parent is None or (traces is not None and pointer not in traces.created):
            space = dict(traces.spaces).get(pointer, "") if traces else ""
            return text[: node.start + 1] + space + text[node.end - 1 :]
        index = next(index for index, item in enumerate(parent.items) if item.node == node)
        text = _without(text, _spans(parent, {index}))
        pointer = pointer[:-1]


def _owned_arrays(text: str, entries: Sequence[JsonEdit]) -> list[tuple[Pointer, str]]:
    """The arrays with elements of ours, in the entries' arrays and those beside them, each with the owner."""
    path = str(entries[0].path)
    root = scan(text, path)
    found: list[tuple[Pointer, str]] = []
    elements = [entry for entry in entries if isinstance(entry, JsonEntry)]
    for parent, owner in dict.fromkeys((entry.pointer[:-1], entry.owner) for entry in elements):
        holder = _find(text, root, parent, path)
        for item in holder.items if holder else ():
            if item.key is not None and item.node.kind == "array" and _owned_spans(item.node, owner):
                found.append(((*parent, item.key), owner))
    return found


def _owned_spans(array: Node, owner: str, keep: Node | None = None) -> list[tuple[int, int]]:
    """What to cut so that our elements leave; of an element that also holds foreign ones only our part."""
    whole: set[int] = set()
    spans: list[tuple[int, int]] = []
    for index, item in enumerate(array.items):
        if item.node is keep:
            continue
        if _is_whole(item.node, owner):
            whole.add(index)
        else:
            for inner in _object_arrays(item.node):
                spans += _owned_spans(inner, owner)
    return spans + _spans(array, whole)


def _is_whole(node: Node, owner: str) -> bool:
    if node.kind != "object" or not _holds(node, owner):
        return False
    return all(
        _is_whole(item.node, owner) for inner in _object_arrays(node) if _holds(inner, owner) for item in inner.items
    )


def _object_arrays(node: Node) -> list[Node]:
    """The arrays of objects right inside an object; a list of words, such as arguments, is not one."""
    arrays = [item.node for item in node.items if node.kind == "object" and item.node.kind == "array"]
    return [array for array in arrays if any(item.node.kind == "object" for item in array.items)]


def _holds(node: Node, owner: str) -> bool:
    return (node.kind == "string" and owner in node.value) or any(_holds(item.node, owner) for item in node.items)


def _is_same(one: Node, other: Node) -> bool:
    if one.kind != other.kind or one.value != other.value or len(one.items) != len(other.items):
        return False
    if one.kind == "object":
        return all(
            len(found := other.members(item.key or "")) == 1 and _is_same(item.node, found[0].node)
            for item in one.items
        )
    return all(_is_same(left.node, right.node) for left, right in zip(one.items, other.items, strict=True))


def _spans(container: Node, dropped: set[int]) -> list[tuple[int, int]]:
    """What to cut from a container, separators included, so that the items of these indexes leave."""
    items = container.items
    if not dropped:
        return []
    first_kept = next((index for index in range(len(items)) if index not in dropped), None)
    if first_kept is None:
        return [(container.start + 1, container.end - 1)]
    spans = [(items[index - 1].end, items[index].end) for index in dropped if index > first_kept]
    if first_kept > 0:
        spans.append((items[0].start, items[first_kept].start))
    return spans


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _find(text: str, root: Node, pointer: Pointer, path: str) -> Node | None:
    node = root
    for key in pointer:
        item = _only_member(text, node, key, path)
        if item is None:
            return None
        node = item.node
    return node


def _only_member(text: str, node: Node, key: str, path: str) -> Item | None:
    found = node.members(key)
    if len(found) > 1:
        raise fault_at(text, found[1].start, path, f"`{key}` again", _ADVICE)
    return found[0] if found else None


def _demand(kind: Literal["object", "array"], text: str, node: Node, pointer: Pointer, path: str) -> None:
    if node.kind != kind:
        what = f"`{'.'.join(pointer)}`" if pointer else "the root"
        raise fault_at(text, node.start, path, f"{what} is no {kind}", _ADVICE)


@dataclass(frozen=True, slots=True)
class _Style:
    """How a text is written; `unit` is one step of indentation."""

    newline: str
    unit: str
    colon: str
    is_one_line: bool

    @property
    def after_comma(self) -> str:
        return " " if self.colon.endswith(" ") else ""


def _style_of(text: str, root: Node) -> _Style:
    first = root.items[0] if root.items else None
    before = text[root.start + 1 : first.start] if first else ""
    return _Style(
        newline="\r\n" if "\r\n" in text else "\n",
        unit=before.rpartition("\n")[2] if "\n" in before else "  ",
        colon=first.gap if first and _COLON.fullmatch(first.gap) else ": ",
        is_one_line=first is not None and "\n" not in text[root.start : root.end],
    )


def _append(text: str, container: Node, key: str | None, value: Json, style: _Style) -> str:
    """The text with one more item at the end of a container, written as its neighbours are."""
    label = "" if key is None else json.dumps(key, ensure_ascii=False) + style.colon
    if container.items:
        last = container.items[-1]
        start = container.items[-2].end if len(container.items) > 1 else container.start + 1
        before = text[start : last.start].rpartition(",")[2]
        lead = style.newline + before.rpartition("\n")[2] if "\n" in before else before or style.after_comma
        shown = _render(text, container, last.start, value, style)
        return text[: last.end] + "," + lead + label + shown + text[last.end :]
    if style.is_one_line:
        lead = tail = ""
    else:
        tail = style.newline + _indent_at(text, container.start)
        lead = tail + style.unit
    shown = _render(text, container, container.start, value, style, deeper=style.unit)
    return text[: container.start + 1] + lead + label + shown + tail + text[container.end - 1 :]


def _render(text: str, container: Node, position: int, value: Json, style: _Style, *, deeper: str = "") -> str:
    """A value as it looks on the line of `position`, or one step deeper, in a container."""
    is_inline = bool(container.items) and "\n" not in text[container.start : container.end]
    if style.is_one_line or is_inline:
        return json.dumps(value, ensure_ascii=False, separators=("," + style.after_comma, style.colon))
    shown = json.dumps(value, ensure_ascii=False, indent=style.unit, separators=(",", style.colon))
    return shown.replace("\n", style.newline + _indent_at(text, position) + deeper)


def _indent_at(text: str, position: int) -> str:
    found = _INDENT.match(text, text.rfind("\n", 0, position) + 1)
    return found[0] if found else ""


def _space(text: str, container: Node, pointer: Pointer) -> tuple[tuple[Pointer, str], ...]:
    return () if container.items else ((pointer, text[container.start + 1 : container.end - 1]),)

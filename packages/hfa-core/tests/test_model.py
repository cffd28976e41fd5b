"""Records: compared, hashed and shown by their slots."""

from __future__ import annotations

import pytest

from hfa_core.model import KINDS, Draft, HookEvent, HookReply, Node, Record, Source


def test_records_are_equal_by_type_and_values() -> None:
    class Other(Record):
        __slots__ = ("context",)

        def __init__(self, context: str) -> None:
            self.context = context

    assert HookReply("令牌") == HookReply("令牌")
    assert HookReply("令牌") != HookReply("token")
    assert HookReply("令牌") != Other("令牌")
    assert HookReply("令牌") != "令牌"


def test_equal_records_have_one_hash() -> None:
    assert len({Source("cli", ref="a"), Source("cli", ref="a"), Source("cli", ref="b")}) == 2


def test_a_record_shows_its_fields() -> None:
    assert repr(HookReply("一")) == "HookReply(context='一', note='')"


def test_a_misspelt_field_is_an_error() -> None:
    with pytest.raises(AttributeError):
        HookReply().contxt = "x"  # type: ignore[attr-defined]  # the point of the test


@pytest.mark.parametrize("kind", [Node, Draft, Source, HookEvent, HookReply])
def test_slots_are_in_order_and_leave_no_room_for_others(kind: type[Record]) -> None:
    assert list(kind.__slots__) == sorted(kind.__slots__)
    assert not hasattr(kind, "__dict__") or "__dict__" not in dir(kind)


def test_a_draft_keeps_its_lists_as_tuples() -> None:
    draft = Draft(title="t", hit_words=["一", "two"], conclusion=["c"], source=Source("cli"), paths=["a"], tags=["b"])

    assert (draft.hit_words, draft.conclusion, draft.paths, draft.tags) == (("一", "two"), ("c",), ("a",), ("b",))
    assert draft.kind in KINDS

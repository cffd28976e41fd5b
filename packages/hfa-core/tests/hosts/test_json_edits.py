"""Edits on texts: nothing but our elements changes, and taking them out gives back the old bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.errors import HostConfigError
from hfa_core.hosts.edits import JsonEntry, JsonMember, Traces
from hfa_core.hosts.json_edits import add_entries, has_entries, remove_entries
from hfa_core.hosts.json_text import MARK, Json

OWNER = "# ours"


def entry(event: str, command: str = "go # ours") -> JsonEntry:
    return JsonEntry(Path("/settings.json"), ("hooks", event), {"hooks": [{"command": command}]}, OWNER)


ENTRIES = [entry("Start"), entry("Stop")]


def member(command: str = "go # ours") -> JsonMember:
    return JsonMember(Path("/mcp.json"), ("servers", "hfa"), {"command": command}, OWNER)


def added(text: str, entries: Sequence[JsonEntry | JsonMember] = ENTRIES) -> str:
    return add_entries(text, entries)[0]


def returned(text: str, entries: Sequence[JsonEntry | JsonMember] = ENTRIES) -> str:
    with_ours, traces = add_entries(text, entries)
    return remove_entries(with_ours, entries, traces).text


SPACES = st.text(" \t\r\n", max_size=3)
SPELLED = st.sampled_from(
    ["1", "-0", "1.50", "1E+5", "true", "null", '"a"', r'"\u00e9\/\ud800"', '"中文 \u2028"', '""', '"// no # ours?"']
)


def spelled_array(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    items = st.lists(st.tuples(SPACES, inner, SPACES).map("".join), max_size=3)
    return st.tuples(items, SPACES).map(lambda made: "[" + (",".join(made[0]) or made[1]) + "]")


def spelled_object(members: st.SearchStrategy[list[tuple[str, str]]]) -> st.SearchStrategy[str]:
    @st.composite
    def spell(draw: st.DrawFn) -> str:
        shown = [
            f"{draw(SPACES)}{json.dumps(key)}{draw(SPACES)}:{draw(SPACES)}{value}{draw(SPACES)}"
            for key, value in draw(members)
        ]
        return "{" + (",".join(shown) or draw(SPACES)) + "}"

    return spell()


def members_of(keys: st.SearchStrategy[str], inner: st.SearchStrategy[str]) -> st.SearchStrategy[list[tuple[str, str]]]:
    return st.lists(st.tuples(keys, inner), max_size=3, unique_by=lambda member: member[0])


VALUES = st.recursive(
    SPELLED, lambda inner: spelled_array(inner) | spelled_object(members_of(st.text(max_size=3), inner)), max_leaves=6
).filter(lambda text: OWNER not in text)
HOOKS = spelled_object(members_of(st.sampled_from(["Start", "Other", "Stop"]), spelled_array(VALUES)))


@st.composite
def documents(draw: st.DrawFn) -> str:
    others = draw(members_of(st.text("abc中\n", max_size=3), VALUES))
    hooks = [("hooks", draw(HOOKS))] if draw(st.booleans()) else []
    at = draw(st.integers(0, len(others)))
    root = draw(spelled_object(st.just([*others[:at], *hooks, *others[at:]])))
    return draw(st.sampled_from(["", MARK])) + draw(SPACES) + root + draw(SPACES)


@given(documents())
def test_taking_out_what_was_added_gives_back_every_byte(text: str) -> None:
    assert returned(text) == text


@given(documents())
def test_adding_twice_is_adding_once(text: str) -> None:
    once, _ = add_entries(text, ENTRIES)

    assert add_entries(once, ENTRIES) == (once, Traces())


@given(documents())
def test_added_text_is_json_that_holds_everything_old_in_its_order_and_ours_last(text: str) -> None:
    before: dict[str, dict[str, list[object]]] = json.loads(text.lstrip(MARK))
    after: dict[str, dict[str, list[object]]] = json.loads(added(text).lstrip(MARK))

    old_hooks, hooks = before.pop("hooks", {}), after.pop("hooks")
    assert list(after.items()) == list(before.items())
    for event in [*old_hooks, "Start", "Stop"]:
        ours = [{"hooks": [{"command": "go # ours"}]}] if event != "Other" else []
        assert hooks[event] == old_hooks.get(event, []) + ours
    assert list(hooks)[: len(old_hooks)] == list(old_hooks)


@given(documents())
def test_replacing_an_older_form_and_removing_it_gives_back_every_byte(text: str) -> None:
    with_older, first = add_entries(text, [entry("Start", "an older and longer form # ours")])
    with_ours, second = add_entries(with_older, ENTRIES)

    assert remove_entries(with_ours, ENTRIES, first.and_then(second)).text == text


@given(documents())
def test_removing_without_traces_leaves_nothing_of_ours_and_all_that_is_foreign(text: str) -> None:
    removed = remove_entries(added(text), ENTRIES, None).text
    before: dict[str, object] = json.loads(text.lstrip(MARK))
    after: dict[str, object] = json.loads(removed.lstrip(MARK))

    assert not has_entries(removed, ENTRIES)
    assert [key for key in before if key != "hooks"] == [key for key in after if key != "hooks"]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{ }",
        "{\n}",
        "{}\n",
        '{"hooks":{}}',
        '{\n  "hooks": { },\n  "a": 1\n}\n',
        '{\n\t"a": 1.50\n}',
        '{\r\n    "a": 1\r\n}\r\n',
        '{"a":1}',
        '{"a": 1, "b": [1, 2]}\n',
        '{\n  "hooks": {\n    "Stop": [\n    ],\n    "Start": []\n  }\n}',
        '{\n"a": 1\n}',
        MARK + '{"a": 1}',
        "",
        " \n",
        MARK,
        MARK + "\r\n",
    ],
)
def test_odd_files_come_back_byte_for_byte(text: str) -> None:
    assert added(text) != text
    assert returned(text) == text


def test_added_entries_are_written_as_the_file_is_indented() -> None:
    assert added('{\n\t"a": 1\n}\n', [entry("Stop")]) == (
        '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{\n\t\t\t\t"hooks": [\n\t\t\t\t\t{\n'
        '\t\t\t\t\t\t"command": "go # ours"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n'
    )


def test_a_minified_file_stays_minified() -> None:
    assert added('{"a":1}', [entry("Stop")]) == ('{"a":1,"hooks":{"Stop":[{"hooks":[{"command":"go # ours"}]}]}}')


def test_a_file_with_windows_line_ends_gets_no_other_ones() -> None:
    text = added('{\r\n  "a": 1\r\n}\r\n')

    assert text.count("\n") == text.count("\r\n")


def test_a_list_written_with_hugging_brackets_is_continued_so() -> None:
    text = '{\n  "hooks": {\n    "Stop": [{\n      "hooks": []\n    }]\n  }\n}'

    assert added(text, [entry("Stop")]) == text.replace(
        "}]", '}, {\n      "hooks": [\n        {\n          "command": "go # ours"\n        }\n      ]\n    }]'
    )


def test_our_older_entry_is_replaced_where_it_stands() -> None:
    text = '{"hooks": {"Stop": [{"a": 1}, {"hooks": [{"command": "before # ours"}]}, {"b": 2}]}}'

    assert added(text, [entry("Stop")]) == text.replace("before", "go")


def test_an_entry_that_only_looks_different_is_left_as_the_user_wrote_it() -> None:
    text = '{"hooks": {"Stop": [ {"hooks":[ {"command" : "\\u0067o # ours"}]} ]}}'

    assert added(text, [entry("Stop")]) == text


def test_doubled_entries_of_ours_become_one_at_the_first_place() -> None:
    ours = '{"hooks": [{"command": "go # ours"}]}'
    text = f'{{"hooks": {{"Stop": [1, {ours}, 2, {ours}, 3, {ours}]}}}}'

    assert added(text, [entry("Stop")]) == f'{{"hooks": {{"Stop": [1, {ours}, 2, 3]}}}}'


def test_our_entry_of_an_event_that_is_not_wanted_any_more_is_taken_out() -> None:
    text = added('{"hooks": {"Old": []}}', [entry("Old")])

    assert "Old" not in added(text, [entry("Stop")])


def test_foreign_handlers_in_a_group_that_a_user_merged_with_ours_survive() -> None:
    text = '{"hooks": {"Stop": [{"hooks": [{"command": "theirs"}, {"command": "go # ours"}]}]}}'

    assert remove_entries(text, ENTRIES, None).text == '{"hooks": {"Stop": [{"hooks": [{"command": "theirs"}]}]}}'


def test_a_handler_merged_into_a_foreign_group_moves_into_a_group_of_our_own() -> None:
    text = '{"hooks": {"Stop": [{"hooks": [{"command": "go # ours"}, {"command": "theirs"}]}]}}'
    expected = '{"hooks": {"Stop": [{"hooks": [{"command": "theirs"}]}, {"hooks": [{"command": "go # ours"}]}]}}'

    assert added(text, [entry("Stop")]) == expected
    assert added(expected, [entry("Stop")]) == expected


def test_a_list_of_arguments_with_our_mark_leaves_with_its_whole_element() -> None:
    value: Json = {"hooks": [{"command": "py", "args": ["-c", "go # ours", "x"]}]}
    ours = JsonEntry(Path("/settings.json"), ("hooks", "Stop"), value, OWNER)

    assert returned('{"hooks": {"Stop": [1]}}', [ours]) == '{"hooks": {"Stop": [1]}}'


def test_a_users_additions_around_ours_survive_the_removal() -> None:
    with_ours, traces = add_entries("{}\n", [entry("Stop")])
    edited = with_ours.replace('"Stop": [', '"Stop": [\n      {"mine": 1},').replace(
        '"hooks": {', '"a": 1,\n  "hooks": {', 1
    )

    assert json.loads(remove_entries(edited, [entry("Stop")], traces).text) == {
        "a": 1,
        "hooks": {"Stop": [{"mine": 1}]},
    }


def test_an_array_that_a_user_emptied_beside_ours_stays_as_an_empty_array() -> None:
    with_ours, traces = add_entries('{"hooks": {"Stop": [1]}}', [entry("Stop")])

    assert remove_entries(with_ours.replace("[1, ", "["), [entry("Stop")], traces).text == '{"hooks": {"Stop": []}}'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "the root is no object at line 1, column 1;"),
        ('"hooks"', "the root is no object at line 1, column 1;"),
        ('{"hooks": []}', "`hooks` is no object at line 1, column 11;"),
        ('{"hooks": null}', "`hooks` is no object at line 1, column 11;"),
        ('{"hooks": {"Stop": {}}}', "`hooks.Stop` is no array at line 1, column 20;"),
        ('{"hooks": {}, "hooks": {}}', "`hooks` again at line 1, column 15;"),
        ('{"hooks": {"Stop": [], "St\\u006fp": []}}', "`Stop` again at line 1, column 24;"),
    ],
)
def test_what_stands_where_a_container_should_be_is_refused_with_its_place(text: str, told: str) -> None:
    with pytest.raises(HostConfigError) as caught:
        add_entries(text, ENTRIES)

    assert told in str(caught.value)


def test_a_repeated_key_off_our_way_is_none_of_our_business() -> None:
    text = '{"a": 1, "a": 2, "hooks": {"Other": [], "Other": []}}'

    assert returned(text) == text


@pytest.mark.parametrize("text", ["[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "", "1"])
def test_removing_from_a_file_that_cannot_hold_ours_changes_nothing(text: str) -> None:
    assert remove_entries(text, ENTRIES, None).text == text


SERVERS = spelled_object(members_of(st.sampled_from(["other", "记忆", "zz"]), VALUES))


@st.composite
def server_documents(draw: st.DrawFn) -> str:
    others = draw(members_of(st.text("abc中\n", max_size=3), VALUES))
    servers = [("servers", draw(SERVERS))] if draw(st.booleans()) else []
    root = draw(spelled_object(st.just([*others, *servers])))
    return draw(st.sampled_from(["", MARK])) + draw(SPACES) + root + draw(SPACES)


@given(server_documents())
def test_taking_out_a_member_gives_back_every_byte(text: str) -> None:
    assert returned(text, [member()]) == text


@given(server_documents())
def test_a_member_and_elements_in_one_file_leave_no_trace(text: str) -> None:
    assert returned(text, [member(), *ENTRIES]) == text


@given(server_documents())
def test_a_member_is_there_beside_everything_old(text: str) -> None:
    before: dict[str, dict[str, object]] = json.loads(text.lstrip(MARK))
    once, _ = add_entries(text, [member()])
    after: dict[str, dict[str, object]] = json.loads(once.lstrip(MARK))

    assert add_entries(once, [member()]) == (once, Traces())
    assert after["servers"] == {**before.get("servers", {}), "hfa": {"command": "go # ours"}}
    assert {**after, "servers": 0} == {**before, "servers": 0}


@given(server_documents())
def test_an_older_form_of_a_member_is_replaced_where_it_stands(text: str) -> None:
    with_older, first = add_entries(text, [member("older # ours")])
    with_ours, second = add_entries(with_older, [member()])

    assert json.loads(added(text, [member()]).lstrip(MARK)) == json.loads(with_ours.lstrip(MARK))
    assert remove_entries(with_ours, [member()], first.and_then(second)).text == text


def test_a_member_of_that_name_that_is_somebody_elses_is_refused_and_never_removed() -> None:
    text = '{"servers": {"hfa": {"command": "mine"}}}'

    with pytest.raises(HostConfigError, match=r"`servers.hfa` that is not HFA's"):
        add_entries(text, [member()])
    assert not has_entries(text, [member()])
    assert remove_entries(text, [member()], None).text == text

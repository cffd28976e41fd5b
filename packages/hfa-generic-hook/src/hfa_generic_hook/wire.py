"""Payloads and replies of a host that a profile describes: pure functions between its JSON and HFA's records."""

from __future__ import annotations

from hfa_core.light.json_codec import as_list, as_mapping, as_text, render_json
from hfa_core.model import HookEvent, HookReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hfa_generic_hook.profile import Profile

EMPTY_REPLY = b"{}\n"


def parse_event(profile: Profile, host_event: str, payload: Mapping[str, object]) -> HookEvent | None:
    """The event in a payload, or None for one that does not count; a field of a wrong type counts as missing."""
    entry = profile.events.get(host_event)
    if entry is None or not _counts(entry, payload):
        return None
    places = profile.fields
    texts = {name: _text(payload, places.get(name, ())) for name in places if name != "files"}
    name = as_text(entry.get("is"))
    return HookEvent(
        host=profile.name,
        name=name,
        host_event=host_event,
        session_id=texts.get("session_id", ""),
        turn_id=texts.get("turn_id", ""),
        cwd=texts.get("cwd", ""),
        prompt=texts.get("prompt", "") if name in ("prompt", "invocation") else "",
        message=texts.get("message", "") if name in ("answer", "stop") else "",
        files=_files(payload, places.get("files", ())) if name in ("tool", "edit") else (),
        trigger=texts.get("trigger", ""),
        agent_id=texts.get("agent_id", ""),
        transcript=texts.get("transcript", ""),
    )


def render_reply(profile: Profile, event: HookEvent, reply: HookReply) -> bytes:
    """The one JSON object that the host takes for this event, with a newline; nothing else is ever said to it."""
    name = as_text(as_mapping(profile.events.get(event.host_event)).get("reply"))
    if not reply.context or not name:
        return EMPTY_REPLY
    words = {"{context}": reply.context, "{event}": event.host_event}
    return (render_json(_fill(profile.replies[name], words)) + "\n").encode("utf-8", "replace")


def complete(profile: Profile, event: HookEvent, rows: Sequence[Mapping[str, object]]) -> None:
    """
    What the payload left out, from the transcript: for a prompt the last thing that the user said, with its row's mark
    as the turn; for the end of a turn what the agent said after it. Never another's words.
    """
    form = profile.transcript
    said: list[str] = []
    for row in reversed(rows):
        if _matches(row, form.get("user")):
            if event.name in ("prompt", "invocation"):
                event.prompt = _clean(_said(row, form), form)
                event.turn_id = event.turn_id or _text(row, _places(form, "turn"))
            break
        if _matches(row, form.get("agent")):
            said.insert(0, _said(row, form))
    if event.name == "stop":
        event.message = "\n".join(said)


def sample_payload(profile: Profile, host_event: str, event: HookEvent) -> dict[str, object]:
    """The payload of an event, with the first place of each field filled; what `parse_event` reads, it reads back."""
    payload: dict[str, object] = {}
    for name, places in profile.fields.items():
        values = event.files if name == "files" else (getattr(event, name),)
        for place, value in zip(places, values, strict=False):
            if value:
                _put(payload, place.split("."), value)
    for place, values in as_mapping(as_mapping(profile.events.get(host_event)).get("only_if")).items():
        first = as_list(values)[0]
        if first is not None:
            _put(payload, place.split("."), first)
    return payload


def _counts(entry: Mapping[str, object], payload: Mapping[str, object]) -> bool:
    """Whether each field that the profile names has one of its values; null stands for a field that is not there."""
    return all(
        _at(payload, place) in as_list(values) or (_at(payload, place) is None and "" in as_list(values))
        for place, values in as_mapping(entry.get("only_if")).items()
    )


def _at(value: object, place: str) -> object:
    for key in place.split("."):
        items = as_list(value)
        if items:
            value = items[int(key)] if key.isdigit() and len(key) < 6 and int(key) < len(items) else None
        else:
            value = as_mapping(value).get(key)
    return value


def _text(value: object, places: Sequence[str]) -> str:
    for place in places:
        found = _at(value, place)
        if isinstance(found, int) and not isinstance(found, bool):
            found = str(found)
        if text := as_text(found):
            return text
    return ""


def _files(payload: Mapping[str, object], places: Sequence[str]) -> tuple[str, ...]:
    found = [as_text(_at(payload, place)) for place in places]
    return tuple(dict.fromkeys(path for path in found if path))


def _places(form: Mapping[str, object], key: str) -> tuple[str, ...]:
    return tuple(as_text(place) for place in as_list(form.get(key)))


def _matches(row: Mapping[str, object], wanted: object) -> bool:
    fields = as_mapping(wanted)
    return bool(fields) and all(_at(row, place) == value for place, value in fields.items())


def _said(row: Mapping[str, object], form: Mapping[str, object]) -> str:
    """The text of a row: a string, or the texts of a list of parts."""
    for place in _places(form, "text"):
        found = _at(row, place)
        parts = [as_text(as_mapping(part).get("text")) for part in as_list(found)]
        text = as_text(found) or "\n".join(part for part in parts if part)
        if text:
            return text
    return ""


def _clean(text: str, form: Mapping[str, object]) -> str:
    """What the user wrote, without what the host put into and around it."""
    for pair in as_list(form.get("drop")):
        opening, closing = (as_text(mark) for mark in (*as_list(pair), "", "")[:2])
        while opening and closing and (start := text.find(opening)) >= 0:
            end = text.find(closing, start)
            text = text[:start] + (text[end + len(closing) :] if end >= 0 else "")
    for mark in as_list(form.get("unwrap")):
        text = text.replace(as_text(mark), "") if as_text(mark) else text
    return text.strip()


def _fill(value: object, words: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return words.get(value, value)
    if items := as_list(value):
        return [_fill(item, words) for item in items]
    if fields := as_mapping(value):
        return {key: _fill(item, words) for key, item in fields.items()}
    return value


def _put(payload: dict[str, object], keys: Sequence[str], value: object) -> None:
    key, rest = keys[0], keys[1:]
    if not rest:
        payload[key] = value
    elif rest == ["0"]:
        payload[key] = [value]
    else:
        inner = as_mapping(payload.get(key))
        _put(inner, rest, value)
        payload[key] = inner

"""A host described as data: the form of a profile, and its reading, with an error that names the key.

A field is a list of places in the payload, the first with a text counts; a place is keys and indexes joined by dots,
such as `workspacePaths.0`. A reply is the host's JSON with `{context}` and `{event}` where these go.
"""

from __future__ import annotations

import os

from hfa_core.errors import ProfileError
from hfa_core.fs.reading import read_bytes
from hfa_core.light.json_codec import as_list, as_mapping, as_text, as_texts, parse_json
from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = "hfa-hook/1"
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "profiles")
LARGEST = 1 << 20
MEANINGS = ("session_start", "prompt", "invocation", "tool", "edit", "answer", "stop", "compact", "session_end")
FIELDS = ("session_id", "turn_id", "cwd", "prompt", "message", "files", "trigger", "agent_id", "transcript")
LONGEST_S = 60
_KEYS = ("profile", "name", "title", "events", "fields", "replies", "transcript", "hooks")
_EVENT_KEYS = ("is", "reply", "timeout", "only_if")
_TRANSCRIPT_KEYS = ("user", "agent", "text", "turn", "drop", "unwrap")
_HOOKS_KEYS = ("user", "project", "member", "entry")


class Profile(Record):
    """
    One host: `events` by the host's name, each with `is`, maybe `reply`, `timeout` (seconds) and `only_if`; `fields`,
    each a tuple of places; `replies` by name; `transcript` and `hooks` as they were written, empty for none.
    """

    __slots__ = ("events", "fields", "hooks", "name", "replies", "title", "transcript")

    def __init__(self, document: Mapping[str, object], path: str) -> None:
        _allow(document, _KEYS, "", path)
        if document.get("profile") != FORMAT:
            raise ProfileError(path, "profile", f"must be {FORMAT!r}")
        self.name = _demand_text(document, "name", path)
        self.title = as_text(document.get("title")) or self.name
        self.replies = as_mapping(document.get("replies"))
        self.events = {
            name: _event(name, entry, self.replies, path) for name, entry in _members(document, "events", path)
        }
        if not self.events:
            raise ProfileError(path, "events", "names no event")
        self.fields = {
            name: _places(f"fields.{name}", entry, path) for name, entry in _members(document, "fields", path)
        }
        _allow(self.fields, FIELDS, "fields.", path)
        self.transcript = as_mapping(document.get("transcript"))
        _allow(self.transcript, _TRANSCRIPT_KEYS, "transcript.", path)
        self.hooks = as_mapping(document.get("hooks"))
        _allow(self.hooks, _HOOKS_KEYS, "hooks.", path)


def read_profile(name: str) -> Profile:
    """
    A profile that is shipped, by its name, or the one in a file, by its path.

    Raises:
        ProfileError: There is none, or it is not as it should be; it names file and key.
    """
    is_path = os.sep in name or "/" in name or name.endswith(".json")
    path = name if is_path else os.path.join(FOLDER, f"{name}.json")
    try:
        document = parse_json(read_bytes(path, limit=LARGEST).decode("utf-8"))
    except FileNotFoundError:
        known = "" if is_path else f"; shipped are {', '.join(list_profiles())}, and --profile FILE takes another"
        raise ProfileError(path, "", f"there is no such profile{known}") from None
    except (OSError, ValueError) as error:
        raise ProfileError(path, "", f"cannot be read as JSON ({error})") from error
    fields = as_mapping(document)
    if not fields:
        raise ProfileError(path, "", "is no JSON object with anything in it")
    return Profile(fields, path)


def list_profiles() -> list[str]:
    """The names of the profiles that are shipped."""
    return sorted(name.removesuffix(".json") for name in os.listdir(FOLDER) if name.endswith(".json"))


def _event(name: str, entry: object, replies: Mapping[str, object], path: str) -> dict[str, object]:
    event, key = as_mapping(entry), f"events.{name}"
    _allow(event, _EVENT_KEYS, f"{key}.", path)
    if event.get("is") not in MEANINGS:
        raise ProfileError(path, f"{key}.is", f"must be one of {', '.join(MEANINGS)}")
    if event.get("reply", next(iter(replies), "")) not in replies and "reply" in event:
        raise ProfileError(
            path, f"{key}.reply", f"names no reply of `replies`: {', '.join(replies) or 'there is none'}"
        )
    seconds = event.get("timeout", 1)
    # A host drops the whole file for a number that is not whole.
    if not isinstance(seconds, int) or isinstance(seconds, bool) or not 0 < seconds <= LONGEST_S:
        raise ProfileError(path, f"{key}.timeout", f"must be a whole number of seconds from 1 to {LONGEST_S}")
    for place, values in as_mapping(event.get("only_if")).items():
        if not as_list(values):
            raise ProfileError(path, f"{key}.only_if.{place}", "must be a list of values")
    return event


def _members(document: Mapping[str, object], key: str, path: str) -> list[tuple[str, object]]:
    value = document.get(key)
    if not isinstance(value, dict):
        raise ProfileError(path, key, "must be an object")
    return list(as_mapping(document.get(key)).items())


def _places(key: str, entry: object, path: str) -> tuple[str, ...]:
    places = as_texts(entry)
    if not places or len(places) != len(as_list(entry)):
        raise ProfileError(path, key, 'must be a list of places, such as ["session_id"]')
    return places


def _demand_text(document: Mapping[str, object], key: str, path: str) -> str:
    text = as_text(document.get(key))
    if not text:
        raise ProfileError(path, key, "must be a text")
    return text


def _allow(found: Mapping[str, object], known: tuple[str, ...], prefix: str, path: str) -> None:
    for key in found:
        if key not in known:
            raise ProfileError(path, f"{prefix}{key}", f"is no key of a profile; known here: {', '.join(known)}")

"""A hooks file held against the form that its host takes, for the host itself drops a wrong one without a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hfa_core.hosts.json_text import Json
from hfa_generic_hook.profile import LONGEST_S, Profile

_HANDLER_KEYS = ("type", "command", "timeout")
_PLUGIN_KEYS = ("name", "version", "description")


def find_faults(document: Json, profile: Profile) -> list[str]:
    """
    What is wrong with a hooks file, each as the key and what it must be; empty if the host takes it whole.

    Args:
        document: The whole file: named groups of hooks, each by event.
        profile: The host's.
    """
    if not isinstance(document, Mapping):
        return ["the root must be an object"]
    return [fault for name, group in document.items() for fault in _group(name, group, profile)]


def find_plugin_faults(document: Json) -> list[str]:
    """What is wrong with a plugin's manifest: its name is required, and no other keys are known."""
    if not isinstance(document, Mapping):
        return ["the root must be an object"]
    faults = [f"{key}: is unknown" for key in document if key not in _PLUGIN_KEYS]
    faults += [f"{key}: must be a text" for key, value in document.items() if not isinstance(value, str) or not value]
    return faults if "name" in document else [*faults, "name: is missing"]


def _group(name: str, group: Json, profile: Profile) -> Iterator[str]:
    if not isinstance(group, Mapping):
        yield f"{name}: must be an object of events"
        return
    for event, handlers in group.items():
        key = f"{name}.{event}"
        if event not in profile.events:
            yield f"{key}: {profile.title} has no such event; it has {', '.join(profile.events)}"
        elif not isinstance(handlers, Sequence) or isinstance(handlers, str):
            yield f"{key}: must be a list"
        else:
            for index, handler in enumerate(handlers):
                yield from _handler(f"{key}.{index}", handler)


def _handler(key: str, handler: Json) -> Iterator[str]:
    if not isinstance(handler, Mapping):
        yield f"{key}: must be an object"
        return
    yield from (f"{key}.{one}: is unknown" for one in handler if one not in _HANDLER_KEYS)
    if handler.get("type") != "command":
        yield f'{key}.type: must be "command"'
    command, seconds = handler.get("command"), handler.get("timeout")
    if not isinstance(command, str) or not command.strip():
        yield f"{key}.command: must be a text"
    if not isinstance(seconds, int) or isinstance(seconds, bool) or not 0 < seconds <= LONGEST_S:
        yield f"{key}.timeout: must be a whole number of seconds from 1 to {LONGEST_S}"

"""Settings files as users have them: every form in which a host's file may stand before HFA is installed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hfa_core.hosts.edits import Edit, JsonEdit, JsonEntry, JsonMember, OwnFile
from hfa_core.hosts.json_text import Json

THEIRS = "somebody else's, 别人的"


def forms_of(edits: Sequence[Edit]) -> dict[str, bytes | None]:
    """
    What may stand in the one file that the edits are for, by a name for the form; None where there is no file.

    Args:
        edits: Edits of one file; at least one.
    """
    forms: dict[str, bytes | None] = {"none": None}
    if any(isinstance(edit, OwnFile) for edit in edits):
        # Whatever else stands there is somebody else's, and refused.
        return forms
    of_json = [edit for edit in edits if isinstance(edit, JsonEdit)]
    if not of_json:
        prose = f"# Notes\n\n{THEIRS}\n"
        texts = {"empty": "", "prose": prose, "crlf": prose.replace("\n", "\r\n"), "no line end": prose.rstrip("\n")}
    else:
        document = _foreign(of_json)
        plain = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        texts = {
            "empty": "",
            "blank": " \n",
            "empty object": "{}\n",
            "foreign": plain,
            "foreign on one line": json.dumps(document),
            "tabs": json.dumps(document, indent="\t", ensure_ascii=False) + "\n",
            "four blanks": json.dumps(document, indent=4, ensure_ascii=False) + "\n",
            "crlf": plain.replace("\n", "\r\n"),
            "byte order mark": "\ufeff" + plain,
            "no line end": plain.rstrip("\n"),
            "another order": json.dumps(dict(reversed(list(document.items()))), indent=2) + "\n",
        }
    forms.update({name: text.encode("utf-8") for name, text in texts.items()})
    return forms


def _foreign(edits: Sequence[JsonEdit]) -> Mapping[str, Json]:
    """A document with something of somebody else's beside everything of ours."""
    document: Mapping[str, Json] = {"theirs": {"text": THEIRS, "numbers": [1, 2.50, -3e2]}}
    for edit in edits:
        if isinstance(edit, JsonMember):
            document = _with(document, (*edit.pointer[:-1], "theirs"), {"note": THEIRS})
        elif isinstance(edit, JsonEntry):
            document = _with(document, edit.pointer, [{"note": THEIRS}])
    return document


def _with(document: Mapping[str, Json], pointer: Sequence[str], value: Json) -> Mapping[str, Json]:
    inner = document.get(pointer[0])
    if len(pointer) > 1:
        value = _with(inner if isinstance(inner, Mapping) else {}, pointer[1:], value)
    return {**document, pointer[0]: value}

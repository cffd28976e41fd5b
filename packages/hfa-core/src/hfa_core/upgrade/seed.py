"""The memory of the first sketches, without a format key, and the step that gives it one: `hfa-memory/0` to `/1`.

Its `config.json` names no format, and its records have bare ids and may lack fields. Ids stay, because people and
commits quote them; a field that is missing gets what can be told from the others, and what no version knows is kept.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from hfa_core.errors import HfaError, UpgradeError
from hfa_core.fs.layout import Layout
from hfa_core.fs.reading import read_bytes
from hfa_core.light.json_codec import as_list, as_mapping, as_text, parse_json, render_json
from hfa_core.light.sha256 import sha256_hex
from hfa_core.light.text import decode_utf8
from hfa_core.model import MEMORY_FORMAT
from hfa_core.store.chunks import id_of_file
from hfa_core.store.config import parse_config
from hfa_core.store.directory import Directory, parse_directory
from hfa_core.store.schema import (
    FORMAT,
    SCOPE_PROJECT,
    TITLE_CHARACTERS,
    clean_text,
    digest_of,
    parse_chunk,
    split_hit_words,
)

SEED_FORMAT = "hfa-memory/0"
"""How messages call the form that names no format."""

_SOURCE = ("kind", "host", "session", "ref", "branch", "commit")
_TIMES = ("created_at", "created", "time", "date")


def is_seed(layout: Layout) -> bool:
    """
    Whether a folder is a memory of that form: settings without a format, a directory of nodes, a folder of records.

    Somebody's own `memory/` package has none of the three, so it is never taken for one.
    """
    try:
        config = parse_json(decode_utf8(read_bytes(layout.config)))
        directory = parse_directory(decode_utf8(read_bytes(layout.directory)), layout.directory)
    except (OSError, ValueError, HfaError):
        return False
    no_format = isinstance(config, dict) and "format" not in config
    return no_format and bool(directory.nodes) and os.path.isdir(layout.chunks)


def convert_seed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """
    The files that change, from all files of the memory: settings and records; paths are relative, with slashes.

    The same files give the same bytes, so two clones that are upgraded apart merge without a conflict.

    Raises:
        UpgradeError: A file cannot be understood; it names the file.
    """
    directory = _read(files, "directory.md")
    try:
        nodes = parse_directory(directory, "directory.md")
        main = nodes.active_main("directory.md").id
    except HfaError as error:
        raise UpgradeError("directory.md", str(error).removeprefix("directory.md: ")) from None
    changed: dict[str, bytes] = {}
    for path in sorted(files):
        folder, _, name = path.rpartition("/")
        if folder == "chunks" and id_of_file(name):
            data = _convert_record(_read_object(files, path), id_of_file(name), nodes, main, path)
            if data is not None:
                changed[path] = data
    changed["config.json"] = _convert_config(files)
    return changed


def _convert_config(files: Mapping[str, bytes]) -> bytes:
    keys = _read_object(files, "config.json")
    # Not by chance, so that clones agree: the private folder of a memory is named by it.
    named = "\n".join(f"{path} {sha256_hex(files[path])}" for path in sorted(files) if not path.startswith("history/"))
    memory_id = as_text(keys.pop("memory_id", "")) or sha256_hex(named.encode())[:16]
    text = render_json({"format": MEMORY_FORMAT, "memory_id": memory_id, **keys}, indent=2) + "\n"
    try:
        parse_config(text, "config.json")
    except HfaError as error:
        raise UpgradeError("config.json", str(error).removeprefix("config.json: ")) from None
    return text.encode()


def _convert_record(old: dict[str, object], chunk_id: str, directory: Directory, main: str, path: str) -> bytes | None:
    """The bytes of a record in this format; None where it has it already."""
    if as_text(old.get("format")).startswith("hfa-chunk/"):
        return None
    named = old.get("id", chunk_id)
    if isinstance(named, str) and named != chunk_id:
        raise UpgradeError(path, f"says it is {named!r}; a record's file must carry its id")
    conclusion = _texts(old.get("conclusion"))
    title = clean_text(as_text(old.get("title"))) or next(iter(conclusion), "")[:TITLE_CHARACTERS]
    if not title:
        raise UpgradeError(path, "has neither a title nor a conclusion")
    epoch = old.get("epoch")
    new: dict[str, object] = {
        "format": FORMAT,
        "id": chunk_id,
        "node": as_text(old.get("node")) or main,
        "scope": as_text(old.get("scope")) or SCOPE_PROJECT,
        "kind": as_text(old.get("kind")) or "decision",
        "title": title,
        "hit_words": _words(old.get("hit_words")) or [title],
        "conclusion": conclusion or [title],
        "paths": _texts(old.get("paths")),
        "tags": _words(old.get("tags")),
        "source": _source(old.get("source")),
        "request_id": as_text(old.get("request_id")),
        "supersedes": _words(old.get("supersedes")),
        "created_at": next((as_text(old[key]) for key in _TIMES if as_text(old.get(key))), ""),
        "epoch": epoch if isinstance(epoch, int) and not isinstance(epoch, bool) else directory.epoch,
    }
    new |= {key: value for key, value in old.items() if key not in new and key != "digest"}
    try:
        data = (render_json({**new, "digest": digest_of(new)}, indent=2) + "\n").encode()
        parse_chunk(data, path)
    except (HfaError, ValueError, RecursionError) as error:
        raise UpgradeError(path, str(error).removeprefix(f"{path}: ")) from None
    return data


def _texts(value: object) -> list[str]:
    """The lines of a text, or the texts of a list; what is neither is no text."""
    if isinstance(value, str):
        return [line for line in (clean_text(line) for line in value.splitlines()) if line]
    return [as_text(item) for item in as_list(value) if as_text(item)]


def _words(value: object) -> list[str]:
    return list(split_hit_words(value)) if isinstance(value, str) else _texts(value)


def _source(value: object) -> dict[str, object]:
    """Where a record came from; a bare text was what its author named."""
    given = {"ref": as_text(value)} if isinstance(value, str) else as_mapping(value)
    known: dict[str, object] = {key: as_text(given.get(key)) for key in _SOURCE}
    known["kind"] = known["kind"] or "hand"
    return known | {key: item for key, item in given.items() if key not in known}


def _read(files: Mapping[str, bytes], path: str) -> str:
    try:
        return decode_utf8(files[path])
    except KeyError:
        raise UpgradeError(path, "is missing") from None
    except UnicodeDecodeError as error:
        raise UpgradeError(path, f"is not UTF-8 at byte {error.start}") from None


def _read_object(files: Mapping[str, bytes], path: str) -> dict[str, object]:
    text = _read(files, path)
    try:
        content = parse_json(text)
    except ValueError as error:
        raise UpgradeError(path, f"is not JSON: {error}") from None
    fields = as_mapping(content)
    if not fields and content != {}:
        raise UpgradeError(path, "must be a JSON object")
    return dict(fields)

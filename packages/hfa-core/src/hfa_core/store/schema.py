"""The form of a chunk: its fields, their limits, its bytes and its digest."""

from __future__ import annotations

import unicodedata

from hfa_core.errors import InvalidRecordError, MemoryDamagedError, UnsupportedFormatError
from hfa_core.light.json_codec import as_list, as_mapping, as_text, as_texts, parse_json, render_json
from hfa_core.light.sha256 import sha256_hex
from hfa_core.light.text import is_newer_format
from hfa_core.model import KINDS, Chunk, Draft, Source

FORMAT = "hfa-chunk/1"
SCOPE_PROJECT = "project"
TITLE_CHARACTERS = 160
HIT_WORDS = 8
HIT_WORD_CHARACTERS = 64
CONCLUSION_LINES = 3
LINE_CHARACTERS = 500
LIST_ITEMS = 16
ITEM_CHARACTERS = 240
SUFFIX_DIGITS = 6

# Emoji sequences and several scripts are spelt with these; other format characters only hide or reorder text.
_JOINERS = "\u200c\u200d"
_SEPARATORS = (",", "，", "、", ";", "；", "\n")


def clean_text(text: str) -> str:
    """One line of NFC text: blanks of any kind become single spaces, control, format and surrogate codes go."""
    kept = text
    # Printable text has none of these, and most text is: to look at each character would cost half of reading a chunk.
    if not text.isprintable():
        kept = "".join(" " if character.isspace() else character for character in text if not _is_unwanted(character))
    return " ".join(unicodedata.normalize("NFC", kept).split())


def _is_unwanted(character: str) -> bool:
    if character.isspace() or character in _JOINERS:
        return False
    return unicodedata.category(character) in ("Cc", "Cf", "Cs")


def compare_form(text: str) -> str:
    """The form in which two texts count as the same: NFKC, case folded, blanks collapsed."""
    return clean_text(unicodedata.normalize("NFKC", text).casefold())


def split_hit_words(text: str) -> tuple[str, ...]:
    """Hit words from one string; comma, semicolon and their full-width and Chinese forms separate them."""
    for separator in _SEPARATORS[1:]:
        text = text.replace(separator, _SEPARATORS[0])
    return tuple(word for word in (clean_text(part) for part in text.split(_SEPARATORS[0])) if word)


def check_draft(draft: Draft) -> Draft:
    """
    The draft in its stored form: cleaned, without double hit words.

    Raises:
        InvalidRecordError: A field is missing, too long, too many or not of the format; the error names it.
    """
    title = clean_text(draft.title)
    _require(bool(title), "title", title, "must not be empty")
    _require(len(title) <= TITLE_CHARACTERS, "title", title, f"has more than {TITLE_CHARACTERS} characters")
    _require(draft.kind in KINDS, "kind", draft.kind, f"must be one of {', '.join(KINDS)}")
    request_id = clean_text(draft.request_id)
    rule = f"has more than {ITEM_CHARACTERS} characters"
    _require(len(request_id) <= ITEM_CHARACTERS, "request_id", request_id, rule)
    return Draft(
        title=title,
        hit_words=_check_hit_words(draft.hit_words),
        conclusion=_check_conclusion(draft.conclusion),
        source=_check_source(draft.source),
        kind=draft.kind,
        node=clean_text(draft.node),
        paths=tuple(dict.fromkeys(_check_path(path) for path in _check_items("paths", draft.paths))),
        tags=_check_items("tags", draft.tags),
        supersedes=_check_items("supersedes", draft.supersedes),
        request_id=request_id,
    )


def _require(good: bool, field: str, value: str, rule: str) -> None:
    if not good:
        raise InvalidRecordError(field, value, rule)


def _check_hit_words(words: tuple[str, ...]) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for word in words:
        cleaned = clean_text(word)
        if cleaned:
            kept.setdefault(compare_form(cleaned), cleaned)
    found = tuple(kept.values())
    _require(1 <= len(found) <= HIT_WORDS, "hit_words", ", ".join(found), f"must be 1 to {HIT_WORDS} words")
    for word in found:
        _require(len(word) <= HIT_WORD_CHARACTERS, "hit_words", word, f"has more than {HIT_WORD_CHARACTERS} characters")
    return found


def _check_conclusion(lines: tuple[str, ...]) -> tuple[str, ...]:
    found = tuple(cleaned for cleaned in (clean_text(line) for line in lines) if cleaned)
    rule = f"must be 1 to {CONCLUSION_LINES} lines"
    _require(1 <= len(found) <= CONCLUSION_LINES, "conclusion", " / ".join(found), rule)
    for line in found:
        _require(len(line) <= LINE_CHARACTERS, "conclusion", line, f"has more than {LINE_CHARACTERS} characters")
    return found


def _check_items(field: str, items: tuple[str, ...]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(cleaned for cleaned in (clean_text(item) for item in items) if cleaned))
    _require(len(found) <= LIST_ITEMS, field, ", ".join(found), f"has more than {LIST_ITEMS} entries")
    for item in found:
        _require(len(item) <= ITEM_CHARACTERS, field, item, f"has more than {ITEM_CHARACTERS} characters")
    return found


def _check_path(path: str) -> str:
    """A path inside the repository with forward slashes; one that leaves it, or names a home folder, is refused."""
    plain = path.replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:]
    leaves = plain.startswith(("/", "~")) or ":" in plain[:3] or ".." in plain.split("/")
    _require(bool(plain) and not leaves, "paths", path, "must be relative to the repository and stay inside it")
    return plain


def _check_source(source: Source) -> Source:
    return Source(
        clean_text(source.kind) or "hand",
        host=clean_text(source.host)[:ITEM_CHARACTERS],
        session=clean_text(source.session)[:ITEM_CHARACTERS],
        ref=clean_text(source.ref)[:ITEM_CHARACTERS],
        branch=clean_text(source.branch)[:ITEM_CHARACTERS],
        commit=clean_text(source.commit)[:ITEM_CHARACTERS],
    )


def content_key(draft: Draft | Chunk) -> str:
    """A hash of what makes two records the same content: title, hit words, conclusion, reference and `supersedes`."""
    lines = [
        compare_form(draft.title),
        *sorted(compare_form(word) for word in draft.hit_words),
        "",
        *(compare_form(line) for line in draft.conclusion),
        "",
        compare_form(draft.source.ref),
        *sorted(draft.supersedes),
    ]
    return sha256_hex("\n".join(lines).encode())


def conclusion_key(conclusion: tuple[str, ...]) -> str:
    """A hash of a conclusion by which the same one is known again in another turn."""
    return sha256_hex("\n".join(compare_form(line) for line in conclusion).encode())


def make_chunk(draft: Draft, *, number: int, epoch: int, created_at: str, with_suffix: bool = True) -> Chunk:
    """
    A record from a checked draft. Its id is `chunk_` + `number`, and six digits of its digest, which keep two branches'
    records apart when they are merged; without the suffix it is the bare form of earlier memories.
    """
    chunk = Chunk(
        id="",
        node=draft.node,
        scope=SCOPE_PROJECT,
        kind=draft.kind,
        title=draft.title,
        hit_words=draft.hit_words,
        conclusion=draft.conclusion,
        paths=draft.paths,
        tags=draft.tags,
        source=draft.source,
        request_id=draft.request_id,
        supersedes=draft.supersedes,
        created_at=created_at,
        epoch=epoch,
        digest="",
    )
    chunk.digest = digest_of(_as_json(chunk))
    suffix = f"-{chunk.digest[:SUFFIX_DIGITS]}" if with_suffix else ""
    chunk.id = f"chunk_{number:04d}{suffix}"
    return chunk


def _as_json(chunk: Chunk) -> dict[str, object]:
    source = chunk.source
    return {
        "format": FORMAT,
        "id": chunk.id,
        "node": chunk.node,
        "scope": chunk.scope,
        "kind": chunk.kind,
        "title": chunk.title,
        "hit_words": list(chunk.hit_words),
        "conclusion": list(chunk.conclusion),
        "paths": list(chunk.paths),
        "tags": list(chunk.tags),
        "source": {
            "kind": source.kind,
            "host": source.host,
            "session": source.session,
            "ref": source.ref,
            "branch": source.branch,
            "commit": source.commit,
        },
        "request_id": chunk.request_id,
        "supersedes": list(chunk.supersedes),
        "created_at": chunk.created_at,
        "epoch": chunk.epoch,
        "digest": chunk.digest,
    }


def render_chunk(chunk: Chunk) -> bytes:
    """The bytes of a chunk file: fixed key order, two spaces, LF, UTF-8, a newline at the end."""
    return (render_json(_as_json(chunk), indent=2) + "\n").encode()


def digest_of(content: dict[str, object]) -> str:
    """
    SHA-256 over a chunk's parsed content without `id` and `digest`: keys sorted, strings in NFC.

    It does not change with line endings, indentation or a file system that decomposes characters.
    """
    return sha256_hex(render_json(_canonical({k: v for k, v in content.items() if k not in ("id", "digest")})).encode())


def _canonical(value: object) -> object:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    items, mapping = as_list(value), as_mapping(value)
    if isinstance(value, list):
        return [_canonical(item) for item in items]
    if isinstance(value, dict):
        return {key: _canonical(mapping[key]) for key in sorted(mapping)}
    return value


def parse_chunk(data: bytes, path: str) -> Chunk:
    """
    The chunk in a file's bytes; `path` is only for messages. One of a newer format is read if it has every field of
    this one and its digest fits.

    Raises:
        MemoryDamagedError: Not UTF-8, not JSON, a merge conflict, a field missing, or a digest that does not fit.
        UnsupportedFormatError: Written by a newer HFA, and not to be read as one of this format.
    """
    content = as_mapping(_parse_file(data, path))
    found = as_text(content.get("format"))
    if is_newer_format(found, FORMAT):
        try:
            return _parse_content(content, path)
        except MemoryDamagedError:
            raise UnsupportedFormatError(path, found, FORMAT) from None
    if found != FORMAT:
        raise MemoryDamagedError(path, f"`format` is {found!r}, not {FORMAT!r}; `hfa upgrade` mends an earlier form")
    return _parse_content(content, path)


def _parse_content(content: dict[str, object], path: str) -> Chunk:
    _check_fields(content, path)
    source = as_mapping(content["source"])
    chunk = Chunk(
        id=as_text(content["id"]),
        node=as_text(content["node"]),
        scope=as_text(content["scope"]),
        kind=as_text(content["kind"]),
        title=as_text(content["title"]),
        hit_words=as_texts(content["hit_words"]),
        conclusion=as_texts(content["conclusion"]),
        paths=as_texts(content["paths"]),
        tags=as_texts(content["tags"]),
        source=Source(
            **{name: as_text(source.get(name)) for name in ("kind", "host", "session", "ref", "branch", "commit")}
        ),
        request_id=as_text(content["request_id"]),
        supersedes=as_texts(content["supersedes"]),
        created_at=as_text(content["created_at"]),
        epoch=content["epoch"] if isinstance(content["epoch"], int) else 1,
        digest=as_text(content["digest"]),
    )
    if _digest_of_file(content, path) != chunk.digest:
        raise MemoryDamagedError(
            path,
            "was changed after it was written (its digest does not fit); restore it, or supersede it by a new record",
        )
    return chunk


def _digest_of_file(content: dict[str, object], path: str) -> str:
    """As `digest_of`, for content that came from outside and may hold what JSON can spell but no digest covers."""
    try:
        return digest_of(content)
    except (ValueError, RecursionError):
        reason = "holds an unpaired surrogate, a number without end, or too deep a nesting"
        raise MemoryDamagedError(path, reason) from None


def _parse_file(data: bytes, path: str) -> object:
    if not data.strip():
        raise MemoryDamagedError(path, "is empty")
    if b"\n<<<<<<< " in b"\n" + data:
        raise MemoryDamagedError(path, "holds git conflict markers; resolve the merge")
    try:
        return parse_json(data.decode())
    except UnicodeDecodeError as error:
        raise MemoryDamagedError(path, f"is not UTF-8 at byte {error.start}") from None
    except ValueError as error:
        raise MemoryDamagedError(path, f"is not JSON: {error}") from None


_TEXT_FIELDS = ("id", "node", "scope", "kind", "title", "request_id", "created_at", "digest")
_LIST_FIELDS = ("hit_words", "conclusion", "paths", "tags", "supersedes")


def _check_fields(content: dict[str, object], path: str) -> None:
    for field in _TEXT_FIELDS:
        if not isinstance(content.get(field), str):
            raise MemoryDamagedError(path, f"`{field}` must be a string")
    for field in _LIST_FIELDS:
        value = content.get(field)
        if not isinstance(value, list) or len(as_texts(content[field])) != len(as_list(content[field])):
            raise MemoryDamagedError(path, f"`{field}` must be a list of strings")
    if not isinstance(content.get("source"), dict):
        raise MemoryDamagedError(path, "`source` must be an object")
    if not isinstance(content.get("epoch"), int) or isinstance(content["epoch"], bool):
        raise MemoryDamagedError(path, "`epoch` must be a number")

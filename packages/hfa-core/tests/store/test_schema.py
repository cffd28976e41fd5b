"""The form of a chunk: its bytes, its digest, its limits, and what is refused by name."""

from __future__ import annotations

import difflib
import json
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.errors import InvalidRecordError, MemoryDamagedError, UnsupportedFormatError
from hfa_core.model import KINDS, Chunk, Draft, Source
from hfa_core.store.schema import (
    check_draft,
    clean_text,
    compare_form,
    content_key,
    make_chunk,
    parse_chunk,
    render_chunk,
    split_hit_words,
)

PATH = "chunks/chunk_0042.json"
TIME = "2026-11-30T09:15:00Z"

words = st.text(min_size=1, max_size=12).filter(lambda text: bool(clean_text(text)))
drafts = st.builds(
    Draft,
    title=words,
    hit_words=st.lists(words, min_size=1, max_size=8),
    conclusion=st.lists(words, min_size=1, max_size=3),
    source=st.builds(
        Source, st.sampled_from(["cli", "hook", "mcp"]), ref=st.text(max_size=8), branch=st.text(max_size=8)
    ),
    kind=st.sampled_from(KINDS),
    tags=st.lists(words, max_size=4),
    paths=st.lists(st.from_regex(r"[a-z文]{1,8}(/[a-z文]{1,8}){0,3}", fullmatch=True), max_size=4),
    supersedes=st.lists(st.from_regex(r"chunk_[0-9]{4}-[0-9a-f]{6}", fullmatch=True), max_size=3),
    request_id=st.text(max_size=20),
)


def chunk_of(draft: Draft, number: int = 42) -> Chunk:
    return make_chunk(check_draft(draft), number=number, epoch=1, created_at=TIME)


@given(drafts)
def test_a_chunk_reads_back_as_what_was_written(draft: Draft) -> None:
    chunk = chunk_of(draft)

    assert parse_chunk(render_chunk(chunk), PATH) == chunk


@given(drafts)
def test_checking_a_draft_twice_changes_nothing(draft: Draft) -> None:
    checked = check_draft(draft)

    assert check_draft(checked) == checked


@given(drafts)
def test_the_digest_is_the_same_in_any_line_ending_indentation_and_unicode_form(draft: Draft) -> None:
    chunk = chunk_of(draft)
    text = render_chunk(chunk).decode()
    decomposed = unicodedata.normalize("NFD", json.dumps(json.loads(text), ensure_ascii=False, indent=7))

    for other in (text.replace("\n", "\r\n"), decomposed, json.dumps(json.loads(text)), f"\n\n{text}\n"):
        assert parse_chunk(other.encode(), PATH).digest == chunk.digest


def test_the_bytes_have_a_fixed_key_order_two_spaces_and_a_final_newline(draft: Callable[..., Draft]) -> None:
    chunk = chunk_of(
        draft(
            "令牌轮换",
            conclusion=("刷新令牌每 15 分钟轮换", "Café"),
            hit_words=("JWT", "令牌"),
            source=Source("cli", ref="docs/a.md"),
        )
    )

    lines = render_chunk(chunk).decode().split("\n")

    assert [line.strip().partition(":")[0] for line in lines if line.startswith('  "')] == [
        f'"{key}"'
        for key in [
            "format",
            "id",
            "node",
            "scope",
            "kind",
            "title",
            "hit_words",
            "conclusion",
            "paths",
            "tags",
            "source",
            "request_id",
            "supersedes",
            "created_at",
            "epoch",
            "digest",
        ]
    ]
    assert lines[0] == "{"
    assert lines[-2:] == ["}", ""]
    assert lines[1:3] == ['  "format": "hfa-chunk/1",', f'  "id": "{chunk.id}",']
    assert '    "刷新令牌每 15 分钟轮换",' in lines
    assert b"\r" not in render_chunk(chunk)


def test_one_changed_field_is_a_diff_of_one_line_beside_id_and_digest(draft: Callable[..., Draft]) -> None:
    one = draft("Tokens rotate", conclusion=("Rotate every hour.", "Never log one."), hit_words=("token", "jwt"))
    other = draft("Tokens rotate", conclusion=("Rotate every day.", "Never log one."), hit_words=("token", "jwt"))
    before, after = (render_chunk(chunk_of(each)).decode().splitlines() for each in (one, other))

    removed = [line for line in difflib.ndiff(before, after) if line.startswith("- ")]

    assert [line for line in removed if '"id"' not in line and '"digest"' not in line] == [
        '-     "Rotate every hour.",'
    ]


def test_the_suffix_of_an_id_is_the_start_of_the_digest_and_can_be_left_out(draft: Callable[..., Draft]) -> None:
    checked = check_draft(draft("Tokens rotate"))
    with_suffix = make_chunk(checked, number=7, epoch=1, created_at=TIME)
    bare = make_chunk(checked, number=12345, epoch=1, created_at=TIME, with_suffix=False)

    assert with_suffix.id == f"chunk_0007-{with_suffix.digest[:6]}"
    assert bare.id == "chunk_12345"


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("title", {"title": "t" * 161}),
        ("title", {"title": " \u0000\t "}),
        ("kind", {"kind": "rumour"}),
        ("hit_words", {"hit_words": [f"w{n}" for n in range(9)]}),
        ("hit_words", {"hit_words": ["w" * 65]}),
        ("hit_words", {"hit_words": [" "]}),
        ("conclusion", {"conclusion": ["一", "二", "三", "四"]}),
        ("conclusion", {"conclusion": ["c" * 501]}),
        ("conclusion", {"conclusion": []}),
        ("paths", {"paths": [f"p{n}" for n in range(17)]}),
        ("paths", {"paths": ["p" * 241]}),
        ("tags", {"tags": [f"t{n}" for n in range(17)]}),
        ("tags", {"tags": ["t" * 241]}),
        ("supersedes", {"supersedes": [f"chunk_{n:04d}" for n in range(17)]}),
        ("request_id", {"request_id": "r" * 241}),
    ],
)
def test_a_field_beyond_its_limit_is_refused_by_name(field: str, change: dict[str, object]) -> None:
    draft = Draft(title="Title", hit_words=["word"], conclusion=["Line."], source=Source("cli"))
    for name, value in change.items():
        setattr(draft, name, tuple(value) if isinstance(value, list) else value)  # pyright: ignore[reportUnknownArgumentType]

    with pytest.raises(InvalidRecordError) as caught:
        check_draft(draft)

    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("title", "hit_words", "conclusion"),
    [("t" * 160, ["w" * 64] * 1, ["c" * 500] * 3), ("题" * 160, ["词" * 64], ["论" * 500])],
)
def test_a_field_at_its_limit_is_taken(title: str, hit_words: list[str], conclusion: list[str]) -> None:
    draft = check_draft(Draft(title=title, hit_words=hit_words, conclusion=conclusion, source=Source("cli")))

    assert (draft.title, list(draft.hit_words), list(draft.conclusion)) == (title, hit_words, conclusion)


@pytest.mark.parametrize("separator", [",", "，", "、", ";", "；", "\n", " ， "])
def test_hit_words_are_separated_by_the_marks_of_both_languages(separator: str) -> None:
    assert split_hit_words(separator.join(["JWT", "令牌 轮换", "token refresh"])) == (
        "JWT",
        "令牌 轮换",
        "token refresh",
    )


def test_hit_words_that_differ_only_in_width_and_case_are_one(draft: Callable[..., Draft]) -> None:
    checked = check_draft(draft("t", hit_words=("JWT", "jwt", "ＪＷＴ", " Jwt ", "令牌", "令牌")))

    assert checked.hit_words == ("JWT", "令牌")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "~/notes.md",
        "~",
        "C:\\src\\a.py",
        "c:/a.py",
        "../a.py",
        "src/../../a.py",
        "src\\..\\..\\a",
        "\\\\host\\a",
        "./../a",
        "./",
    ],
)
def test_a_path_that_is_absolute_or_leaves_the_repository_is_refused(path: str, draft: Callable[..., Draft]) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        check_draft(draft("t", paths=(path,)))

    assert caught.value.field == "paths"


def test_paths_are_stored_with_forward_slashes_and_once(draft: Callable[..., Draft]) -> None:
    checked = check_draft(draft("t", paths=("src\\auth\\jwt.py", "./src/auth/jwt.py", "文档/认证.md", "a..b/c")))

    assert checked.paths == ("src/auth/jwt.py", "文档/认证.md", "a..b/c")


@given(st.text())
def test_clean_text_is_one_printable_line_and_stays_as_it_is(text: str) -> None:
    cleaned = clean_text(text)

    assert clean_text(cleaned) == cleaned
    assert len(cleaned.splitlines()) <= 1
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in cleaned)


@pytest.mark.parametrize("blank", ["\n", "\r\n", "\t", "\u0085", "\u2028", "\u3000", "\x1c"])
def test_a_blank_of_any_kind_keeps_two_words_apart(blank: str) -> None:
    assert clean_text(f"用{blank}JWT") == "用 JWT"


@given(st.text())
def test_the_compare_form_knows_no_case(text: str) -> None:
    assert compare_form(compare_form(text)) == compare_form(text)


def test_the_content_key_ignores_case_width_blanks_and_the_order_of_hit_words(draft: Callable[..., Draft]) -> None:
    one = draft("Use  JWT", conclusion="令牌 ＡＢＣ", hit_words=("Beta", "alpha"))
    same = draft("use jwt", conclusion="令牌 abc", hit_words=("alpha", "beta"))

    assert content_key(one) == content_key(same)
    assert content_key(one) != content_key(draft("use jwt", conclusion="令牌 abd", hit_words=("alpha", "beta")))


def sound() -> dict[str, object]:
    draft = Draft(title="令牌 rotate", hit_words=["令牌"], conclusion=["Line."], source=Source("cli"))
    content: dict[str, object] = json.loads(render_chunk(chunk_of(draft)))
    return content


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b'<<<<<<< HEAD\n{"format": "hfa-chunk/1"}\n=======\n{}\n>>>>>>> other\n', "conflict"),
        (b'{\n<<<<<<< HEAD\n  "node": "M1",\n=======\n  "node": "M2",\n>>>>>>> other\n}\n', "conflict"),
        (b'{"format": "hfa-chunk/1", "id": "chunk_', "is not JSON"),
        ('{"title": "令牌"}'.encode("gbk"), "is not UTF-8 at byte"),
        ('{"title": "jwt"}'.encode("utf-16"), "is not UTF-8 at byte"),
        (b"\x00" * 64, "is not JSON"),
        (b"[]", "`format` is ''"),
        (b'{"format": "other/1"}', "`format` is 'other/1'"),
        (b"[" * 100_000, "is not JSON"),
    ],
    ids=[
        "no bytes",
        "blanks",
        "conflict",
        "conflict inside",
        "truncated",
        "GBK",
        "UTF-16",
        "zeros",
        "array",
        "foreign",
        "deep",
    ],
)
def test_a_file_that_is_no_chunk_is_an_error_that_names_it(data: bytes, reason: str) -> None:
    with pytest.raises(MemoryDamagedError) as caught:
        parse_chunk(data, PATH)

    assert caught.value.path == PATH
    assert reason in caught.value.reason


@pytest.mark.parametrize("field", [key for key in sound() if key not in ("format", "scope")])
def test_a_missing_or_mistyped_field_is_named(field: str) -> None:
    for content in ({k: v for k, v in sound().items() if k != field}, {**sound(), field: 3.5}):
        with pytest.raises(MemoryDamagedError, match=f"`{field}`"):
            parse_chunk(json.dumps(content).encode(), PATH)


@pytest.mark.parametrize("value", [["a", 1], [None], {"a": "b"}, "one"])
def test_a_list_field_holds_strings_only(value: object) -> None:
    with pytest.raises(MemoryDamagedError, match="`tags`"):
        parse_chunk(json.dumps({**sound(), "tags": value}).encode(), PATH)


@given(st.sampled_from(["title", "node", "request_id", "created_at", "kind"]), words)
def test_an_edited_chunk_does_not_fit_its_digest(field: str, value: str) -> None:
    content = sound()
    if unicodedata.normalize("NFC", value) == content[field]:
        return

    with pytest.raises(MemoryDamagedError, match="digest does not fit"):
        parse_chunk(json.dumps({**content, field: value}).encode("utf-8", "replace"), PATH)


@pytest.mark.parametrize(
    "raw", ['"\\ud800"', "1e999", "[" * 600 + "]" * 600], ids=["unpaired surrogate", "endless number", "deep nesting"]
)
def test_content_that_no_digest_covers_is_damage_not_a_crash(raw: str) -> None:
    text = json.dumps(sound()).replace('"hfa-chunk/1"', f'"hfa-chunk/1", "extra": {raw}')

    with pytest.raises(MemoryDamagedError) as caught:
        parse_chunk(text.encode(), PATH)

    assert caught.value.path == PATH


def test_a_chunk_of_a_newer_format_asks_for_an_upgrade() -> None:
    with pytest.raises(UnsupportedFormatError) as caught:
        parse_chunk(b'{"format": "hfa-chunk/2"}', PATH)

    assert (caught.value.found, caught.value.known) == ("hfa-chunk/2", "hfa-chunk/1")

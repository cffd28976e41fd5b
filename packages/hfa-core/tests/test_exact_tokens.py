"""Counting with the tokenizer: the true counts, from a checked file, without a network; and what is said without it."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypedDict, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.model import Draft, Node, Source
from hfa_core.store.schema import check_draft, clean_text, make_chunk
from hfa_core.store.snippet import render_router_line, render_snippet
from hfa_core.tokens import count_line
from hfa_core.tokens.exact import LONGEST_BLANK, is_countable

Count = Callable[[str], int]


class Text(TypedDict):
    text: str
    tokens: int


class Block(TypedDict):
    texts: list[int]
    tokens: int


class Corpus(TypedDict):
    texts: list[Text]
    blocks: list[Block]


class Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


CORPUS = cast("Corpus", json.loads(Path(__file__).with_name("token_corpus.json").read_text(encoding="utf-8")))


def run(program: str, *, missing: tuple[str, ...] = (), before: Path | None = None, **variables: str) -> object:
    """What a new Python printed, as JSON; `missing` packages cannot be imported, and `before` is searched first."""
    start = (
        "import json, sys\n"
        f"sys.modules.update(dict.fromkeys({missing!r}))\n"
        "from hfa_core.tokens.exact import find_problem, load_counter\n"
    )
    environment = {**os.environ, **variables, **({"PYTHONPATH": str(before)} if before else {})}
    done = subprocess.run(
        [sys.executable, "-c", start + program], capture_output=True, encoding="utf-8", env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# --- the counts ------------------------------------------------------------------------------------------------


def test_counts_are_those_recorded_for_the_corpus(count: Count) -> None:
    texts = [text["text"] for text in CORPUS["texts"]]
    blocks = ["\n".join(texts[place] for place in block["texts"]) for block in CORPUS["blocks"]]

    assert [count(text) for text in texts] == [text["tokens"] for text in CORPUS["texts"]]
    assert [count(block) for block in blocks] == [block["tokens"] for block in CORPUS["blocks"]]


def test_special_tokens_count_as_the_text_they_are(count: Count) -> None:
    assert count("<|endoftext|>") > 1
    assert count("读 <|endofprompt|> here") > 4


def test_odd_text_is_counted(count: Count) -> None:
    assert count("") == 0
    assert count("\ud800") >= 1
    assert count("\x00\u200b\ufeff") >= 1


@pytest.fixture(scope="module")
def other(count: Count) -> Encoding:
    """The other tokenizer of the extra, written independently and with tables of its own."""
    assert count("") == 0
    with warnings.catch_warnings():
        # Its wheel opens its files in a way that Python deprecates.
        warnings.simplefilter("ignore", DeprecationWarning)
        return cast("Encoding", import_module("bpe_openai").get_encoding("o200k_base"))


@given(
    text=st.text(
        st.one_of(st.characters(exclude_categories=("Cs",)), st.sampled_from(" \n\r\t'sS/|)-=1a令")), max_size=80
    )
)
def test_another_tokenizer_of_the_encoding_agrees(count: Count, other: Encoding, text: str) -> None:
    assert count(text) == len(other.encode_ordinary(text))


def test_an_endless_run_of_blanks_is_refused_before_the_tokenizer_breaks_off(count: Count) -> None:
    for blank in (" ", "\u3000\n"):
        most = (blank * LONGEST_BLANK)[: LONGEST_BLANK - 1]
        assert is_countable(f"a{most}b")
        assert count(f"a{most}b") > 2
        assert not is_countable(f"a{most}{blank[0]}b")


# --- adding up -------------------------------------------------------------------------------------------------

pieces = st.sampled_from(
    ["token", "令牌", "轮换", "😀👩‍💻", "def f(x):", "-->", ")))", "!!!", "..", "/", "//", "']", "的", "\u3000", "é",
     "12345", "<system>", "|", "\r", "饕餮", "한국어", "_", " "]
)  # fmt: skip
words = st.lists(st.one_of(pieces, st.text(max_size=8)), min_size=1, max_size=12).map("".join).filter(clean_text)


@st.composite
def snippets(draw: st.DrawFn) -> str:
    lines = draw(st.lists(words, min_size=1, max_size=3))
    draft = Draft(
        title=draw(words)[:160], hit_words=["w"], conclusion=lines, source=Source("cli", ref=draw(st.just("") | words))
    )
    return render_snippet(make_chunk(check_draft(draft), number=7, epoch=1, created_at="2026-11-30T09:15:00Z"))


def render_line(parts: tuple[str, str]) -> str:
    title, path = parts
    return render_router_line(
        Node(id="S1", title=clean_text(title), path=clean_text(path), state="OPEN", branch="", hit_words=())
    )


@given(
    texts=st.one_of(st.lists(snippets(), min_size=1, max_size=4), st.lists(st.tuples(words, words).map(render_line)))
)
def test_counts_of_snippets_and_of_router_lines_add_up_to_the_count_of_the_joined_text(
    count: Count, texts: list[str]
) -> None:
    counted = [count_line(text, count) for text in texts]
    line_ends = sum(line_end for _, line_end in counted[:-1])

    assert sum(tokens for tokens, _ in counted) + line_ends == count("\n".join(texts))


# --- without a network, and without the extra ------------------------------------------------------------------


def test_nothing_is_downloaded_or_kept(count: Count, tmp_path: Path) -> None:
    program = (
        "import socket\n"
        "def refuse(*_, **__): raise AssertionError('network')\n"
        "socket.socket = socket.create_connection = socket.getaddrinfo = refuse\n"
        "count = load_counter()\n"
        "print(json.dumps([count('记忆 memory'), find_problem(), 'requests' in sys.modules]))"
    )
    kept = tmp_path / "cache"
    kept.mkdir()

    assert run(program, TIKTOKEN_CACHE_DIR=str(kept)) == [count("记忆 memory"), "", False]
    assert list(kept.iterdir()) == []


@pytest.mark.parametrize(
    ("missing", "said"),
    [("tiktoken", "tiktoken is not installed"), ("bpe_openai", "bpe-openai, which carries the vocabulary, is not")],
)
def test_without_a_part_of_the_extra_there_is_no_counter_and_it_is_said_why(
    count: Count, missing: str, said: str
) -> None:
    assert count("x") == 1
    counter, problem = cast(
        "list[object]", run("print(json.dumps([load_counter(), find_problem()]))", missing=(missing,))
    )

    assert counter is None
    assert said in str(problem)


FAULTS: dict[str, tuple[bytes | None, str]] = {
    "another vocabulary": (gzip.compress(b"YQ== 0\nYg== 1\n"), "SHA-256 differs"),
    "an empty file": (b"", "SHA-256 differs"),
    "a cut file": (gzip.compress(b"YQ== 0\n" * 1000)[:20], "cannot be read"),
    "no archive": (b"YQ== 0\n", "cannot be read"),
    "no file": (None, "cannot be read"),
}


@pytest.fixture
def wheel(tmp_path: Path) -> Callable[[bytes | None], Path]:
    """`wheel(content)`: a folder that holds another `bpe_openai`, with that vocabulary file or without one."""

    def make(content: bytes | None) -> Path:
        data = tmp_path / "site" / "bpe_openai" / "data"
        data.mkdir(parents=True)
        (data.parent / "__init__.py").write_text("raise AssertionError('imported')\n", encoding="utf-8")
        if content is not None:
            (data / "o200k_base.tiktoken.gz").write_bytes(content)
        return tmp_path / "site"

    return make


@pytest.mark.parametrize("fault", FAULTS)
def test_a_vocabulary_that_is_not_the_one_expected_is_not_used(
    count: Count, wheel: Callable[[bytes | None], Path], fault: str
) -> None:
    assert count("x") == 1
    content, said = FAULTS[fault]
    counter, problem = cast(
        "list[object]", run("print(json.dumps([load_counter(), find_problem()]))", before=wheel(content))
    )

    assert counter is None
    assert said in str(problem)
    assert "o200k_base.tiktoken.gz" in str(problem)


def test_a_tokenizer_that_fails_is_not_used(count: Count, tmp_path: Path) -> None:
    assert count("x") == 1
    (tmp_path / "tiktoken.py").write_text("class Encoding:\n    def __init__(self, name): ...\n", encoding="utf-8")
    counter, problem = cast("list[object]", run("print(json.dumps([load_counter(), find_problem()]))", before=tmp_path))

    assert counter is None
    assert "tiktoken cannot be used: TypeError" in str(problem)

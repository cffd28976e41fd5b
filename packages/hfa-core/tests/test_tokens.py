"""The estimate against exact counts that `token_corpus.json` records.

The texts were written for this test: prose, technical notes, code, data, Markdown, symbols and identifiers, mostly in
English and Chinese. Their counts are `len(encode_ordinary(text))` of o200k_base with tiktoken 0.14.0. A block joins
texts by one line end until it has 560 tokens or more: once in the order of the file, then in six fixed mixtures.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TypedDict, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hfa_core
from hfa_core.tokens import METHOD_ESTIMATE, METHOD_EXACT, estimate_tokens
from hfa_core.tokens.han import is_one_token

STATED_FACTOR = 1.35
"""The estimate of a block is at most this much of its count on average; 1.30 when the corpus was written."""


class Text(TypedDict):
    kind: str
    tokens: int
    text: str


class Block(TypedDict):
    texts: list[int]
    tokens: int


class Corpus(TypedDict):
    about: str
    texts: list[Text]
    blocks: list[Block]


CORPUS = cast("Corpus", json.loads(Path(__file__).with_name("token_corpus.json").read_text(encoding="utf-8")))
TEXTS = CORPUS["texts"]
BLOCKS = CORPUS["blocks"]


def join(block: Block) -> str:
    return "\n".join(TEXTS[place]["text"] for place in block["texts"])


def test_the_corpus_holds_what_it_says() -> None:
    kinds = {text["kind"] for text in TEXTS}

    assert len(TEXTS) >= 55
    assert {"en", "zh", "mixed", "code", "markdown", "symbols"} <= kinds
    assert len(BLOCKS) >= 50
    assert all(560 <= block["tokens"] <= 800 for block in BLOCKS)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_estimate_of_a_block_is_not_below_its_count(block: Block) -> None:
    assert estimate_tokens(join(block)) >= block["tokens"]


@pytest.mark.parametrize("text", TEXTS, ids=[f"{place}-{text['kind']}" for place, text in enumerate(TEXTS)])
def test_the_estimate_of_a_text_of_the_corpus_is_not_below_its_count(text: Text) -> None:
    assert estimate_tokens(text["text"]) >= text["tokens"]


def test_the_estimate_of_a_block_is_not_absurd() -> None:
    factors = [estimate_tokens(join(block)) / block["tokens"] for block in BLOCKS]

    assert sum(factors) / len(factors) <= STATED_FACTOR
    assert max(factors) <= 1.5


# Counts by the tokenizer named above, of text that ordinary rules undercount.
HARD = {
    "rare Han": ("饕餮貔貅鸑鷟魑魅魍魉" * 8, 160),
    "emoji": ("👩‍💻✅❌⚠️🚀" * 20, 260),
    "rules and borders": ("+-----+------+\n| --- | ---- |\n" * 12, 120),
    "deep indentation": ("\n                return x" * 20, 80),
    "digits": ("1234567890" * 30, 100),
    "full stops": ("。" * 250, 125),
    "full-width marks": ("；：" * 250, 500),
    "quotation marks": ("“”《》（）【】" * 60, 420),
    "full-width letters": ("Ａ￥" * 125, 250),
    "general punctuation": ("‖" * 250, 500),
    "hexadecimal": ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n" * 5, 220),
}


@pytest.mark.parametrize("name", HARD)
def test_the_estimate_of_hard_text_is_not_below_its_count(name: str) -> None:
    text, count = HARD[name]

    assert estimate_tokens(text) >= count


def test_the_empty_text_has_no_tokens() -> None:
    assert estimate_tokens("") == 0


def test_the_estimate_has_a_name_that_does_not_claim_to_be_exact() -> None:
    assert METHOD_ESTIMATE == "heuristic_estimate"
    assert METHOD_EXACT == "o200k_base"


@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "\udfff\ud83d" * 100,
        "\x00\x01\x7f",
        "\u200b\u2060\ufeff",
        "a" * 1_000_000,
        "令" * 300_000,
        " \t" * 300_000,
        "aA1" * 300_000,
        "-=" * 300_000,
        random.Random(1).randbytes(100_000).decode("latin-1"),
    ],
    ids=["surrogate", "surrogates", "controls", "unseen", "letters", "Han", "blanks", "pieces", "marks", "bytes"],
)
def test_odd_and_long_text_is_counted_within_its_bytes(text: str) -> None:
    assert 1 <= estimate_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=()), min_size=1))
def test_any_text_costs_at_least_one_token_and_at_most_its_bytes(text: str) -> None:
    assert 1 <= estimate_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))


@settings(deadline=None)
@given(st.text(), st.text())
def test_more_text_never_costs_much_less(text: str, more: str) -> None:
    """Two halves may meet in one word, which costs less than two; a whole half never disappears."""
    assert estimate_tokens(text + more) >= max(estimate_tokens(text), estimate_tokens(more)) - 2


def test_common_han_is_one_token_and_the_rest_is_not() -> None:
    assert all(is_one_token(char) for char in "的一是不了人我在有他这中大来上国记忆密码令牌")
    assert not any(is_one_token(char) for char in "饕餮貔貅鸑鷟aＡ。あ한\U00020000\ud800")
    assert sum(is_one_token(chr(code)) for code in range(0x110000)) == 2515


def test_counting_loads_nothing_heavy() -> None:
    source = str(Path(hfa_core.__file__).parent.parent)
    heavy = ("re", "typing", "dataclasses", "json", "enum", "pathlib", "functools", "collections", "unicodedata")
    program = (
        f"import sys; sys.path.insert(0, {source!r})\n"
        "from hfa_core.tokens import estimate_tokens; estimate_tokens('记忆 memory ✅')\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )

    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True, encoding="utf-8"
    )

    assert result.stdout.strip() == "[]"

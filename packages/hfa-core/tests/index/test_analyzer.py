"""The one analyzer: which terms a text is found under, in every script, and that no text breaks it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfa_core.index.analyzer import (
    MAXIMUM_GRAM,
    QUERY_CHARACTERS,
    TERM_CHARACTERS,
    analyze_query,
    document_terms,
    gram_key,
)
from hfa_core.index.stop_words import STOP_PAIRS, STOP_WORDS
from hfa_core.index.tokenizer import normalise

any_text = st.text(st.characters())
"""Unpaired surrogates and unassigned characters included."""


def terms_of(text: str) -> list[str]:
    """Every term of a record with that text, those that keep their order and their number first."""
    terms = document_terms(text)
    return [*terms.content, *terms.exact]


def shown(text: str) -> list[str]:
    return [unit.shown for unit in analyze_query(text).units]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("UserService.getById", {"userservice.getbyid", "user", "service", "get", "by", "id"}),
        ("src/auth/jwt.ts", {"src/auth/jwt.ts", "src", "auth", "jwt", "ts"}),
        ("--dry-run", {"dry-run", "dry", "run"}),
        ("E0382", {"e0382"}),
        ("max_retry_count", {"max_retry_count", "max", "retry", "count"}),
        ("HTTPServerError", {"httpservererror", "http", "server", "error"}),
        ("C++", {"c++"}),
        ("C#", {"c#"}),
        ("F#, C++.", {"f#", "c++"}),
        ("node.js.", {"node.js", "node", "js"}),
        ("C:\\src\\auth.py", {"c:\\src\\auth.py", "src", "auth", "py"}),
        ("@scope/pkg", {"scope/pkg", "scope", "pkg"}),
        ("user's users'", {"user", "users"}),
        ("don't", {"don't"}),
        ("v2.13.1", {"v2.13.1"}),
        ("(foo)", {"foo"}),
        ("a=b;c", {"a", "b", "c"}),
    ],
)
def test_an_identifier_is_kept_whole_and_split(text: str, terms: set[str]) -> None:
    assert terms <= set(terms_of(text))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("令牌轮换", ["令牌", "牌轮", "轮换"]),
        ("锁", ["锁"]),
        ("GBK乱码", ["gbk", "乱码"]),
        ("用JWT做认证", ["用", "jwt", "做认", "认证"]),
        ("修复 app.py中文乱码", ["修复", "app.py", "app", "py", "中文", "文乱", "乱码"]),
        ("ｶﾞﾗｽ", ["ガラ", "ラス"]),
        ("トークン", ["トー", "ーク", "クン"]),
        ("토큰을", ["토큰", "큰을"]),
        ("Кэширование токенов", ["кэширование", "токенов"]),
        ("ЁЛКА", ["елка"]),
        ("الرمز المميز", ["الرمز", "المميز"]),
        ("αβγ ΆΒΓ", ["αβγ", "αβγ"]),
        ("café CAFE CAFÉ", ["cafe", "cafe", "cafe"]),
        ("Straße", ["strass", "strasse"]),
        ("ＡＢＣ　ａｂｃ", ["abc", "abc"]),
        ("ﬁle", ["file"]),
    ],
)
def test_each_script_goes_by_its_own_rule(text: str, terms: list[str]) -> None:
    assert [term for term in terms_of(text) if term in terms] == terms
    assert set(terms_of(text)) <= set(terms)


@pytest.mark.parametrize("text", ["การหมุนโทเคน", "ການໝຸນ", "တိုကင်", "ថូខឹន"])
def test_scripts_without_blanks_go_by_pairs_marks_included(text: str) -> None:
    plain = normalise(text)

    assert terms_of(text) == [plain[place : place + 2] for place in range(len(plain) - 1)]


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u200d", "\ufeff", "\u202e", "\u2066", "\u00ad", "\ufe0f", "\U000e0101", "\x07", "\x00"]
)
@pytest.mark.parametrize("word", ["token", "令牌轮换", "café"])
def test_what_cannot_be_seen_does_not_part_a_word(word: str, hidden: str) -> None:
    assert terms_of(word[:2] + hidden + word[2:]) == terms_of(word)


@pytest.mark.parametrize("blank", [" ", "\n", "\r", "\t", "\x0b", "\x1d", "\u0085", "\u2028", "\u3000", "\u00a0"])
@pytest.mark.parametrize(("one", "other"), [("token", "jwt"), ("令牌", "轮换")])
def test_a_blank_of_any_kind_parts_two_words(one: str, other: str, blank: str) -> None:
    assert terms_of(f"{one}{blank}{other}") == [one, other]


@pytest.mark.parametrize("mark", ["\u0301", "\u20e3", "\ufe0f", "❤️", "\u0489", "¨"])
def test_a_mark_on_its_own_is_no_word(mark: str) -> None:
    assert terms_of(mark) == []
    assert analyze_query(f"令牌 {mark} x").grams


@given(any_text)
def test_no_text_breaks_the_analyzer_and_no_term_is_search_syntax(text: str) -> None:
    query = analyze_query(text)
    gram_key(text)

    for term in [*terms_of(text), *(form for unit in query.units for form in unit.forms)]:
        assert term
        assert len(term) <= TERM_CHARACTERS
        assert '"' not in term
        assert not any(character.isspace() for character in term)
        term.encode()


@given(any_text)
def test_the_unicode_form_of_a_text_does_not_matter(text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()

    assert terms_of(unicodedata.normalize("NFD", text)) == terms_of(unicodedata.normalize("NFC", text))


@given(st.text(st.sampled_from("令牌轮换tokenJWT._-/ 1"), max_size=30))
def test_what_a_prompt_asks_for_is_among_the_terms_of_a_record_with_that_text(text: str) -> None:
    terms = set(terms_of(text))

    assert all(set(unit.forms) & terms for unit in analyze_query(text).units)


@given(st.lists(st.sampled_from(sorted(STOP_WORDS)), max_size=6))
def test_english_chatter_asks_for_nothing(words: list[str]) -> None:
    query = analyze_query(" ".join(words))

    assert (query.units, query.grams) == ((), ())


@given(st.lists(st.sampled_from(sorted(STOP_PAIRS)), max_size=6))
def test_chinese_chatter_asks_for_nothing(words: list[str]) -> None:
    query = analyze_query("，".join(words))

    assert (query.units, query.grams) == ((), ())


def test_a_prompt_keeps_its_informative_units_once() -> None:
    assert shown("How do we rotate the tokens? Rotate tokens!") == ["rotate", "tokens"]
    assert shown("我们，怎么做令牌轮换？令牌") == ["么做", "做令", "令牌", "牌轮", "轮换"]


@pytest.mark.parametrize(
    ("word", "prompt"),
    [
        ("token refresh", "does the Token  Refreshing fail?"),
        ("令牌轮换", "请看一下令牌轮换的问题"),
        ("GBK乱码", "出现 gbk 乱码"),
        ("C++", "in c++ please"),
        ("ＪＷＴ", "the jwt expires"),
        ("src/auth/jwt.ts", "open src/auth/jwt.ts"),
    ],
)
def test_a_hit_word_is_found_in_a_prompt_whatever_its_form(word: str, prompt: str) -> None:
    assert gram_key(word) in analyze_query(prompt).grams


@pytest.mark.parametrize(
    ("word", "prompt"), [("cat", "concatenate"), ("token refresh", "refresh token"), ("go", "golang")]
)
def test_a_hit_word_is_not_found_inside_other_words(word: str, prompt: str) -> None:
    assert gram_key(word) not in analyze_query(prompt).grams


def test_an_identifier_is_marked_as_one() -> None:
    marks = {unit.shown: unit.identifier for unit in analyze_query("getUserById 令牌 token src/a.py E0382").units}

    assert marks["getuserbyid"]
    assert marks["src/a.py"]
    assert marks["e0382"]
    assert not marks["token"]
    assert not marks["令牌"]


@pytest.mark.parametrize("piece", ["token ", "令牌", "a.b.", "x" * 50 + " ", "\u0301", "🔥"])
def test_a_megabyte_of_anything_is_analysed(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))

    assert all(len(term) <= TERM_CHARACTERS for term in terms_of(text))
    assert len(analyze_query(text).units) < QUERY_CHARACTERS


def test_of_a_long_prompt_both_ends_count() -> None:
    prompt = "rotate " + "filler " * 20_000 + " 令牌"

    assert {"rotate", "令牌"} <= set(shown(prompt))


def test_what_unicode_spells_out_does_not_make_a_prompt_longer() -> None:
    query = analyze_query("ﷺ" * QUERY_CHARACTERS)

    assert sum(len(unit.shown) for unit in query.units) <= QUERY_CHARACTERS
    assert len(query.grams) <= MAXIMUM_GRAM * QUERY_CHARACTERS

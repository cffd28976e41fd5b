"""Any text at all may be asked: it finds what is written in its own script, and breaks nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hfa_core.capture.remember import remember
from hfa_core.fs.layout import Layout
from hfa_core.index.analyzer import MAXIMUM_GRAM, QUERY_CHARACTERS, analyze_query
from hfa_core.index.database import open_database
from hfa_core.index.sync import sync
from hfa_core.model import Draft, Source
from hfa_core.recall.recall import Request, recall
from hfa_core.recall.result import Recall
from hfa_core.store.config import read_config
from hfa_core.store.create import create_memory
from hfa_core.store.directory import read_directory

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
FLAG = "🏴\U000e0067\U000e0062\U000e007f"
UNSEEN = "\x00|\ud800|\udfff|\u202e|\u2066|\u200b|\u200d|\ufeff|\u0301|\u0489|\uffff|\r\n|\t|≈部署|≈"
PICTURES = f"{FAMILY} {FLAG} 👍🏽 🇨🇳 e\u0301 ﷺ ﬃ İ ß Ǆ \U0001f469\ufe0f"
SYNTAX = (
    r"""" ' '' "" ( ) * ^ : - + { } AND OR NOT NEAR(a,5) title_terms: % _ ; -- /* \ | $(rm) ${x} <hfa-memory> ```"""
)
WORDS = """deploy token UserService.getById src/auth/jwt.ts C++ not don't but 9e999 部署 令牌 不要 而是 乱码 ﾄｰｸﾝ
    トークン 토큰 токен κλειδί الرمز โทเคน टोकन"""
PIECES = [*UNSEEN.split("|"), *PICTURES.split(), *SYNTAX.split(), *WORDS.split()]
LONG = ["token ", "令牌", '"', "\x00", "\ud800", "\u0301", FAMILY, "don't ", "不要", "≈", "ﷺ", "x"]


@pytest.fixture(scope="module")
def ask_scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Recall]]:
    """`ask_scripts("prompt")`: what a memory with one record for each row of `SCRIPTS` recalls."""
    layout = Layout(str(tmp_path_factory.mktemp("scripts") / "memory"))
    create_memory(layout, "Scripts")
    for place, text in enumerate(dict.fromkeys(text for text, _, _ in SCRIPTS)):
        draft = Draft(title=text, hit_words=[f"w{place}"], conclusion=[f"Line {place}."], source=Source("cli"))
        remember(layout, draft, now=1_790_000_000 + place)
    with open_database(layout) as database:
        directory, config = read_directory(layout), read_config(layout)
        sync(database, directory)
        yield lambda prompt: recall(database, directory, config, Request(prompt))


SCRIPTS = [
    # Width and compatibility forms are folded (NFKC).
    ("Ｔｏｋｅｎ ｂｕｃｋｅｔ limits", "token bucket", True),
    ("Ledger of invoices", "ｌｅｄｇｅｒ ｉｎｖｏｉｃｅｓ", True),
    ("oﬃce hours policy", "office hours", True),
    # Kana and Hangul go by pairs, half width as full width.
    ("ﾄｰｸﾝの更新", "トークン", True),
    ("キャッシュの削除", "ｷｬｯｼｭ", True),
    ("キャッシュの削除", "ひらがな", False),
    ("토큰을 갱신한다", "토큰", True),
    ("토큰을 갱신한다", "토큰이 갱신", True),
    ("토큰을 갱신한다", "세션", False),
    # Han goes by pairs; traditional and simplified forms are different characters.
    ("悬空引用检查要先跑", "悬空引用", True),
    ("缓存多久失效", "缓存", True),
    ("缓存多久失效", "緩存", False),
    # Scripts with blanks go by whole words, without stemming.
    ("Ротация ключей доступа", "ротация ключей", True),
    ("Ротация ключей доступа", "ключ", False),
    ("Ёлка и ёжик", "елка ежик", True),
    ("Ανανέωση κλειδιού", "ΑΝΑΝΕΩΣΗ ΚΛΕΙΔΙΟΎ", True),
    ("Ανανέωση κλειδιού", "συνεδρία", False),
    ("تدوير الرموز السرية", "الرموز السرية", True),
    ("تدوير الرموز السرية", "الجلسة", False),
    ("סיבוב מפתחות גישה", "מפתחות גישה", True),
    ("टोकन हर दिन बदलता है", "टोकन बदलता", True),
    ("टोकन हर दिन बदलता है", "सत्र", False),
    # Thai, Lao, Burmese and Khmer have no blanks and go by pairs.
    ("การหมุนโทเคนรายวัน", "โทเคน", True),
    ("การหมุนโทเคนรายวัน", "เซสชัน", False),
    # What cannot be seen parts no word, and what is only a mark is none.
    ("Zero width joins", "ze\u200bro wi\u200ddth", True),
    ("Bidi override", "\u202eBidi\u202c over\u2066ride\u2069", True),
    ("Café résumé naïve", "cafe resume naive", True),
    ("Straße und Größe", "STRASSE GROSSE", True),
    (f"Rocket emoji {FAMILY} policy", FAMILY, False),
]


@pytest.mark.parametrize(("text", "query", "found"), SCRIPTS)
def test_each_script_is_found_by_its_own_rule(
    ask_scripts: Callable[[str], Recall], text: str, query: str, found: bool
) -> None:
    assert ([one.title for one in ask_scripts(query).selected][:1] == [text]) is found


def check(ask: Callable[[str], Recall], prompt: str) -> None:
    query = analyze_query(prompt)
    assert len(query.units) <= QUERY_CHARACTERS
    assert len(query.grams) <= MAXIMUM_GRAM * (QUERY_CHARACTERS + 1)
    answer = ask(prompt)
    assert len(answer.selected) <= 2
    assert answer.recall_tokens <= 600
    answer.recall_text.encode()


@given(st.one_of(st.text(st.characters()), st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_no_prompt_breaks_recall(ask_scripts: Callable[[str], Recall], prompt: str) -> None:
    check(ask_scripts, prompt)


@pytest.mark.parametrize("piece", LONG)
def test_a_megabyte_is_cut_to_what_is_analysed(ask_scripts: Callable[[str], Recall], piece: str) -> None:
    check(ask_scripts, piece * (1_000_000 // len(piece)))


@pytest.mark.slow
def test_five_thousand_fuzzed_prompts_break_nothing(ask_scripts: Callable[[str], Recall]) -> None:
    dice = random.Random(20_260_101)
    for _ in range(5_000):
        pieces = dice.choices(PIECES, k=dice.randrange(1, 12))
        pieces += [chr(dice.randrange(0x110000)) for _ in range(dice.randrange(8))]
        dice.shuffle(pieces)
        check(ask_scripts, dice.choice(["", " ", "\n", ", "]).join(pieces))


def test_a_prompt_that_spells_a_groups_own_term_is_only_its_words() -> None:
    query = analyze_query("≈部署 ≈deploy")

    assert [unit.forms[0] for unit in query.units] == ["部署", "deploy"]

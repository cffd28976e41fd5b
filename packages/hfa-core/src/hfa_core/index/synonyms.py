"""Synonyms: groups of words that mean one thing, so that either language finds what was written in the other.

A record that holds a word of a group gets the group's own term among its hit words, and a prompt that holds one is
searched for that term as another form of the word; hit words work alike. So groups are symmetric; a word of two groups
joins neither to the other; and a synonym weighs less than the word itself, which is found as both.
"""

from __future__ import annotations

from hfa_core.errors import ConfigError, MemoryDamagedError, StorageError, UnsupportedFormatError
from hfa_core.index.analyzer import TERM_CHARACTERS, Query, QueryUnit, gram_key
from hfa_core.index.stop_words import is_telling
from hfa_core.index.tokenizer import is_cjk
from hfa_core.store.config import read_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hfa_core.fs.layout import Layout

    Groups = tuple[tuple[str, ...], ...]

BUILT_IN: Groups = (
    ("乱码", "亂碼", "garbled", "garbling", "mojibake", "encoding"),
    ("部署", "deploy", "deployment", "rollout", "roll out"),
    ("备份", "備份", "backup"),
    ("并发", "並發", "併發", "concurrency", "concurrent", "concurrently", "race condition", "data race"),
    ("超时", "超時", "逾時", "timeout", "time out", "timed out"),
    ("回滚", "回滾", "rollback", "roll back", "revert"),
)
"""Garbling, deployment, backup, concurrency, timeout, rollback: what Chinese sentences often say in English."""

CONCEPT_MARK = "≈"
"""A group's own term begins with it; no word of a text does."""


_OPENINGS = frozenset(word[:3] if word.isascii() else word for group in BUILT_IN for word in group)
"""What the built-in words begin with, whatever ending they have in a text."""


def widen(query: Query, aliases: Groups) -> Query:
    """The query with its words' groups: their terms are further forms of these words, and may be hit words."""
    if not aliases and not any(unit.shown in _OPENINGS or unit.shown[:3] in _OPENINGS for unit in query.units):
        return query
    return Synonyms(aliases).widen(query)


class Synonyms:
    """The built-in groups and those of one memory, by the words in the form in which prompts are searched for them."""

    __slots__ = ("_concepts", "_patterns")

    def __init__(self, aliases: Groups = ()) -> None:
        self._concepts: dict[str, tuple[str, ...]] = {}
        self._patterns: list[tuple[str, tuple[str, ...]]] = []
        names: set[str] = set()
        for group in (*BUILT_IN, *aliases):
            keys = [key for key in map(gram_key, group) if is_telling(key)]
            name = _name(keys, names)
            for key in dict.fromkeys(keys):
                self._concepts[key] = (*self._concepts.get(key, ()), name)
        for key, concepts in self._concepts.items():
            self._patterns.append((_bounded(key), concepts))

    def concepts_of(self, gram: str) -> tuple[str, ...]:
        """The terms of the groups that a hit word, in the form in which prompts are searched for it, belongs to."""
        return self._concepts.get(gram, ())

    def concepts(self, grams: Iterable[str]) -> list[str]:
        """The terms of the groups of which a word stands in one of these lines, each given as its `gram_key`."""
        lines = [f" {gram} " for gram in grams]
        # Most records have none of the words, which one look tells.
        text = "\n".join(lines)
        patterns = [known for known in self._patterns if known[0] in text]
        found: dict[str, None] = {}
        for line in lines if patterns else ():
            for pattern, concepts in patterns:
                if pattern in line:
                    found.update(dict.fromkeys(concepts))
        return list(found)

    def widen(self, query: Query) -> Query:
        """See the function `widen`."""
        if self._concepts.keys().isdisjoint(query.grams):
            return query
        units = {unit.shown: unit for unit in query.units}
        grams = dict.fromkeys(query.grams)
        for key in query.grams:
            concepts = self._concepts.get(key, ())
            grams.update(dict.fromkeys(concepts))
            parts = _parts(key) if concepts else set[str]()
            touched = [unit for unit in units.values() if concepts and not parts.isdisjoint(unit.forms)]
            for unit in touched or ([QueryUnit(key, ())] if concepts else []):
                forms = tuple(dict.fromkeys([*unit.forms, *concepts]))
                units[unit.shown] = QueryUnit(unit.shown, forms, identifier=unit.identifier)
        widened = Query(tuple(units.values()), tuple(grams))
        for name in Query.__slots__:
            if name not in ("units", "grams"):
                setattr(widened, name, getattr(query, name))
        return widened


def read_aliases(layout: Layout) -> Groups:
    """A memory's own groups; none where its configuration cannot be used, which is told by whoever needs it."""
    try:
        return read_config(layout).aliases
    except (ConfigError, MemoryDamagedError, StorageError, UnsupportedFormatError):
        return ()


def _name(keys: list[str], taken: set[str]) -> str:
    plain = CONCEPT_MARK + (keys[0] if keys else "").replace(" ", "_")[: TERM_CHARACTERS - 8]
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f"{plain}_{number}"
    taken.add(name)
    return name


def _bounded(key: str) -> str:
    """A key as it stands in a folded text: a Latin word between blanks, CJK characters anywhere in their run."""
    return ("" if is_cjk(key[0]) else " ") + key + ("" if is_cjk(key[-1]) else " ")


def _parts(key: str) -> set[str]:
    """The forms that the words and pairs of a key have as units of a query."""
    parts: set[str] = set()
    for run in key.split(" "):
        parts.update([run[place : place + 2] for place in range(len(run) - 1)] if is_cjk(run[0]) else [run])
    return parts

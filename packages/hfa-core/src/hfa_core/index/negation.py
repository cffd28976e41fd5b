"""Negation: what a prompt says that its author does not want is no reason to recall.

Dropped are clauses that tell the agent to keep away from something ("don't use yarn", "not Redis", 不要查部署), each
up to its turn word. A statement that something fails, is missing or is not so ("the hook does not fire", 连不上)
stays: that is what people ask about. In doubt a clause stays, and the gate decides.
"""

from __future__ import annotations

from hfa_core.index import negation_chinese, negation_english

_SENTENCE_ENDS = "!?\n。！？\r"
_CLAUSE_ENDS = ",;:()，；：（）—–…"
_PASSES = 3
"""choice: what is left after a cut may deny something anew, hardly ever twice."""


class _Clause:
    """A stretch of the text without its delimiter `end`, which is empty after the last one."""

    __slots__ = ("delimiter", "start", "stop")

    def __init__(self, start: int, stop: int, delimiter: str) -> None:
        self.start = start
        self.stop = stop
        self.delimiter = delimiter


def affirmed(text: str) -> str:
    """`text` without what it denies: its characters in order, all of them where nothing is denied."""
    for _ in range(_PASSES):
        spans = [span for sentence in _sentences(text) for span in _denied(text, sentence)]
        if not spans:
            break
        text = _cut(text, spans)
    return text


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    kept: list[str] = []
    position = 0
    for start, stop in sorted(spans):
        kept.append(text[position:start] if start > position else "")
        position = max(position, stop)
    return "".join([*kept, text[position:]])


def _sentences(text: str) -> list[list[_Clause]]:
    sentences: list[list[_Clause]] = [[]]
    start = 0
    for place, character in enumerate(text):
        if character.isalnum() or not _delimits(text, place, character):
            continue
        sentences[-1].append(_Clause(start, place, character))
        start = place + 1
        if character in _SENTENCE_ENDS or character == ".":
            sentences.append([])
    sentences[-1].append(_Clause(start, len(text), ""))
    return sentences


def _delimits(text: str, place: int, character: str) -> bool:
    """A full stop, comma, colon or question mark inside a word belongs to it: `node.js`, `1,000`, `C:\\src`."""
    if character in ".,:?!-":
        following = text[place + 1 : place + 2]
        ends = not following or following.isspace() or following > "\x7f"
        return ends and (character != "-" or text[place - 1 : place].isspace())
    return character in _SENTENCE_ENDS or character in _CLAUSE_ENDS


def _denied(text: str, sentence: list[_Clause]) -> list[tuple[int, int]]:
    whole = text[sentence[0].start : sentence[-1].stop]
    if negation_chinese.asks_why(whole) or negation_english.asks_why(whole):
        return []
    spans: list[tuple[int, int]] = []
    listing = ordered = False
    for place, clause in enumerate(sentence):
        part = text[clause.start : clause.stop]
        words = negation_english.split_words(part)
        ordered = ordered or negation_english.orders(words)
        if listing and negation_english.goes_on(words):
            spans.append((clause.start, clause.stop))
            continue
        following = sentence[place + 1] if place + 1 < len(sentence) else None
        then = negation_english.split_words(text[following.start : following.start + 40]) if following else []
        asks = clause.delimiter in ("?", "？") and bool(clause.delimiter)
        english, runs_on = negation_english.denied(words, asks=asks, ordered=ordered, then=then)
        turned = following is not None and negation_chinese.turns(text[following.start : following.stop])
        found = [*english, *negation_chinese.denied(part, asks=asks, turned=turned)]
        spans += [(clause.start + start, clause.start + stop) for start, stop in found]
        listing = runs_on and clause.delimiter == "," and _is_list(text, sentence, place)
    return spans


def _is_list(text: str, sentence: list[_Clause], place: int) -> bool:
    """Whether the clauses behind a comma are further members of what was denied: "A, B, and C", "A, nor B"."""
    for items, clause in enumerate(sentence[place + 1 : place + 9]):
        words = negation_english.split_words(text[clause.start : clause.stop])
        if negation_english.ends_list(words, first=items == 0):
            return True
        if not negation_english.is_item(words):
            return False
    return False

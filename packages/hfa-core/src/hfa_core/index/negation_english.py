"""What an English clause denies: orders to keep away from something, and the one of two things that is not meant."""

from __future__ import annotations

Span = tuple[int, int]
Word = tuple[str, int, int]
"""A word in small letters, with where it starts and stops in its clause."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_OPENERS = _set("""please pls just ok okay and or so then also but now well actually hey kindly instead however for the
    time being today let's lets remember careful sorry no oh hi still again only yes anyway though except""")
_SUBJECTS = _set("i we you i'm we're you're they it")
_INVERTED = _set("i we you he she they it there this that these those the")
"""After a negated auxiliary at the head of a clause they make a question: "don't we", "isn't there"."""
_WANTING = _set("""want need use care mean intend plan wish like mention ask bother consider touch using asking talking
    looking interested going concerned referring trying planning worried suggesting saying""")
"""What people say of themselves to rule something out; "I don't know" and "we don't see" ask."""
_SAFE = _set("forget hesitate mind skip ignore miss omit overlook neglect fail lose")
"""Not to do these is to do what follows."""
_UNLESS = _set("without unless until till before")
_NOT_ONLY = _set("only just merely simply not no")
_STATES = _set("""sure yet all every many much enough even necessarily really found able valid available set present
    supported allowed ready defined true false null none empty unique null in an to as so that too very well because if
    when at on working running responding read sent written run seen kept built lost done gone shown given taken
    known started elsewhere otherwise for with by from of into""")
"""What follows "not" where a state is told, not a choice made."""
_NEEDED = _set("needed necessary relevant required important interesting wanted")
_LATER = _set("here now for today please yet anymore any more at all")
_DIRECTIVES = _set("""use check look show fix tell find run switch try go give see focus prefer take want pick choose
    keep read open with via""")
_TURNS = _set("but instead however except though yet")
_CONDITIONS = _set("if when whenever because since unless whether that how what which who where")
_COPULAS = _set("is are am was were be it's that's this's i'm we're you're they're")
_HELPERS = _set("is are was were do does did has have had can could will would shall should may might must")
_DUTIES = _set("must should need shall")
_PLANS = _set("will would")
_ASKING = {"do", "let's", "lets"} | _DUTIES | _PLANS | _COPULAS
"""At the head of a question these ask for what they deny."""
_IRREGULAR = {"dont": "do", "cannot": "can", "won't": "will", "shan't": "shall"}
_LIST_ENDS = ("and", "or", "nor")
_BINDERS = _SUBJECTS | _set("to how and or the a an that which of in on with")
"""A verb behind one of these belongs to what is said before it."""
_LONGEST_SCOPE = 60
"""A clause of more words is no sentence, and its turn is not looked for further on."""
_REACH = 30
"""The words behind a negator that may still turn it."""


def split_words(clause: str) -> list[Word]:
    """The words of a clause between blanks, without the marks around them; `don't` gives `do` and `not`."""
    words: list[Word] = []
    position = 0
    for raw in clause.split():
        start = clause.index(raw, position)
        position = start + len(raw)
        word = raw.lower().replace("’", "'").strip("\"'`*_“”‘<>[]{}.…~、")
        base = _IRREGULAR.get(word) or (word[:-3] if word.endswith("n't") and len(word) > 4 else "")
        words += [(base, start, position), ("not", start, position)] if base else [(word, start, position)]
    return words


def asks_why(sentence: str) -> bool:
    """Whether a sentence asks for reasons or consequences: then what it denies is what it is about."""
    padded = f" {' '.join(sentence.lower().split())} "
    return any(mark in padded for mark in (" why ", " how come ", " what if ", " why's "))


def denied(words: list[Word], *, asks: bool, ordered: bool, then: list[Word]) -> tuple[list[Span], bool]:
    """
    The stretches of a clause that it denies, and whether the last one reaches its end.

    Args:
        asks: The clause ends in a question mark.
        ordered: The sentence gives an order.
        then: The first words of the next clause of the same sentence.
    """
    spans: list[Span] = []
    begin = place = lead = 0
    while place < len(words):
        if place == lead and words[place][0] in _OPENERS:
            lead += 1
        found = _judge(words, begin, lead, place, asks, ordered, then)
        if found is None:
            place += 1
            continue
        start, stop = found
        spans.append((words[start][1], words[stop - 1][2]))
        begin = place = lead = stop
    return spans, bool(spans) and begin == len(words)


def _judge(
    words: list[Word], begin: int, lead: int, place: int, asks: bool, ordered: bool, then: list[Word]
) -> Span | None:
    word = words[place][0]
    following = _at(words, place + 1)
    if word == "not":
        return _judge_not(words, begin, lead, place, asks, then)
    if (word, following) == ("never", "mind") and place <= lead:
        return (begin, _scope(words, place + 2))
    if word == "never" and place <= lead and following not in _HELPERS and not asks:
        return _order(words, begin, place, place + 1)
    if (word, following) in (("instead", "of"), ("rather", "than")) and not asks:
        return (place, _scope(words, place + 2)) if ordered or _has_order(words, place) else None
    if (word, following) == ("no", "need") and place <= lead:
        return _order(words, begin, place, place + 2)
    if word == "no" and place <= lead and _is_refusal(words, place, then):
        return (begin, _scope(words, place + 1))
    if (
        word == "neither"
        and following not in _HELPERS
        and not asks
        and _is_choice(words, begin, lead, place)
        and len(words) - place <= _REACH
    ):
        return (begin if place <= lead else place, _scope(words, place + 1))
    return None


def _at(words: list[Word], place: int) -> str:
    return words[place][0] if 0 <= place < len(words) else ""


def orders(words: list[Word]) -> bool:
    """Whether a clause tells the agent to do something."""
    return any(word in _DIRECTIVES or _orders(word) for word, _, _ in words[:4])


def _has_order(words: list[Word], place: int) -> bool:
    return any(_orders(word) for word, _, _ in words[place : place + _REACH])


def _judge_not(words: list[Word], begin: int, lead: int, place: int, asks: bool, then: list[Word]) -> Span | None:
    helper = _at(words, place - 1) if place > begin else ""
    following = _at(words, place + 1)
    open_choice = (_at(words, place - 2), helper) == ("whether", "or")
    if open_choice or following in _NOT_ONLY or (asks and helper in _ASKING):
        return None
    if helper in ("do", "let's", "lets"):
        return _order_of(words, begin, lead, place, any_subject=())
    if helper in _DUTIES:
        return _order_of(words, begin, lead, place, any_subject=("you",))
    if helper in _PLANS:
        return _order_of(words, begin, lead, place, any_subject=(), needs_subject=True)
    if helper in _COPULAS:
        return _after_copula(words, begin, place, then)
    if following in _NEEDED:
        return _not_needed(words, begin, place)
    chosen = helper in ("and", "or", "")
    return _contrast(words, begin, lead, place) if chosen or _is_choice(words, begin, lead, place) else None


def _order_of(
    words: list[Word], begin: int, lead: int, place: int, *, any_subject: tuple[str, ...], needs_subject: bool = False
) -> Span | None:
    """`do not`, `should not`, `will not`: an order, or what the user or the team rules out; else a statement."""
    helper = place - 1
    subject = _at(words, helper - 1) if helper > begin else ""
    verb = _at(words, place + 1)
    if verb in _INVERTED or any(word in _CONDITIONS for word, _, _ in words[max(begin, helper - 8) : helper]):
        return None
    if subject in _SUBJECTS:
        if verb not in _WANTING and subject not in any_subject:
            return None
        start = helper - 1 if helper - 1 > lead else begin
    elif helper > lead or needs_subject:
        return None
    else:
        start = begin
    return _order(words, start, place, place + 1)


def _order(words: list[Word], start: int, place: int, after: int) -> Span | None:
    scope = [word for word, _, _ in words[place + 1 : place + 1 + _REACH]]
    verb = _at(words, after)
    if verb in _SAFE or verb in _NOT_ONLY or any(word in _UNLESS for word in scope):
        return None
    return (start, _scope(words, after + 1))


def _after_copula(words: list[Word], begin: int, place: int, then: list[Word]) -> Span | None:
    """`is not`: what a talk is not about, and what is not meant if the turn says what is; else a statement."""
    following = _at(words, place + 1)
    if following in _INVERTED and place - 1 == begin:
        return None
    if following in _NEEDED:
        return _not_needed(words, begin, place)
    stop = _scope(words, place + 1)
    if following in ("about", "for") or following in _WANTING:
        return (begin, stop)
    turned = _at(words, stop) in ("but", "instead") or _at(then, 0) in ("but", "rather", "instead")
    return (place, stop) if turned and not _tells_state(following) else None


def _not_needed(words: list[Word], begin: int, place: int) -> Span | None:
    """`A is not needed`, and no more: A is out of the talk; "not required for B" tells how it is."""
    stop = _scope(words, place + 2)
    rest = [word for word, _, _ in words[place + 2 : stop][:_REACH]]
    return (begin, stop) if all(word in _LATER for word in rest) else None


def _contrast(words: list[Word], begin: int, lead: int, place: int) -> Span | None:
    """`not` before a thing: the one of two that is not meant."""
    following = _at(words, place + 1)
    if not following or _tells_state(following) or following in _SAFE:
        return None
    if any(word in _UNLESS for word, _, _ in words[place + 1 : place + 1 + _REACH]):
        return None
    return (begin if place <= lead else place, _scope(words, place + 2))


def _tells_state(word: str) -> bool:
    if word in _WANTING or word in ("anything", "nothing"):
        return False
    return word in _STATES or (len(word) > 4 and word.endswith(("ing", "ed", "able", "ible", "ly")))


def _is_choice(words: list[Word], begin: int, lead: int, place: int) -> bool:
    """Whether the clause orders something before the negator: "use A not B"."""
    return place <= lead or any(word in _DIRECTIVES for word, _, _ in words[lead : min(lead + 3, place)])


def _is_refusal(words: list[Word], place: int, then: list[Word]) -> bool:
    """`no A please`, or `no A` and then what to do instead; "no space left" and "no idea" are none."""
    things = words[place + 1 : place + 7]
    if not 1 <= len(things) <= 5 or things[0][0] in ("problem", "idea", "worries", "such", "longer", "matter", "one"):
        return False
    turns = {"just", "only", "use", "but", "instead"}
    return things[-1][0] == "please" or _at(then, 0) in turns or any(word in turns for word, _, _ in things[1:])


def _scope(words: list[Word], place: int) -> int:
    """Where what is denied from `place` on ends: at its turn word, or with the clause."""
    for at in range(place, min(place + _LONGEST_SCOPE, len(words))):
        word, previous = words[at][0], words[at - 1][0]
        if word in _TURNS or (word == "rather" and _at(words, at + 1) != "than"):
            return at
        if word in ("and", "then", "please", "just", "only") and at > place and _orders(_at(words, at + 1)):
            return at
        if at > place and word in ("use", "check", "please") and previous.isascii() and previous not in _BINDERS:
            return at
    return len(words)


def _orders(word: str) -> bool:
    return word in ("use", "check", "look", "show", "fix", "tell", "find", "run", "switch", "try", "focus", "explain")


def goes_on(words: list[Word]) -> bool:
    """Whether a clause behind a list's comma is part of that list."""
    return is_item(words) or ends_list(words, first=False)


def is_item(words: list[Word]) -> bool:
    """Whether a clause is a bare thing, and no order or turn."""
    return 1 <= len(words) <= 3 and not (words[0][0] in _TURNS or words[0][0] in _OPENERS or _orders(words[0][0]))


def ends_list(words: list[Word], *, first: bool) -> bool:
    """Whether a clause is the last member of a list: `and C`; straight behind the first only `or` and `nor` are."""
    ends = _LIST_ENDS[1:] if first else _LIST_ENDS
    if 3 <= len(words) <= 5 and any(word in _LIST_ENDS for word, _, _ in words[1:-1]):
        return is_item(words[:1]) and not _orders(words[-1][0])
    return 2 <= len(words) <= 5 and words[0][0] in ends and not _orders(words[1][0])

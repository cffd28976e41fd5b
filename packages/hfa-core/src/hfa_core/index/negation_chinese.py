"""What a Chinese clause denies: orders to keep away from something, and the one of two things that is not meant."""

from __future__ import annotations

Span = tuple[int, int]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_STRICT = _words("千万不要 不要 请勿 切勿 甭 勿")
"""Orders whatever stands before them."""
_SOFT = _words("不需要 不需 不用 不必 无需 无须 無需 無須 不准 不许 禁止 不想 不打算 不考虑 先不 暂不 暂时不 不再用")
"""Orders at the head of a clause, or behind the thing itself; behind another subject they tell how it is."""
_SHOULD = _words("不应该 不该 不应 不能再")
_VERBS = _words("使用 查看 检查 修改 讨论 考虑 涉及 采用 用 查 看 改 碰 找 谈 聊 选 动")
_COMPOUNDS = _words("查到 看到 看见 看清 改变 找到 用说 动了 动产 看不 查不 找不 用不 见得")
"""Where one of these follows, something fails or is said in passing."""
_OPENERS = _words("""
    我们 咱们 大家 现在 今天 这次 本次 暂时 暂且 并且 而且 所以 然后 另外 但是 可是 不过 千万 以后 拜托 麻烦 记得
    注意 务必 一定 绝对 还是 好的 那就 我們 請 请 你 您 我 就 也 都 先 那 好 可 并 而 但 和 还 再 这 嗯
""")
_SAFE = _words("忘 漏 落下 遗漏 忽略 忽视 错过 丢 不 没 只 光 仅 紧 客气 谢")
"""Behind an order they make it say the opposite, or nothing."""
_TURNS = _words(
    "而是 但是 可是 不过 只是 改用 改成 改为 换成 换用 而要 只要 只需 只看 只查 只改 只用 仅 但 直接用 请用 应该用"
)
_BETWEEN = _words("别名 别的 别人 别处 别样 别墅 别致 别扭 别称 別名 別的 別人")
_BEFORE_DONT = "请請你您们就也都先可万，,还再那 \t"
_GENERIC = _words("""
    检查 查询 查看 处理 修改 关注 担心 在意 考虑 讨论 理会 管它 查 看 管 改 动 碰 提 问 找 说 讲 谈 聊 做 用 的 了 吧
    啦 呀 啊 去 再 它 他 这 那 些 个 都 也 先 来 我 们
""")
_QUESTION_ENDS = _words("吗 么 嘛 呢 吗了")
_COURTEOUS_ENDS = _words("好吗 行吗 可以吗 好么 行么 好嘛 吧")
_WHY = _words("为什么 为何 为啥 干嘛 怎么不 何不 何必 凭什么 难道 何尝 為什麼 為何 不得不 非不可")
_CONDITIONS = _words("如果 假如 要是 若是 因为 由于 万一 即使 如何 怎么")
_DOUBLE = _words("没有 没 未 不 无 非")
_NOT_THE_TALK = _words("关于 说 问 要 指 找 讲 谈 想 查 让")
_LONGEST_SCOPE = 200
"""A turn word further on belongs to something else."""
_PLAIN_BEFORE = 24
"""An opening has at most so many characters."""


def asks_why(sentence: str) -> bool:
    """Whether a sentence asks for reasons: then what it denies is what it is about."""
    return any(mark in sentence for mark in _WHY)


def turns(clause: str) -> bool:
    """Whether a clause begins by saying what is meant instead."""
    return clause.lstrip().startswith(("而是", "是", "应该是", "而", "但"))


def denied(clause: str, *, asks: bool, turned: bool) -> list[Span]:
    """
    The stretches of a clause that it denies.

    Args:
        asks: The clause ends in a question mark.
        turned: The next clause begins by saying what is meant instead.
    """
    text = clause.rstrip()
    asks = asks or (text.endswith(_QUESTION_ENDS) and not text.endswith(_COURTEOUS_ENDS))
    spans: list[Span] = []
    begin = place = 0
    while place < len(text):
        character = text[place]
        found = _judge(text, begin, place, asks, turned) if character in "不别別勿甭请切千无無禁先暂而并与跟" else None
        if found is None:
            place += 1
            continue
        spans.append(found)
        begin = place = max(found[1], place + 1)
    return spans


def _judge(text: str, begin: int, place: int, asks: bool, turned: bool) -> Span | None:
    before = text[begin:place]
    if _is_either_or(text, place) or _ends_with(before, _DOUBLE) or _has(before, _CONDITIONS):
        return None
    if text[place] in "与跟":
        return _unrelated(text, place)
    if asks:
        return None
    if found := _starts(text, place, ("而不是", "而非")):
        return (place, _scope(text, place + len(found)))
    if found := _starts(text, place, ("并不是", "不是")):
        return _not_this(text, begin, place, place + len(found), turned)
    if found := _starts(text, place, _STRICT) or (_is_dont(text, begin, place) and text[place]) or "":
        return _order(text, begin, place, place + len(found))
    if found := _starts(text, place, _SOFT):
        return _soft_order(text, begin, place, place + len(found))
    return _refusal(text, begin, place) if _is_opening(before) else None


def _refusal(text: str, begin: int, place: int) -> Span | None:
    """不查 and 不该用 at the head of a clause: what the user or the team will not do."""
    negator = _starts(text, place, _SHOULD) or _starts(text, place, ("不",))
    after = place + len(negator)
    if negator and _starts(text, after, _VERBS) and not _starts(text, after, _COMPOUNDS):
        return (begin, _scope(text, after + 1))
    return None


def _is_dont(text: str, begin: int, place: int) -> bool:
    """Whether 别 is the word for "don't" here, not a part of 类别, 别名 or 特别."""
    if text[place] not in "别別" or _starts(text, place, _BETWEEN):
        return False
    return place == begin or text[place - 1] in _BEFORE_DONT or _is_opening(text[begin:place])


def _order(text: str, begin: int, place: int, after: int) -> Span | None:
    before = text[begin:place]
    if _starts(text, after, _SAFE) or _has(before, _DOUBLE[:3]):
        return None
    stop = _scope(text, after)
    whole = _is_opening(before) or _is_generic(text[after:stop])
    return (begin if whole else place, stop)


def _soft_order(text: str, begin: int, place: int, after: int) -> Span | None:
    before = text[begin:place]
    if text[place] in "先暂" and text[after : after + 1] in ("能", "会", "可", "到", "了", "行", "是"):
        return None
    chooses = _is_opening(before) or _is_generic(text[after : _scope(text, after)]) or _has(before, ("用", "要", "只"))
    return _order(text, begin, place, after) if chooses else None


def _not_this(text: str, begin: int, place: int, after: int, turned: bool) -> Span | None:
    """不是: what is not meant if a turn says what is, or what the talk is not about; else a statement."""
    stop = _scope(text, after)
    if _starts(text, after, ("很", "不", "没", "因为", "只", "仅", "单", "光", "所有", "每")):
        return None
    if stop < len(text) or turned:
        return (place, stop)
    talk = _starts(text, after, _NOT_THE_TALK) or text.rstrip("。 ").endswith(("的问题", "的事", "的原因"))
    return (begin if _is_opening(text[begin:place]) else place, stop) if talk else None


def _unrelated(text: str, place: int) -> Span | None:
    """与部署无关: the thing between is what the talk is not about."""
    ends = ("无关", "没关系", "没有关系", "無關")
    return (place, len(text)) if text.endswith(ends) and len(text) - place < _PLAIN_BEFORE else None


def _scope(text: str, place: int) -> int:
    places = [at for turn in _TURNS if (at := text.find(turn, place, place + _LONGEST_SCOPE)) >= 0]
    return min(places, default=len(text))


def _is_either_or(text: str, place: int) -> bool:
    """要不要, 是不是, 需不需要: a question."""
    return text[place] == "不" and 0 < place < len(text) - 1 and text[place - 1] == text[place + 1]


def _is_opening(before: str) -> bool:
    return len(before) <= _PLAIN_BEFORE and not _without(before.strip(), _OPENERS)


def _is_generic(rest: str) -> bool:
    return len(rest) <= _PLAIN_BEFORE and not _without(rest.strip(), _GENERIC)


def _without(text: str, words: tuple[str, ...]) -> str:
    """A text without these words at its head, over and over."""
    while found := _starts(text, 0, words):
        text = text[len(found) :].lstrip()
    return text


def _starts(text: str, place: int, words: tuple[str, ...]) -> str:
    """The first of these words that stands at `place`; empty if none does."""
    if not text.startswith(words, place):
        return ""
    return next(word for word in words if text.startswith(word, place))


def _ends_with(before: str, words: tuple[str, ...]) -> bool:
    return before.endswith(words)


def _has(before: str, words: tuple[str, ...]) -> bool:
    tail = before[-_PLAIN_BEFORE:]
    return any(word in tail for word in words)

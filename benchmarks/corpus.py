"""The records that the speed benchmarks work on: seeded, any number, with words as unevenly frequent as in a language.

Half of the records are English and half Chinese with Latin names in it. The commonest words are real ones; the rest is
made of syllables, so that the vocabulary grows with the memory as that of a real one does.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, islice, product

from hfa_core.fs.layout import Layout
from hfa_core.model import Chunk, Draft, Source
from hfa_core.store.config import read_config
from hfa_core.store.create import create_memory
from hfa_core.store.directory_edit import read_directory_text
from hfa_core.store.schema import check_draft, make_chunk, render_chunk

SEED = 7
WORDS_PER_RECORD = (30, 60)
SUPERSEDING = 0.03
"""choice: the share of records that replace an earlier one."""

_LATIN_WORDS = 30_000
_CHINESE_WORDS = 12_000
_TITLE_WORDS = 6
_LINES = 3
_RARE_FROM = 500
"""Hit words are drawn from the words of this rank and beyond, each as likely as any other."""


def _split(words: str) -> list[str]:
    return words.split()


_COMMON = _split(
    "the of to in and is for a on it with that as be by we after when from not cache token queue index parser session"
    " worker schema gateway ledger invoice deploy rollback timeout retry batch stream config client server request"
    " response database migration backup release build test log metric error limit default version"
)
_COMMON_CHINESE = _split(
    "的 在 了 是 和 后 时 由 不 要 缓存 部署 回滚 超时 并发 备份 网关 队列 索引 会话 解析 限流 迁移 日志 配置 版本 接口"
    " 服务 数据 请求 响应 重试 默认 失败 任务 测试 发布 密钥 权限 校验"
)
_ONSETS = _split("b c d f g h j k l m n p r s t v w z br ch cl dr fl gr pl pr sh sl st tr")
_CENTRES = _split("a e i o u ai ea io ou")
_ENDS = _split("n r s l x ck rd nt st m")
_CHARACTERS = (
    "一上下中主义事二五交产京人代企会体保信修值元先光全公六共关其具内写分列切则创初别到制前力办加务动包北区十协单占卡历"
    "原参双反发取变口句可台右号司各合同名向告命品商回因团围固图土在地场均块型城域基堆填境增声处备复外多大天太头女好如字存"
    "学安定实客宽密对导封射小少局层展属山工左差己市带常平年并广序库应底建开异式引强当录形径待徐得循微心必忘快态性总息情"
)


class _Vocabulary:
    """Words by rank, and how often they come: the word of rank r in proportion to 1 / (r + 2.7), as Zipf's law says."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(1, len(words) + 1)))

    def draw(self, chooser: random.Random, count: int) -> list[str]:
        return chooser.choices(self.words, cum_weights=self._weights, k=count)

    def draw_rare(self, chooser: random.Random, count: int) -> list[str]:
        return [self.words[chooser.randrange(_RARE_FROM, len(self.words))] for _ in range(count)]


@cache
def _latin() -> _Vocabulary:
    syllables = ["".join(parts) for parts in product(_ONSETS, _CENTRES, _ENDS)]
    made = [first + second for first, second in zip(*_shuffled_twice(syllables, _LATIN_WORDS), strict=True)]
    return _Vocabulary(list(dict.fromkeys([*_COMMON, *made])))


@cache
def _chinese() -> _Vocabulary:
    made = [first + second for first, second in zip(*_shuffled_twice(list(_CHARACTERS), _CHINESE_WORDS), strict=True)]
    return _Vocabulary(list(dict.fromkeys([*_COMMON_CHINESE, *made])))


def _shuffled_twice(parts: list[str], count: int) -> tuple[list[str], list[str]]:
    chooser = random.Random(SEED)
    return chooser.choices(parts, k=count), chooser.choices(parts, k=count)


def drafts(*, first: int = 1) -> Iterator[Draft]:
    """Endless drafts, those of odd numbers English; that of a number is the same wherever one starts."""
    latin, chinese = _latin(), _chinese()
    number = first
    while True:
        chooser = random.Random(SEED * 1_000_003 + number)
        words = chooser.randint(*WORDS_PER_RECORD) - _TITLE_WORDS
        if number % 2:
            title, text = latin.draw(chooser, _TITLE_WORDS), latin.draw(chooser, words)
            hits = latin.draw_rare(chooser, 3)
            texts = [" ".join(title), *_lines(text, " ")]
        else:
            title, text = chinese.draw(chooser, _TITLE_WORDS), chinese.draw(chooser, words)
            hits = [*chinese.draw_rare(chooser, 2), *latin.draw_rare(chooser, 1)]
            text[len(text) // 2] = f" {hits[2]} "
            texts = ["".join(title), *_lines(text, "")]
        yield Draft(
            title=f"{texts[0]} {number}",
            hit_words=list(dict.fromkeys(hits)),
            conclusion=texts[1:],
            source=Source("cli", branch="main"),
            node="M1",
        )
        number += 1


def _lines(words: list[str], blank: str) -> list[str]:
    size = -(-len(words) // _LINES)
    return [blank.join(words[start : start + size]).strip() + "." for start in range(0, len(words), size)]


def prompts(count: int, records: int) -> list[str]:
    """Prompts about records spread over the first `records`: a hit word and words of the title and the first line."""
    found: list[str] = []
    for draft in islice(_spread(records), count):
        words = [*draft.title.split(" ")[:-1], *draft.conclusion[0].split(" ")[:3]]
        found.append(f"{' '.join(words)} {draft.hit_words[0]}")
    return found


def _spread(records: int) -> Iterator[Draft]:
    chooser = random.Random(SEED)
    while True:
        yield next(drafts(first=chooser.randint(1, records)))


def fill(layout: Layout, count: int) -> list[Chunk]:
    """
    Make a memory of `count` records, its epochs full but for the last, without an index; the records.

    The files are what `hfa remember` writes, but for their syncs.
    """
    create_memory(layout, "Benchmark")
    size = read_config(layout).topics_per_epoch
    chooser = random.Random(SEED)
    chunks: list[Chunk] = []
    for number, draft in enumerate(islice(drafts(), count), 1):
        if chunks and chooser.random() < SUPERSEDING:
            draft.supersedes = (chooser.choice(chunks).id,)
        chunk = make_chunk(
            check_draft(draft), number=number, epoch=1 + (number - 1) // size, created_at="2026-01-01T00:00:00Z"
        )
        chunks.append(chunk)
        write(layout, chunk)
    text = read_directory_text(layout)
    text.set_epoch(chunks[-1].epoch)
    with open(layout.directory, "wb") as stream:
        stream.write(text.render())
    return chunks


def write(layout: Layout, chunk: Chunk) -> None:
    """Write a record's file, unsynced."""
    descriptor = os.open(layout.chunk(chunk.id), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(descriptor, render_chunk(chunk))
    os.close(descriptor)

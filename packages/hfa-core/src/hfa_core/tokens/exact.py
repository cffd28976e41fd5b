"""Counting with the o200k_base tokenizer, where the extra `tokens` is installed; nothing is ever downloaded.

This module is for commands: no hook imports it, for loading the tokenizer costs about fifty starts of Python.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import os
import re
import zlib
from base64 import b64decode
from importlib import import_module
from importlib.util import find_spec

from hfa_core.tokens import METHOD_EXACT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Protocol

    from hfa_core.tokens import Counter

    class _Encoding(Protocol):
        def encode_ordinary(self, text: str) -> list[int]: ...


INSTALL = 'pip install "hfa-core[tokens]"'
"""What brings the tokenizer and its vocabulary."""
VOCABULARY_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""Of the unpacked vocabulary; tiktoken 0.14.0 expects the same (`tiktoken_ext.openai_public`)."""
LONGEST_BLANK = 500_000
"""tiktoken 0.14.0 breaks off with a panic at a run of 1,000,000 blanks or more, and takes 999,990 (measured)."""

# The pieces of o200k_base, as in `tiktoken_ext.openai_public` of tiktoken 0.14.0.
_PIECES = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)


class _UnusableError(Exception):
    """The tokenizer or its vocabulary cannot be used; the message says why."""


def load_counter() -> Counter | None:
    """
    The exact counter, made once in a process (about 0.7 s); None where it cannot be used, for whatever reason.

    Special tokens such as `<|endoftext|>` count as the plain text they are (`encode_ordinary`). Give it no text that
    `is_countable` refuses.
    """
    return _load()[0]


def find_problem() -> str:
    """Why nothing can be counted exactly here; empty if it can."""
    return _load()[1]


def is_installed() -> bool:
    """Whether both parts of the extra are there, be they usable or not."""
    return find_spec("tiktoken") is not None and find_spec("bpe_openai") is not None


def is_countable(text: str) -> bool:
    """Whether the tokenizer can take `text`; it cannot take an endless run of blanks."""
    return len(text) < LONGEST_BLANK or re.search(rf"\s{{{LONGEST_BLANK}}}", text) is None


@functools.cache
def _load() -> tuple[Counter | None, str]:
    try:
        encoding = _make_encoding(_import_tokenizer(), _read_vocabulary())
    except _UnusableError as error:
        return None, str(error)
    return (lambda text: len(encoding.encode_ordinary(text))), ""


def _import_tokenizer() -> ModuleType:
    try:
        return import_module("tiktoken")
    except Exception as error:
        found = find_spec("tiktoken") is not None
        raise _UnusableError(f"tiktoken cannot be loaded: {error}" if found else "tiktoken is not installed") from None


def _read_vocabulary() -> bytes:
    """The vocabulary from the wheel that carries it, whose package is not imported: that would load its tokenizer."""
    spec = find_spec("bpe_openai")
    if spec is None or not spec.submodule_search_locations:
        raise _UnusableError("bpe-openai, which carries the vocabulary, is not installed")
    path = os.path.join(spec.submodule_search_locations[0], "data", "o200k_base.tiktoken.gz")
    try:
        with open(path, "rb") as stream:
            vocabulary = gzip.decompress(stream.read())
    except (OSError, EOFError, zlib.error) as error:
        raise _UnusableError(f"the vocabulary {path} cannot be read: {error}") from None
    if hashlib.sha256(vocabulary).hexdigest() != VOCABULARY_SHA256:
        raise _UnusableError(f"the vocabulary {path} is not that of o200k_base: its SHA-256 differs")
    return vocabulary


def _make_encoding(tiktoken: ModuleType, vocabulary: bytes) -> _Encoding:
    ranks = {b64decode(token): int(rank) for token, rank in map(bytes.split, vocabulary.splitlines())}
    try:
        encoding: _Encoding = tiktoken.Encoding(METHOD_EXACT, pat_str=_PIECES, mergeable_ranks=ranks, special_tokens={})
        encoding.encode_ordinary("")
    except Exception as error:
        # Whatever another version of it does: the estimate always works.
        raise _UnusableError(f"tiktoken cannot be used: {error!r:.200}") from None
    return encoding

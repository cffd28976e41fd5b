"""`hfa tokens`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hfa_core.cli.output import print_json, print_lines
from hfa_core.cli.place import JsonOption
from hfa_core.errors import NotTextError, StorageError
from hfa_core.tokens import METHOD_ESTIMATE, METHOD_EXACT, estimate_tokens
from hfa_core.tokens.exact import find_problem, is_countable, load_counter

STDIN = "-"


def tokens(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Text files; - is the standard input.")],
    as_json: JsonOption = False,
) -> None:
    """
    Count the tokens of text files: exactly where the extra `tokens` is installed, else by the estimate, which says so.

    Example: hfa tokens README.md docs/*.md

    Example: git diff | hfa tokens -
    """
    texts = [(name, _read(name)) for name in files]
    count = load_counter()
    problem = find_problem()
    rows: list[tuple[str, int, bool]] = []
    for name, text in texts:
        # An endless run of blanks is too much for the tokenizer, and no reason to count the other files less well.
        exact = count is not None and is_countable(text)
        rows.append((name, count(text) if count and exact else estimate_tokens(text), exact))
    total = sum(row[1] for row in rows)
    exact = all(row[2] for row in rows)
    method = METHOD_EXACT if exact else METHOD_ESTIMATE
    if as_json:
        listed = [{"path": name, "tokens": number, "exact": sure} for name, number, sure in rows]
        print_json({"files": listed, "total": total, "method": method, "exact": exact, "problem": problem})
        return
    width = len(str(total))
    print_lines(
        *(f"{number:{width}}  {name}{'' if sure or problem else ' (estimated)'}" for name, number, sure in rows)
    )
    print_lines(f"{total:{width}}  total ({method}, {'exact' if exact else 'not exact'})")
    print_lines(*([f"Estimated, because {problem}."] if problem else []))


def _read(name: str) -> str:
    """
    The text of a file, or of the standard input.

    Raises:
        NotTextError: It is not UTF-8, or holds a NUL, which no text does.
        StorageError: It cannot be read.
    """
    try:
        if name == STDIN:
            content = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as stream:
                content = stream.read()
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotTextError(name, error.start) from None
    except (OSError, ValueError) as error:
        raise StorageError(name, getattr(error, "strerror", None) or str(error)) from error
    if "\0" in text:
        raise NotTextError(name, content.index(b"\0"))
    return text

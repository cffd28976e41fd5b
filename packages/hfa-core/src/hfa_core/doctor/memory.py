"""The examination of a memory's own files: what verification finds, git's settings, leftovers; and what mends them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from hfa_core.doctor.derived import REBUILT, check_derived
from hfa_core.doctor.git import read_committed
from hfa_core.doctor.repair import APPLY, Diagnosis, Repair, diagnose
from hfa_core.doctor.worktrees import check_worktrees
from hfa_core.errors import HfaError
from hfa_core.fs.layout import Layout
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.findings import Finding
from hfa_core.index.problem import Problem
from hfa_core.index.verify import verify_memory
from hfa_core.store.chunks import id_of_file
from hfa_core.store.config import parse_config, read_config
from hfa_core.store.create import GITATTRIBUTES, GITIGNORE
from hfa_core.store.directory import parse_directory, read_directory
from hfa_core.store.directory_edit import read_directory_text
from hfa_core.store.nodes import plan_activation
from hfa_core.store.schema import parse_chunk
from hfa_core.transaction.recover import list_staged
from hfa_core.upgrade.seed import is_seed

_INDEX_CODES = ("index_damaged", "index_wrong")


def examine_memory(layout: Layout) -> Iterator[Diagnosis]:
    """Everything that is wrong with a memory or worth knowing, each with what would mend it. It changes nothing."""
    if is_seed(layout):
        text = f"{layout.root} is a memory of an earlier form, which this version does not read"
        fix = "hfa upgrade --dry-run shows the way, hfa upgrade goes it and keeps a copy of every file"
        yield Diagnosis(Finding("format_older", "error", text, fix), layout.config)
        return
    newer = is_newer(layout)
    for problem in verify_memory(layout):
        mendable = not newer or problem.code in _INDEX_CODES
        repairs = tuple(_find_repairs(layout, problem)) if mendable else ()
        fix = f"{APPLY}; or {problem.fix}" if repairs and problem.fix else problem.fix
        finding = Finding(problem.code, problem.severity, f"{problem.path}: {problem.text}", fix)
        yield Diagnosis(finding, problem.path, repairs)
    yield from check_derived(layout, with_pages=not newer)
    if not newer:
        yield from _check_git_files(layout)
        yield from _check_staged(layout)
    yield from check_worktrees(layout)


def is_newer(layout: Layout) -> bool:
    """Whether a newer HFA made the memory, so that nothing in it but the index may be written."""
    try:
        return read_config(layout).is_newer
    except HfaError:
        return False


def _find_repairs(layout: Layout, problem: Problem) -> Iterator[Repair]:
    """What mends a problem without judgement: a record is written once, so its committed bytes are the right ones."""
    if problem.code in _INDEX_CODES:
        yield Repair("rebuild", layout.database, REBUILT)
    elif problem.code == "main_line_unclear":
        restore = _is_unreadable(layout.directory)
        yield from _plan_restore(layout, layout.directory) if restore else _plan_only_main(layout)
    elif problem.code == "journal_open":
        yield Repair("finish", layout.journal, "the operation that it decided is finished")
    elif problem.code in ("memory_damaged", "unsupported_format"):
        is_record = os.path.dirname(problem.path) == layout.chunks
        if is_record or (problem.path in (layout.config, layout.directory) and _is_unreadable(problem.path)):
            yield from _plan_restore(layout, problem.path)


def _plan_restore(layout: Layout, path: str) -> Iterator[Repair]:
    """The committed bytes of a file of truth, if they are sound; without git nobody can say what it should hold."""
    data = read_committed(path)
    if data is not None and _is_sound(layout, path, data):
        yield Repair("write", path, "gets the bytes that git has of it", data)
        yield Repair("rebuild", layout.database, REBUILT)


def _is_sound(layout: Layout, path: str, data: bytes) -> bool:
    try:
        if path == layout.config:
            parse_config(data.decode(), path)
        elif path == layout.directory:
            parse_directory(data.decode(), path).active_main(path)
        else:
            return parse_chunk(data, path).id == id_of_file(os.path.basename(path))
    except (HfaError, UnicodeDecodeError):
        return False
    return True


def _is_unreadable(path: str) -> bool:
    """Whether nothing a person wrote is left in a file: missing, empty, or no text. A slip of the pen is theirs."""
    try:
        text = read_bytes(path).decode()
    except (FileNotFoundError, UnicodeDecodeError):
        return True
    except OSError:
        return False
    return not text.strip() or "\0" in text


def _plan_only_main(layout: Layout) -> Iterator[Repair]:
    """Where no main line is active and only one can be, it is made so."""
    directory = read_directory(layout)
    choices = directory.main_lines()
    if len(choices) == 1 and not directory.active_mains():
        text = read_directory_text(layout)
        for path, data in plan_activation(layout, directory, text, choices[0]).items():
            yield Repair("write", path, f"is the page of {choices[0].id}, which was missing", data)
        told = f"{choices[0].id} becomes ACTIVE, being the only main line that can"
        yield Repair("write", layout.directory, told, text.render())
        yield Repair("rebuild", layout.database, REBUILT)


def _check_git_files(layout: Layout) -> Iterator[Diagnosis]:
    """The lines that keep derived and private files out of git, and let generated pages merge."""
    for name, text in ((".gitignore", GITIGNORE), (".gitattributes", GITATTRIBUTES)):
        path = os.path.join(layout.root, name)
        try:
            data = read_bytes(path)
        except FileNotFoundError:
            data = b""
        except OSError:
            continue
        present = {line.strip() for line in data.decode("utf-8", "replace").splitlines()}
        missing = [line for line in text.splitlines() if line not in present]
        if missing:
            told = f"lacks {', '.join(f'`{line}`' for line in missing)}"
            joint = b"\n" if data and not data.endswith(b"\n") else b""
            whole = data + joint + "".join(f"{line}\n" for line in missing).encode()
            yield diagnose("git_lines_missing", "warning", path, told, Repair("write", path, "gets these lines", whole))


def _check_staged(layout: Layout) -> Iterator[Diagnosis]:
    """Temporary files without a journal: of a write that is under way, or that never happened."""
    if os.path.exists(layout.journal):
        return
    for path in list_staged(layout):
        text = "is left of a write that is under way, or was interrupted before it counted"
        repair = Repair("tidy", path, "is cleared away, under the lock that shows that no writer is at work")
        yield diagnose("staged_leftover", "info", path, text, repair)

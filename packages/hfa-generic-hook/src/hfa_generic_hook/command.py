"""The questions that `hfa-hook` answers: what to put into a host's settings, and whether a file is right."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import hfa_core
from hfa_core.errors import HfaError
from hfa_core.fs.reading import read_bytes
from hfa_core.hosts.json_text import Json
from hfa_generic_hook.hooks_file import find_faults
from hfa_generic_hook.install import print_hooks
from hfa_generic_hook.profile import list_profiles, read_profile

_EXAMPLES = """\
examples:
  hfa-hook --print-hooks antigravity --memory-dir memory
  hfa-hook --print-hooks my-host.json
  hfa-hook --check my-host.json
  hfa-hook --check-hooks ~/.gemini/config/hooks.json
  hfa-hook antigravity PreInvocation < payload.json      (what a host runs)
  hfa-hook --profile my-host.json Stop < payload.json
"""


def run(words: Sequence[str]) -> int:
    """Answer one question on stdout; the exit code, 1 for a file with faults, else that of the error."""
    parser = argparse.ArgumentParser(
        prog="hfa-hook",
        description="The hook of any host that a profile describes.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    question = parser.add_mutually_exclusive_group()
    question.add_argument("--print-hooks", metavar="PROFILE", help="print the hooks for a host's settings")
    question.add_argument("--check", metavar="FILE", help="check a profile of your own")
    question.add_argument("--check-hooks", metavar="FILE", help="check a hooks file against a host's form")
    question.add_argument("--list", action="store_true", help="list the profiles that are shipped")
    parser.add_argument("--memory-dir", metavar="DIR", default="", help="the memory, for --print-hooks")
    parser.add_argument("--host", metavar="PROFILE", default="antigravity", help="whose form, for --check-hooks")
    asked = parser.parse_args(words or ["--help"])
    try:
        return _answer(asked)
    except HfaError as error:
        sys.stderr.write(f"hfa-hook: {error}\n")
        return error.exit_code


def _answer(asked: argparse.Namespace) -> int:
    if asked.list:
        sys.stdout.write("".join(f"{name}\n" for name in list_profiles()))
    elif asked.check:
        profile = read_profile(os.path.abspath(asked.check))
        sys.stdout.write(f"{asked.check} describes {profile.title}: {', '.join(profile.events)}\n")
    elif asked.check_hooks:
        return _check_hooks(asked.check_hooks, asked.host)
    else:
        name = os.path.abspath(asked.print_hooks) if asked.print_hooks.endswith(".json") else asked.print_hooks
        memory_dir = os.path.abspath(asked.memory_dir) if asked.memory_dir else ""
        hooks = print_hooks(read_profile(name), name, Path(sys.executable), import_roots(), memory_dir)
        sys.stdout.write(json.dumps(hooks, indent=2, ensure_ascii=False) + "\n")
    return 0


def import_roots() -> tuple[Path, ...]:
    """The folders that this process imports HFA from."""
    files = (Path(__file__), Path(str(hfa_core.__file__)))
    return tuple(dict.fromkeys(file.resolve().parents[1] for file in files))


def _check_hooks(path: str, host: str) -> int:
    try:
        document: Json = json.loads(read_bytes(path))
    except (OSError, ValueError) as error:
        faults = [f"cannot be read as JSON ({error})"]
    else:
        faults = find_faults(document, read_profile(host))
    for fault in faults:
        sys.stdout.write(f"{path}: {fault}\n")
    return 1 if faults else 0

"""The documents held to the truth: generated files are current, links lead somewhere, named files exist.

python scripts/check_docs.py            check; 1 if something is wrong
python scripts/check_docs.py --write    bring the generated files up to date
"""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from typer import Typer
from typer.testing import CliRunner

from hfa_claude import plugin_folder
from hfa_core import errors
from hfa_core.cli.app import build_app
from hfa_generic_hook import antigravity_plugin

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
NAMED_FILE = re.compile(r"`((?:packages|docs|scripts|tests|benchmarks|memory)/[\w./-]+)`")


def render_exit_codes() -> str:
    """The table of exit codes, from the error classes."""
    rows = ["| code | error | when |", "| --- | --- | --- |", "| 0 | | all went well |", "| 2 | | wrong usage |"]
    classes = [one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, errors.HfaError)]
    for one in sorted(classes, key=lambda one: one.exit_code):
        first_line = (one.__doc__ or "").strip().splitlines()[0]
        rows.append(f"| {one.exit_code} | `{one.__name__}` | {first_line} |")
    return "# Exit codes\n\nGenerated from `hfa_core.errors`; a code is never reused.\n\n" + "\n".join(rows) + "\n"


def list_commands(app: Typer) -> Iterator[str]:
    """The names of the commands, such as `node add`; those of a group follow the single ones."""
    yield from (command.name or "" for command in app.registered_commands if not command.hidden)
    for group in app.registered_groups:
        yield from (f"{group.name} {name}" for name in list_commands(group.typer_instance or Typer()))


def render_command_line() -> str:
    """The help of every command."""
    runner = CliRunner(env={"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"})
    app = build_app()
    pages = ["# The `hfa` command\n\nGenerated from its own help.\n"]
    for name in list_commands(app):
        result = runner.invoke(app, [*name.split(), "--help"], prog_name="hfa", terminal_width=100)
        help_text = "\n".join(line.rstrip() for line in result.output.strip().splitlines())
        pages.append(f"## hfa {name}\n\n```text\n{help_text}\n```\n")
    return "\n".join(pages)


def render_generated() -> dict[Path, str]:
    """Every generated file with its content."""
    files = {
        DOCS / "reference" / "exit-codes.md": render_exit_codes(),
        DOCS / "reference" / "cli.md": render_command_line(),
        ROOT / ".claude-plugin" / "marketplace.json": plugin_folder.render_marketplace(),
    }
    # Without the extra `mcp` there is nothing to ask.
    if find_spec("mcp") is not None:
        from mcp_reference import render_mcp_reference

        files[DOCS / "reference" / "mcp.md"] = render_mcp_reference()
    for name, text in plugin_folder.render_plugin().items():
        files[ROOT / plugin_folder.FOLDER / name] = text
    for name, text in antigravity_plugin.render_plugin().items():
        files[ROOT / name] = text
    return files


def list_faults() -> Iterator[str]:
    """Everything that is wrong, a line each."""
    for path, text in render_generated().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield f"{path.relative_to(ROOT)} is behind: run `python scripts/check_docs.py --write`"
    pages = [*DOCS.rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("packages/*/README.md")]
    for page in sorted(pages):
        text = page.read_text(encoding="utf-8")
        for target in LINK.findall(text):
            if "://" not in target and not (page.parent / target).exists():
                yield f"{page.relative_to(ROOT)}: the link {target} leads nowhere"
        for name in NAMED_FILE.findall(text):
            if not (ROOT / name).exists():
                yield f"{page.relative_to(ROOT)}: names {name}, which does not exist"
    verified = subprocess.run(
        [str(Path(sys.executable).with_name("hfa")), "reindex", "--verify", "--memory-dir", str(ROOT / "memory")],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if verified.returncode:
        yield f"memory/: {verified.stdout.strip()} {verified.stderr.strip()}"


def main() -> int:
    """Check, or write; the exit code."""
    if "--write" in sys.argv[1:]:
        for path, text in render_generated().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    faults = list(list_faults())
    for fault in faults:
        print(fault)
    print("docs: " + (f"{len(faults)} fault(s)" if faults else "all current"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

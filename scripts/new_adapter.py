"""A new adapter package from the template, which passes the conformance suite at once.

python scripts/new_adapter.py NAME [--title TITLE] [--into FOLDER]
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = ROOT / "templates" / "adapter"
NAME = re.compile(r"[a-z][a-z0-9]{1,30}")
TAKEN = ("core",)


def make_adapter(name: str, title: str, folder: Path) -> list[Path]:
    """
    Write the package into a folder; gives the files.

    Raises:
        ValueError: The name is not a word, or taken.
        FileExistsError: The folder is there. Nothing was written.
    """
    if not NAME.fullmatch(name) or name in TAKEN:
        raise ValueError(f"{name!r} must be a word of small letters and digits, such as `windsurf`")
    folder.mkdir(parents=True)
    written: list[Path] = []
    for source in sorted(path for path in TEMPLATE.rglob("*") if path.suffix in (".py", ".toml", ".md")):
        target = folder / str(source.relative_to(TEMPLATE)).replace("newhost", name)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8").replace("newhost", name)
        # In code the title is a class name, too.
        text = text.replace("NewhostAdapter", f"{name.capitalize()}Adapter").replace(
            "TestNewhost", f"Test{name.capitalize()}"
        )
        target.write_text(text.replace("Newhost", title), encoding="utf-8")
        written.append(target)
    return written


def main() -> int:
    """Make one; the exit code."""
    parser = argparse.ArgumentParser(description="A new adapter package from the template.")
    parser.add_argument("name", help="the host's word on the command line, such as windsurf")
    parser.add_argument("--title", default="", help="the host's name for people")
    parser.add_argument("--into", default="", help="the folder of the package; else packages/hfa-NAME")
    asked = parser.parse_args()
    folder = Path(asked.into) if asked.into else ROOT / "packages" / f"hfa-{asked.name}"
    try:
        written = make_adapter(asked.name, asked.title or asked.name.capitalize(), folder)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"new-adapter: {error}\n")
        return 1
    for path in written:
        print(path)
    print(f"Next: pip install -e {folder} && cd {folder} && python -m pytest")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The program that an installed command runs: it reaches an adapter's hook, and whatever fails, no host is blocked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hfa_core.hosts.findings import Finding

_ROOTS_LINE = re.compile(r"sys\.path \+= (\[.*\])$", re.MULTILINE)

# Hosts bind trust to the command, so these lines stay as they are in every release. The roots go to the end of the
# search path, where nothing in them can shadow the standard library. A hook that has replied says so in `replied`,
# so that a fault after it brings no second reply. Collecting garbage while a short process loads costs it a fifth of an
# interpreter start and frees nothing. The process ends without an orderly shutdown because flushing to a
# closed pipe would turn into exit code 120.
_BOOT = """\
{owner}: whatever fails here, the host gets an empty reply and goes on.
import gc, os, sys
try:
    try:
        gc.disable()
        sys.path += {roots}
        from {package} import hook
        hook.main(sys.argv[1:])
    except SystemExit as end:
        if end.code:
            raise
    sys.stdout.flush()
except BaseException:
    if not getattr(sys.modules.get("{package}.hook"), "replied", False):
        os.write(1, b"{{}}\\n")
finally:
    os._exit(0)
"""


def render_boot(package: str, owner: str, import_roots: Sequence[Path]) -> str:
    """
    The program that the installed command runs with `python -I -S -c`.

    It runs `PACKAGE.hook.main([host, event])` and, whatever happens, ends with exit code 0: a missing package must not
    end with 2, which hosts read as "block".

    Args:
        package: The adapter's package.
        owner: The comment that begins the program, and tells it from other people's.
        import_roots: Absolute folders to import from.
    """
    # Escaped to ASCII, because an interpreter in a foreign locale decodes its command line by that locale.
    return _BOOT.format(package=package, owner=owner, roots=ascii([str(root) for root in import_roots]))


def check_boot(package: str, path: Path, command: str, boot: str, again: str) -> Iterator[Finding]:
    """
    What a command of `render_boot` needs and no longer finds; errors, since its hooks answer with nothing then.

    Args:
        package: The adapter's package.
        path: The settings that hold the command.
        command: The interpreter in it.
        boot: The program in it.
        again: The step that writes it anew.
    """
    if not Path(command).is_file():
        text = f"{path} starts {command}, which no longer exists, so HFA's hooks do nothing"
        yield Finding("interpreter_missing", "error", text, again)
    roots = _roots_of(boot)
    gone = [root for root in roots if not Path(root).is_dir()]
    if gone:
        text = f"{path} imports HFA from {', '.join(gone)}, which no longer exists, so HFA's hooks do nothing"
        yield Finding("root_missing", "error", text, again)
    elif not any((Path(root) / package).is_dir() for root in roots):
        text = f"{path} imports HFA from {', '.join(roots) or 'nowhere'}, where it no longer is"
        yield Finding("package_missing", "error", text, again)


def _roots_of(boot: str) -> list[str]:
    line = _ROOTS_LINE.search(boot)
    try:
        literal = ast.parse(line[1], mode="eval").body if line else None
    except (ValueError, SyntaxError):
        return []
    parts = (
        [part.value for part in literal.elts if isinstance(part, ast.Constant)] if isinstance(literal, ast.List) else []
    )
    return [part for part in parts if isinstance(part, str)]

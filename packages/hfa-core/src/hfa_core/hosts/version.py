"""What release of a host would start here, as the host itself says it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping

LIMIT_S = 10.0
"""choice: a host in JavaScript takes one to three seconds to say its version on a slow machine."""

_VERSION = re.compile(r"\d+(?:\.\d+)+(?:[-+][\w.+-]+)?")


def ask_version(command: str, env: Mapping[str, str]) -> str:
    """
    The first version number in what `COMMAND --version` prints; empty if there is no such command, it fails, says none,
    or takes longer than `LIMIT_S` seconds.

    Args:
        command: The host's command, looked for on `PATH` of `env`.
        env: The environment of the process.
    """
    path = shutil.which(command, path=env.get("PATH", ""))
    if path is None:
        return ""
    try:
        done = subprocess.run(
            [path, "--version"],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = _VERSION.search(done.stdout.decode("utf-8", "replace"))
    return found[0] if found and done.returncode == 0 else ""

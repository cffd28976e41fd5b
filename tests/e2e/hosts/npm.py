"""The npm packages of the hosts: pinned, and installed once into the project's cache."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).resolve().parents[3] / ".cache" / "e2e"
TIMEOUT_S = 240
MARKER = "installed-pin.txt"


@dataclass(frozen=True)
class Pin:
    """One package at one version; `executable` is relative to the package's npm prefix."""

    package: str
    version: str
    executable: str

    @property
    def spec(self) -> str:
        return f"{self.package}@{self.version}"


# A package that ships the Node binary: hosts ask for a newer Node than many machines have, and then
# `npm install` takes an old release of the host without a word.
NODE = Pin("node", "22.23.3", "node_modules/node/bin/node")


class InstallError(Exception):
    """A host cannot be had on this machine. A half-made installation is made anew by the next run."""


def ensure_installed(name: str, pin: Pin) -> Path:
    """
    The executable of `pin`, in a prefix of its own called `name`; nothing is fetched if that pin is there already.

    Raises:
        InstallError: npm is absent, refuses, or takes too long, or what it installed does not start.
    """
    prefix, marker = CACHE / name, CACHE / name / MARKER
    with _one_at_a_time():
        if not marker.is_file() or marker.read_text(encoding="utf-8") != pin.spec:
            shutil.rmtree(prefix, ignore_errors=True)
            prefix.mkdir(parents=True)
            _npm_install(prefix, pin)
            _check_starts(prefix / pin.executable, pin)
            # Written last: an installation that was interrupted has no marker.
            marker.write_text(pin.spec, encoding="utf-8")
    return prefix / pin.executable


@contextmanager
def _one_at_a_time() -> Generator[None, None, None]:
    """Two test runs on one machine, or two workers of one run, share the cache."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _npm_install(prefix: Path, pin: Pin) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise InstallError(f"npm is not installed, and {pin.spec} comes from npm")
    # The user's own npm settings choose where packages come from; two of them would leave out the host's binary.
    flags = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts=false", "--include=optional"]
    _check_run([npm, "install", "--prefix", str(prefix), *flags, pin.spec], prefix, f"npm cannot install {pin.spec}")


def _check_starts(executable: Path, pin: Pin) -> None:
    said = _check_run([str(executable), "--version"], executable.parent, f"{pin.spec} does not start")
    if pin.version not in said:
        raise InstallError(f"{pin.spec} says it is version {said.strip()}")


def _check_run(command: list[str], folder: Path, complaint: str) -> str:
    """What the command printed."""
    path = os.pathsep.join([str((CACHE / "node" / NODE.executable).parent), os.environ.get("PATH", os.defpath)])
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{complaint}: {error}") from error
    if done.returncode != 0:
        raise InstallError(f"{complaint} (exit {done.returncode}): {done.stdout[-500:]}")
    return done.stdout

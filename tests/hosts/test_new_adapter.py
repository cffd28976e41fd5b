"""The template for adapters: what it makes installs, registers, passes the suite and serves a hook, with no change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.new_adapter import make_adapter

PACKAGES = Path(__file__).resolve().parents[2] / "packages"


def run(*command: str, cwd: Path, site: Path, home: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A process that sees the package as an installation shows it: importable, and with its entry points."""
    paths = [str(site), *(str(path) for path in sorted(PACKAGES.glob("*/src")))]
    env = {
        "PATH": os.pathsep.join([str(home / "bin"), os.environ["PATH"]]),
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join(paths),
        "HFA_USER_DIR": str(home / "state"),
    }
    return subprocess.run(
        command, cwd=cwd, env=env, input=stdin, capture_output=True, encoding="utf-8", check=False, timeout=300
    )


@pytest.mark.slow
def test_a_package_from_the_template_is_installed_registered_tested_and_serves_a_hook(tmp_path: Path) -> None:
    package, site, home, project = (tmp_path / name for name in ("hfa-windsong", "site", "home", "project 项目"))
    make_adapter("windsong", "Windsong", package)
    for folder in (home, project / ".git"):
        folder.mkdir(parents=True)
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", str(site)]
    if subprocess.run([*install, str(package)], capture_output=True, check=False).returncode:
        # Without the build backend, as on a machine that is offline: what an installation would have written.
        info = site / "hfa_windsong-0.1.0.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hfa-windsong\nVersion: 0.1.0\n")
        (info / "entry_points.txt").write_text("[hfa]\nwindsong = hfa_windsong.plugin\n")
        (package / "src" / "hfa_windsong").rename(site / "hfa_windsong")

    # The console script as an installation into an environment would make it.
    script = home / "bin" / "hfa-windsong"
    script.parent.mkdir()
    roots = os.pathsep.join([str(site), *(str(path) for path in sorted(PACKAGES.glob("*/src")))])
    program = "from hfa_windsong.hook import console; console()"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{roots}" exec "{sys.executable}" -c "{program}" "$@"\n')
    script.chmod(0o755)

    hfa = (sys.executable, "-c", "from hfa_core.cli import main; main()")
    listed = run(*hfa, "plugins", "--json", cwd=project, site=site, home=home)
    assert "windsong" in [host["name"] for host in json.loads(listed.stdout)["hosts"]], listed
    tested = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=package, site=site, home=home)
    assert tested.returncode == 0, tested.stdout
    assert " passed" in tested.stdout

    assert run(*hfa, "init", cwd=project, site=site, home=home).returncode == 0
    fields = ("--title", "Ports", "--hit-words", "port,端口", "--conclusion", "Port 9090. 用 9090。")
    assert run(*hfa, "remember", *fields, cwd=project, site=site, home=home).returncode == 0
    assert run(*hfa, "install", "windsong", cwd=project, site=site, home=home).returncode == 0
    hooks = json.loads((home / ".windsong" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    payload = json.dumps({"session_id": "s", "cwd": str(project), "prompt": "which port? 端口"})
    told = run("sh", "-c", hooks["UserPromptSubmit"][0]["command"], cwd=tmp_path, site=site, home=home, stdin=payload)
    assert (told.returncode, told.stderr) == (0, "")
    assert "用 9090。" in json.loads(told.stdout)["additional_context"]


@pytest.mark.parametrize("name", ["", "Two Words", "core", "../x", "风"])
def test_a_name_that_is_no_word_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="must be a word"):
        make_adapter(name, "X", tmp_path / "new")

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        make_adapter("windsong", "Windsong", tmp_path)

    assert list(tmp_path.iterdir()) == []

"""Secrets that stand in files already: found, named by place and kind, never shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hfa_core.fs.layout import Layout
from tests.payloads.hfa_command import Hfa

SECRET = "gh" + "p_" + "a1B2" * 9


@pytest.fixture
def leaky(memory: Layout, add: Callable[..., str]) -> Path:
    """A record into which somebody wrote a secret by hand; its file."""
    path = Path(memory.chunk(add("Deploy token 部署令牌", hit_words=("deploy", "部署"))))
    document = json.loads(path.read_bytes())
    document["conclusion"] = ["Fine.", f"用 {SECRET} 登录。"]
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2), encoding="utf-8")
    return path


def test_a_memory_without_secrets_is_clean(hfa: Hfa, memory: Layout, add: Callable[..., str]) -> None:
    add("令牌每天轮换 tokens rotate daily")

    assert hfa("scan").out == "No secret was found.\n"
    assert hfa("verify", "--secrets", "--json").json["ok"] is True


@pytest.mark.parametrize("command", [("scan",), ("verify", "--secrets")], ids=["scan", "verify"])
def test_a_secret_in_a_record_is_named_by_field_and_kind_and_never_shown(
    hfa: Hfa, leaky: Path, command: tuple[str, ...]
) -> None:
    done = hfa(*command)

    assert done.code == 50
    assert f"{leaky}: conclusion.1 holds what looks like a secret (github)" in done.out
    assert SECRET not in done.out + done.err
    document = hfa(*command, "--json").json
    assert document["ok"] is False
    assert SECRET not in str(document)


def test_every_file_of_a_memory_is_looked_at(hfa: Hfa, memory: Layout) -> None:
    note = Path(memory.root) / "history" / "legacy-backups" / "old.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(f"one\n密码是 {SECRET}\n", encoding="utf-8")

    assert f"{note}: line 2 holds" in hfa("scan").out


def test_verify_looks_for_secrets_only_where_it_is_asked_to(hfa: Hfa, memory: Layout) -> None:
    directory = Path(memory.directory)
    directory.write_text(directory.read_text(encoding="utf-8") + f"\n{SECRET}\n", encoding="utf-8")

    assert "secret_found" not in hfa("verify").out
    assert "secret_found" in hfa("verify", "--secrets").out


def test_files_are_looked_at_by_name_and_one_that_is_not_there_is_an_error(hfa: Hfa, project: Path) -> None:
    (project / "a.env").write_text(f"TOKEN={SECRET}\n")
    (project / "b.json").write_text(json.dumps({"db": {"password": "s3cr3t-Hunter2"}, "名": "好"}))
    done = hfa("scan", "a.env", "b.json")

    assert done.code == 50
    assert "a.env: line 1 holds" in done.out
    assert "b.json: db.password holds" in done.out
    assert "Hunter2" not in done.out
    assert hfa("scan", "missing.txt").code == 41


def test_a_commit_is_refused_for_what_is_staged_not_for_what_lies_there(
    hfa: Hfa, project: Path, git: Callable[..., str]
) -> None:
    path = project / "配置.txt"
    path.write_text(f"key {SECRET}\n", encoding="utf-8")
    assert hfa("scan", "--staged").code == 0
    git("add", ".")
    path.write_text("clean\n", encoding="utf-8")
    done = hfa("scan", "--staged")

    assert done.code == 50
    assert "line 1 holds what looks like a secret (github)" in done.out
    git("add", ".")
    assert hfa("scan", "--staged").code == 0


def test_without_git_the_staged_files_cannot_be_told(hfa: Hfa, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = hfa("scan", "--staged")

    assert (done.code, "git" in done.err) == (41, True)

"""The main job on real input, offline: this repository's own memory, recorded payloads, the command as installed.

    make demo

It works in a temporary folder with a home of its own; nothing of the user's is read or changed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAYLOADS = ROOT / "tests" / "payloads" / "claude-2.1.332"
HFA = Path(sys.executable).with_name("hfa")

SETTINGS = """{
  "model": "opus",
  "hooks": {
    "UserPromptSubmit": [ {"hooks": [{"type": "command", "command": "echo a hook of yours"}]} ]
  }
}
"""
"""Settings that a user had before, with a hook of their own and a layout no JSON library writes."""

BLOCK = """Done: the nightly job now keeps seven copies.

```hfa-memory
title: Nightly backups keep seven copies
hit_words: nightly backup, retention
conclusion: The backup job keeps seven nightly copies and deletes older ones; a restore was tested from the oldest.
```
"""


class Demo:
    """A scratch project of one user, and what is played in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "my project"
        self.settings = self.home / ".claude" / "settings.json"
        git = Path(shutil.which("git") or "git")
        self.environment = {"PATH": f"{git.parent}{os.pathsep}{os.defpath}", "HOME": str(self.home), "LANG": "C.UTF-8"}
        for path in (self.settings.parent, self.project):
            path.mkdir(parents=True)
        self.settings.write_text(SETTINGS, encoding="utf-8")
        shutil.copytree(ROOT / "memory", self.project / "memory", ignore=shutil.ignore_patterns("index", ".hfa.lock"))
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("-c", "user.name=dev", "-c", "user.email=dev@example.invalid", "commit", "--quiet", "-m", "start")

    def run(self, *command: str, data: bytes = b"") -> str:
        """What a command prints in the project; it has to succeed."""
        done = subprocess.run(
            command, cwd=self.project, env=self.environment, input=data, stdout=subprocess.PIPE, check=True
        )
        return done.stdout.decode()

    def hfa(self, *arguments: str) -> str:
        """What an `hfa` command prints."""
        return self.run(str(HFA), *arguments)

    def git(self, *arguments: str) -> str:
        """What git prints."""
        return self.run("git", *arguments)

    def play(self, event: str, turn: str, **fields: str) -> str:
        """Send a recorded payload, with these fields, to the command that the settings file names for its event."""
        payload = json.loads((PAYLOADS / f"{event}.json").read_text(encoding="utf-8"))
        payload |= {"cwd": str(self.project), "prompt_id": turn, **fields}
        groups = json.loads(self.settings.read_text(encoding="utf-8"))["hooks"][event]
        handler = groups[-1]["hooks"][0]
        return self.run(handler["command"], *handler["args"], data=json.dumps(payload).encode())

    def prompt(self, turn: str, text: str) -> None:
        """Play a prompt and show what is injected, why, and its tokens."""
        say(f"> {text}")
        reply = json.loads(self.play("UserPromptSubmit", turn, prompt=text))
        if not reply:
            say("  injected: nothing (0 tokens)", "")
            return
        say("  injected:", indent(reply["hookSpecificOutput"]["additionalContext"]))
        receipt = self.receipts()[-1]
        for chunk_id, words in zip(receipt["ids"], receipt["match"], strict=True):
            say(f"  why {chunk_id}: {', '.join(words)}")
        say(
            f"  cost: {receipt['tokens']} tokens ({'exact' if receipt['exact'] else 'estimated'}), "
            f"{receipt['ms']} ms in the hook",
            "",
        )

    def receipts(self) -> list[dict[str, list[list[str]]]]:
        """The receipts so far, oldest first."""
        [path] = self.home.glob(".local/state/hfa/*/receipts.jsonl")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def say(*lines: str) -> None:
    """Print lines at once, so that they stand in order with what commands print."""
    print(*lines, sep="\n", flush=True)


def indent(text: str) -> str:
    """`text` set off from what surrounds it."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def heading(text: str) -> None:
    """The title of a step."""
    say(f"── {text} " + "─" * max(2, 76 - len(text)), "")


def main() -> None:
    """Play the demo; a step that fails ends it with an error."""
    with tempfile.TemporaryDirectory(prefix="hfa-demo-") as folder:
        demo = Demo(Path(folder))
        heading("1. Install into Claude Code's settings")
        say(demo.hfa("install", "claude").replace(folder, "~"))
        heading("2. A session, through the commands exactly as the settings file has them")
        say("A session starts.", "  the host is told:")
        started = json.loads(demo.play("SessionStart", ""))
        say(indent(started["hookSpecificOutput"]["additionalContext"]), "")
        demo.prompt("turn-1", "How do we keep chunk ids apart when two branches are merged?")
        demo.prompt("turn-2", "索引用 WAL 还是回滚日志？")
        demo.prompt("turn-3", "ok, continue")
        demo.prompt("turn-4", "How long do we keep a nightly backup?")
        heading("3. The agent ends a turn with a decision")
        demo.play("Stop", "turn-4", last_assistant_message=BLOCK)
        demo.git("add", "--intent-to-add", "memory")
        diff = demo.git("diff", "--", "memory/chunks").splitlines()
        say("$ git diff memory/chunks", *(f"  {line}" for line in diff if not line.startswith("index")), "")
        heading("4. The next prompt about it")
        demo.prompt("turn-5", "How long do we keep a nightly backup?")
        heading("5. Uninstall")
        say(demo.hfa("uninstall", "claude").replace(folder, "~").rstrip())
        same = demo.settings.read_text(encoding="utf-8") == SETTINGS
        say(f"settings.json is as it was before, byte for byte: {same}")
        if not same:
            raise SystemExit("demo: the settings were not restored")


if __name__ == "__main__":
    main()

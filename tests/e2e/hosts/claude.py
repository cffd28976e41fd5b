"""Claude Code: its pin, its environment, its command line, and where it shows a hook's context to the model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.anthropic_wire import as_object
from tests.e2e.hosts.npm import NODE, Pin, ensure_installed
from tests.e2e.script import Request

PIN = Pin("@anthropic-ai/claude-code", "2.1.332", "node_modules/.bin/claude")


@dataclass(frozen=True)
class Claude:
    """An installed Claude Code, started with these options, too."""

    executable: Path
    tools: tuple[Path, ...]
    options: tuple[str, ...] = ()

    def command(self, prompt: str, *, resume: bool) -> list[str]:
        """One headless turn: of a new session, or of the workspace's latest one."""
        flags = ["--permission-mode", "bypassPermissions", "--output-format", "json"]
        return [str(self.executable), "-p", prompt, *flags, *self.options, *(["--continue"] if resume else [])]

    def environment(self, home: Path, model_url: str) -> dict[str, str]:
        """What comes on top of the empty base environment."""
        return {
            "ANTHROPIC_BASE_URL": model_url,
            "ANTHROPIC_API_KEY": "not-a-key",
            "CLAUDE_CONFIG_DIR": str(home / ".claude"),
            # Continuous integration often runs as root, where bypassPermissions is refused without this.
            "IS_SANDBOX": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }

    def settings_file(self, home: Path) -> Path:
        """The file into which hooks of user scope are installed."""
        return home / ".claude" / "settings.json"

    def answer(self, stdout: str) -> str:
        """The final answer that the host hands to its user."""
        return str(as_object(json.loads(stdout)).get("result"))

    def contexts(self, request: Request, event: str) -> list[str]:
        """
        What the hooks of one event had the model told in this request, in order.

        Claude Code writes it into messages of role `system` amid the conversation, in one text with its own remarks;
        the one that follows a first prompt's context is cut off here. Seen in 2.1.332.
        """
        label = f"{event} hook additional context: "
        told = [rest for text in request.texts() for rest in text.split(label)[1:]]
        return [rest.partition("\n\nToday's date is ")[0] for rest in told]


def ensure_claude() -> Claude:
    """
    Claude Code at its pin, fetched if need be.

    Raises:
        InstallError: It cannot be had on this machine.
    """
    node = ensure_installed("node", NODE)
    return Claude(ensure_installed("claude", PIN), tools=(node.parent,))

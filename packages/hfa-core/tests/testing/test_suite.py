"""The suite for adapters fails where an adapter is at fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAD = """
import json, os, subprocess
from dataclasses import replace
import pytest
from hfa_claude.plugin import ClaudeAdapter
from hfa_claude import wire
from hfa_core.hosts.edits import JsonEntry
from hfa_core.model import HookReply
from hfa_core.testing import HostAdapterSuite

class Adapter(ClaudeAdapter):
{body}

class TestAdapter(HostAdapterSuite):
    @pytest.fixture
    def adapter(self):
        return Adapter()
"""

FAULTS = {
    "test_planning_touches_no_file": """
    def plan_install(self, request):
        (request.places.home / "touched").write_text("")
        return super().plan_install(request)
""",
    "test_after_an_installation_every_event_has_its_command_and_a_second_one_changes_nothing": """
    events = ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd", "PreCompact")
""",
    "test_a_file_that_a_team_commits_names_no_path_of_one_person": """
    def plan_install(self, request):
        mine = replace(request, scope="user")
        path = request.places.project_root / ".claude" / "settings.json"
        return [replace(edit, path=path) for edit in super().plan_install(mine)]
""",
    "test_a_missing_or_wrong_or_unknown_field_is_no_failure": """
    def parse_event(self, host_event, payload):
        payload["session_id"]
        return super().parse_event(host_event, payload)
""",
    "test_an_event_that_the_host_does_not_have_is_none_of_ours": """
    def parse_event(self, host_event, payload):
        return super().parse_event(host_event or "Stop", payload)
""",
    "test_a_reply_is_one_json_object_on_one_line_and_holds_the_context_where_the_host_takes_it": """
    def render_reply(self, event, reply):
        return json.dumps({"context": reply.context}, indent=1).encode()
""",
    "test_a_prompt_brings_what_is_known_in_either_language_and_nothing_else": """
    def find_installed(self, request):
        return [replace(one, argv=("sh", "-c", "echo '{}'")) for one in super().find_installed(request)]
""",
    "test_input_that_is_no_payload_is_answered_with_nothing_and_success": """
    def find_installed(self, request):
        return [replace(one, argv=("sh", "-c", "exit 2")) for one in super().find_installed(request)]
""",
    "test_hooks_installed_for_user_and_project_give_one_recall_and_one_record_a_turn": """
    def find_installed(self, request):
        return super().find_installed(replace(request, scope="user"))
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_an_adapter_with_a_fault_fails_the_test_for_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "test_it.py").write_text(HEAD.format(body=FAULTS[name]), encoding="utf-8")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["hfa_core.testing.plugin"]', encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", name, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 1, done.stdout
    assert f"{name}" in done.stdout
    assert "failed" in done.stdout

"""What the command in Newhost's hooks file runs."""

from __future__ import annotations

import sys

from hfa_core.hook.runner import Wire, run_hook
from hfa_newhost.wire import EMPTY_REPLY, HOST, parse_event, render_reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Answer the event named by the last of `arguments` (host, event) and end the process with exit code 0."""
    run_hook(Wire(HOST, parse_event, render_reply, empty=EMPTY_REPLY), arguments[-1] if arguments else "")


def console() -> None:
    """The `hfa-newhost EVENT` command of project-scope installs."""
    main(sys.argv[1:])

"""What the command in such a host's settings runs, and the command `hfa-hook`."""

from __future__ import annotations

import sys

from hfa_core.hook.runner import Wire, run_hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_WITH_VALUE = ("--profile", "--memory-dir")


def main(arguments: Sequence[str]) -> None:
    """
    Answer one event and end the process with exit code 0.

    Args:
        arguments: The profile's name, unless `--profile FILE` gives one, and the event; `--memory-dir DIR` may come
            before them.
    """
    words = list(arguments)
    options: dict[str, str] = {}
    while len(words) > 1 and words[0] in _WITH_VALUE:
        options[words[0]] = words[1]
        del words[:2]
    from hfa_generic_hook import wire
    from hfa_generic_hook.profile import read_profile

    name = options.get("--profile") or (words[0] if words else "")
    profile = read_profile(name)
    run_hook(
        Wire(
            profile.name,
            lambda event, payload: wire.parse_event(profile, event, payload),
            lambda event, reply: wire.render_reply(profile, event, reply),
            empty=wire.EMPTY_REPLY,
            complete=lambda event, rows: wire.complete(profile, event, rows),
        ),
        words[-1] if words else "",
        memory_dir=options.get("--memory-dir", ""),
    )


def console() -> None:
    """
    The `hfa-hook` command: a hook, or a question about hooks, whose options begin with `--print` or `--check`.

    A hook whose profile cannot be used answers with nothing, says why on stderr, and ends with 0.
    """
    words = sys.argv[1:]
    if not words or words[0] in ("--print-hooks", "--check", "--check-hooks", "--list", "-h", "--help"):
        from hfa_generic_hook.command import run

        sys.exit(run(words))
    from hfa_core.errors import ProfileError

    try:
        main(words)
    except ProfileError as error:
        sys.stdout.write("{}\n")
        sys.stderr.write(f"hfa-hook: {error}\n")

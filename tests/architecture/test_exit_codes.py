"""An exit code says which condition ended a command, and no other."""

from __future__ import annotations

import pytest

from hfa_core import errors
from hfa_core.errors import HfaError

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, HfaError) and kind is not HfaError
]


def test_every_error_has_an_exit_code_of_its_own() -> None:
    codes = [kind.exit_code for kind in KINDS]

    assert len(set(codes)) == len(codes) > 15


@pytest.mark.parametrize("kind", KINDS)
def test_an_exit_code_is_stated_by_its_class_and_none_that_a_shell_or_the_command_line_uses(
    kind: type[HfaError],
) -> None:
    assert "exit_code" in vars(kind)
    assert 3 <= kind.exit_code <= 125

"""Every error: its exit code, its message, and the fields a caller acts on."""

from __future__ import annotations

import ast
import inspect
import pickle
from typing import cast

import pytest

from hfa_core import errors
from hfa_core.errors import HfaError

EXAMPLES: list[HfaError] = [
    errors.MemoryNotFoundError("/p"),
    errors.ForeignMemoryError("/p/memory"),
    errors.MemoryDamagedError("/p/a.json", "is empty"),
    errors.ConfigError("/p/config.json", "recall_budget", "must be a number"),
    errors.UnsupportedFormatError("/p/a.json", "hfa-chunk/2", "hfa-chunk/1"),
    errors.MemoryOffError("HFA_OFF is set"),
    errors.NoProjectError("/p"),
    errors.UpgradeError("/p/chunks/chunk_0001.json", "has no conclusion"),
    errors.InvalidRecordError("title", "题目", "is too long"),
    errors.RequestConflictError("r-1", "chunk_0001-abcdef"),
    errors.SupersedeError("chunk_0001", "there is no such record"),
    errors.NodeError("M9", "is not there"),
    errors.UnlockReasonError(),
    errors.CaptureError(("one", "two")),
    errors.UnknownRecordError("chunk_0042-9", ("chunk_0042-7f3a9c", "chunk_0042-aa0000")),
    errors.AmbiguousIdError("chunk_0042", ("chunk_0042-7f3a9c", "chunk_0042-aa0000")),
    errors.UnknownHostError("vim", ("claude", "cursor")),
    errors.UnknownBackendError("vectors", ()),
    errors.ProfileError("/a/我的.json", "events.Stop.is", "must be one of stop"),
    errors.BackendError("vectors", "ValueError: 坏"),
    errors.HostConfigError("/p/settings.json", "is not JSON"),
    errors.UnsupportedHostError("cursor", "recall"),
    errors.LockTimeoutError("/p/.hfa.lock", 0.5),
    errors.StorageError("/p/a", "No space left on device"),
    errors.UnfinishedError("epoch roll", "/p/a", "Read-only file system"),
    errors.EditedMeanwhileError("/p/directory.md"),
    errors.JournalError("/p/.hfa-transaction.json", "is damaged"),
    errors.NotTextError("图/picture.png", 7),
    errors.VerifyError(1),
    errors.MissingExtraError("hfa-mcp", "mcp"),
    errors.ListenError("127.0.0.1:80", "Permission denied"),
    errors.RemoteAddressError("0.0.0.0:8137"),
    errors.TokenFileError("/u/mcp-token", "holds no token"),
]


def classes() -> set[type[HfaError]]:
    found = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, HfaError)}
    return found - {HfaError}


def test_every_error_has_an_example_here() -> None:
    assert {type(example) for example in EXAMPLES} == classes()


def test_every_exit_code_belongs_to_one_error_and_none_to_success_usage_or_a_signal() -> None:
    codes = [kind.exit_code for kind in classes()]

    assert len(set(codes)) == len(codes)
    assert all(3 <= code <= 125 for code in codes)
    assert HfaError.exit_code == 1


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_a_message_is_one_line_that_names_each_field(error: HfaError) -> None:
    message = str(error)

    assert "\n" not in message
    assert not message.endswith(".")
    for value in vars(error).values():
        for text in cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,):
            assert str(text) in message


@pytest.mark.parametrize("word", ["rm ", "delete", "--force", "reset --hard", "checkout ."])
def test_no_message_proposes_a_destructive_step(word: str) -> None:
    assert [str(error) for error in EXAMPLES if word in str(error)] == []


def test_an_error_says_what_it_is_to_a_caller_that_catches_all() -> None:
    with pytest.raises(HfaError) as caught:
        raise errors.StorageError("/p", "refused")
    assert caught.value.exit_code == 41


def test_a_long_value_is_shown_cut_and_kept_whole() -> None:
    error = errors.InvalidRecordError("title", "题" * 500, "is too long")

    assert error.value == "题" * 500
    assert len(str(error)) < 150


def test_an_unknown_host_without_adapters_says_none_is_installed() -> None:
    assert "installed adapters: none" in str(errors.UnknownHostError("vim", ()))


def test_the_count_of_findings_is_grammatical() -> None:
    assert [str(errors.VerifyError(count)) for count in (1, 2)] == ["1 finding", "2 findings"]


def test_every_error_has_a_docstring_and_the_module_imports_nothing() -> None:
    tree = ast.parse(inspect.getsource(errors))

    assert all(kind.__doc__ for kind in classes())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [node.module for node in imports if isinstance(node, ast.ImportFrom)] == ["__future__"]
    assert len(imports) == 1


def test_the_plain_error_survives_pickling() -> None:
    assert str(pickle.loads(pickle.dumps(HfaError("text")))) == "text"

"""One module changes files, one takes the lock, one reads the environment."""

from __future__ import annotations

import ast

WRITING_CALLS = {
    "os": {
        "open", "replace", "rename", "renames", "unlink", "remove", "rmdir", "removedirs", "mkdir", "makedirs",
        "symlink", "link", "truncate", "ftruncate", "chmod", "fchmod", "chown", "utime", "mkfifo",
    },
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move", "rmtree", "chown"},
    "tempfile": {"NamedTemporaryFile", "TemporaryFile", "mkstemp", "mkdtemp", "TemporaryDirectory"},
}  # fmt: skip
PATH_METHODS = {"write_text", "write_bytes", "touch", "unlink", "rmdir", "mkdir", "rename", "symlink_to", "hardlink_to"}

WRITERS = {
    "hfa_core/fs/atomic.py",
    # The lock file holds its owner, for as long as the lock is held.
    "hfa_core/fs/lock.py",
}
TESTING = "hfa_core/testing/"
"""Tests themselves: they set up what the product finds."""
EXCEPTIONS = {
    # A plain `open` would wait for a pipe's writer, so it opens a descriptor, to read.
    "hfa_core/fs/reading.py": {"os.open"},
    # Uninstalling takes the empty folders away that installing made in a host's configuration.
    "hfa_core/hosts/apply.py": {"os.rmdir", ".rmdir"},
    # The self-test runs hooks where they can change nothing.
    "hfa_core/doctor/self_test.py": {"tempfile.TemporaryDirectory"},
}
ENVIRONMENT_READERS = {"hfa_core/settings.py"}


def calls_that_change_files(module: ast.Module) -> set[str]:
    """The calls in a module that may change a file or folder, such as `os.replace`, `open("w")` and `.mkdir`."""
    found: set[str] = set()
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "open":
            found |= _writing_open(node, first_mode=1)
        elif (
            isinstance(called, ast.Attribute)
            and isinstance(called.value, ast.Name)
            and called.value.id in WRITING_CALLS
        ):
            if called.attr in WRITING_CALLS[called.value.id]:
                found.add(f"{called.value.id}.{called.attr}")
        elif isinstance(called, ast.Attribute) and called.attr in PATH_METHODS:
            found.add(f".{called.attr}")
        elif isinstance(called, ast.Attribute) and called.attr == "open":
            found |= _writing_open(node, first_mode=0)
    return found


def _writing_open(call: ast.Call, *, first_mode: int) -> set[str]:
    modes = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] + call.args[
        first_mode : first_mode + 1
    ]
    for mode in modes:
        if not isinstance(mode, ast.Constant) or set(str(mode.value)) & set("wax+"):
            return {"open for writing"}
    return set()


def test_only_the_writer_and_the_lock_change_files(sources: dict[str, ast.Module]) -> None:
    found = {name: calls_that_change_files(module) for name, module in sources.items() if name not in WRITERS}
    found = {name: calls for name, calls in found.items() if not name.startswith(TESTING)}
    beyond = {name: calls - EXCEPTIONS.get(name, set()) for name, calls in found.items()}

    assert {name: calls for name, calls in beyond.items() if calls} == {}


def test_the_exceptions_are_still_needed(sources: dict[str, ast.Module]) -> None:
    for name, allowed in EXCEPTIONS.items():
        assert calls_that_change_files(sources[name]) & allowed
    for name in WRITERS:
        assert calls_that_change_files(sources[name])


def test_only_the_settings_read_the_environment(sources: dict[str, ast.Module]) -> None:
    readers = {
        name
        for name, module in sources.items()
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        and node.attr in ("environ", "environb", "getenv", "getenvb", "putenv", "unsetenv")
    }

    assert readers == ENVIRONMENT_READERS


def test_names_of_os_are_never_imported_out_of_the_checks_sight(sources: dict[str, ast.Module]) -> None:
    hidden = {
        name
        for name, module in sources.items()
        for node in ast.walk(module)
        if (isinstance(node, ast.ImportFrom) and node.module in ("os", "shutil", "tempfile"))
        or (isinstance(node, ast.Import) and any(one.name in WRITING_CALLS and one.asname for one in node.names))
    }

    assert hidden == set()

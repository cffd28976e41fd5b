"""What the environment says to HFA; no other module reads environment variables."""

from __future__ import annotations

import os
import sys

from hfa_core.model import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Environment(Record):
    """
    The switches of one process.

    `memory_dir` is `HFA_MEMORY_DIR` or empty; `user_dir` is the folder for everything private or per user;
    `off` is `HFA_OFF`; `strict` lets a hook's error out (`HFA_HOOK_STRICT`, for tests); `plugins` is `HFA_PLUGINS`,
    a comma list of adapters to load, or None for all; `home` is the user's home folder.
    """

    __slots__ = ("home", "memory_dir", "off", "plugins", "strict", "user_dir", "variables")

    def __init__(
        self,
        *,
        home: str,
        user_dir: str,
        memory_dir: str = "",
        off: bool = False,
        strict: bool = False,
        plugins: tuple[str, ...] | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.home = home
        self.user_dir = user_dir
        self.memory_dir = memory_dir
        self.off = off
        self.strict = strict
        self.plugins = plugins
        self.variables = variables or {}


def read_environment(variables: Mapping[str, str], *, platform: str = sys.platform) -> Environment:
    """The environment as one record; a missing variable means its default."""
    home = variables.get("HOME") or variables.get("USERPROFILE") or os.path.expanduser("~")
    plugins = variables.get("HFA_PLUGINS")
    return Environment(
        home=home,
        user_dir=variables.get("HFA_USER_DIR") or _default_user_dir(variables, home, platform),
        memory_dir=variables.get("HFA_MEMORY_DIR", ""),
        off=_is_on(variables.get("HFA_OFF")),
        strict=_is_on(variables.get("HFA_HOOK_STRICT")),
        plugins=None if plugins is None else tuple(name.strip() for name in plugins.split(",") if name.strip()),
        variables=variables,
    )


def current_environment() -> Environment:
    """The environment of this process."""
    return read_environment(os.environ)


def _is_on(value: str | None) -> bool:
    return (value or "").strip().lower() not in ("", "0", "no", "off", "false")


def _default_user_dir(variables: Mapping[str, str], home: str, platform: str) -> str:
    """The platform's folder for state that is neither settings nor cache; source: XDG Base Directory 0.8 on Linux."""
    if platform == "win32":
        return os.path.join(variables.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"), "hfa")
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "hfa")
    state = variables.get("XDG_STATE_HOME", "")
    return os.path.join(state if os.path.isabs(state) else os.path.join(home, ".local", "state"), "hfa")

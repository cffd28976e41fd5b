"""`config.json`: the settings that travel with a memory, and the key that makes a folder one."""

from __future__ import annotations

from hfa_core.errors import ConfigError, MemoryDamagedError, StorageError, UnsupportedFormatError
from hfa_core.fs.reading import read_bytes
from hfa_core.light.json_codec import as_list, as_mapping, as_text, parse_json, render_json
from hfa_core.light.text import decode_utf8, is_newer_format
from hfa_core.model import MEMORY_FORMAT, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout

DEFAULT_BUDGET_TOKENS = 600
DEFAULT_TOPICS_PER_EPOCH = 50
MAXIMUM_GROUPS = 200
MAXIMUM_GROUP_WORDS = 32
"""choice: far beyond what a person keeps by hand; a list that was generated would slow every prompt down."""
MEMORY_ID_DIGITS = range(8, 65)
_HEX = "0123456789abcdef"


class Config(Record):
    """
    Settings of one memory. Budgets are in tokens; `memory_id` names the user's private folder for it; `aliases` are its
    own groups of synonyms; `stream` switches the milestone log on; `unknown_keys` are keys that this version does not
    know: they are kept and reported; `format` is the one found.
    """

    __slots__ = (
        "aliases",
        "format",
        "id_suffix",
        "memory_id",
        "recall_budget",
        "router_budget",
        "stream",
        "topics_per_epoch",
        "unknown_keys",
    )

    def __init__(
        self,
        *,
        memory_id: str,
        recall_budget: int = DEFAULT_BUDGET_TOKENS,
        router_budget: int = DEFAULT_BUDGET_TOKENS,
        topics_per_epoch: int = DEFAULT_TOPICS_PER_EPOCH,
        id_suffix: bool = True,
        stream: bool = False,
        aliases: tuple[tuple[str, ...], ...] = (),
        unknown_keys: tuple[str, ...] = (),
        format: str = MEMORY_FORMAT,
    ) -> None:
        self.format = format
        self.memory_id = memory_id
        self.recall_budget = recall_budget
        self.router_budget = router_budget
        self.topics_per_epoch = topics_per_epoch
        self.id_suffix = id_suffix
        self.stream = stream
        self.aliases = aliases
        self.unknown_keys = unknown_keys

    @property
    def is_newer(self) -> bool:
        """Whether a newer HFA made the memory: it is read as far as it is understood, and never written."""
        return self.format != MEMORY_FORMAT


ALIASES = "retrieval_aliases"
_BUDGETS = ("recall_budget", "router_budget", "topics_per_epoch")
_SWITCHES = {"id_suffix": True, "stream": False}
"""What is on or off, and what it is where nothing is said."""
_KNOWN_KEYS = ("format", "memory_id", *_SWITCHES, *_BUDGETS, ALIASES)


def has_format_key(text: str) -> bool:
    """Whether a `config.json` is one of ours, of this or another version."""
    try:
        content = as_mapping(parse_json(text))
    except ValueError:
        return False
    return as_text(content.get("format")).startswith("hfa-memory/")


def read_config(layout: Layout) -> Config:
    """
    The settings of a memory.

    Raises:
        ConfigError: A key has a value that cannot be used.
        MemoryDamagedError: The file is missing or not JSON.
        UnsupportedFormatError: The format key names no version at all.
        StorageError: It cannot be read.
    """
    path = layout.config
    try:
        text = decode_utf8(read_bytes(path))
    except FileNotFoundError:
        raise MemoryDamagedError(path, "is missing") from None
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise MemoryDamagedError(path, f"is not UTF-8 at byte {error.start}") from None
    return parse_config(text, path)


def parse_config(text: str, path: str) -> Config:
    """
    Settings from the text of a `config.json`; `path` is only for messages. Raises as `read_config`.

    In a newer format a value that this version cannot use counts as missing: what can be read is served.
    """
    try:
        content = parse_json(text)
    except ValueError as error:
        raise MemoryDamagedError(path, f"is not JSON: {error}") from None
    keys = as_mapping(content)
    if not keys:
        raise MemoryDamagedError(path, "must be a JSON object with a `format`")
    found = as_text(keys.get("format"))
    if found != MEMORY_FORMAT and not is_newer_format(found, MEMORY_FORMAT):
        if has_format_key(text):
            raise UnsupportedFormatError(path, found, MEMORY_FORMAT)
        raise ConfigError(path, "format", f"is {found!r}, not {MEMORY_FORMAT!r}; `hfa upgrade` mends an earlier form")
    memory_id = as_text(keys.get("memory_id"))
    if len(memory_id) not in MEMORY_ID_DIGITS or any(character not in _HEX for character in memory_id):
        raise ConfigError(path, "memory_id", "must be 8 to 64 hex digits, in small letters")
    if found != MEMORY_FORMAT:
        keys = {key: value for key, value in keys.items() if _is_usable(key, value)}
    return Config(
        memory_id=memory_id,
        recall_budget=_positive(keys, "recall_budget", DEFAULT_BUDGET_TOKENS, path),
        router_budget=_positive(keys, "router_budget", DEFAULT_BUDGET_TOKENS, path),
        topics_per_epoch=_positive(keys, "topics_per_epoch", DEFAULT_TOPICS_PER_EPOCH, path),
        id_suffix=_switch(keys, "id_suffix", path),
        stream=_switch(keys, "stream", path),
        aliases=_groups(keys.get(ALIASES, []), path),
        unknown_keys=tuple(sorted(key for key in keys if key not in _KNOWN_KEYS)),
        format=found,
    )


def describe_newer(config: Config) -> str:
    """Why a memory of a newer format is only read, and what to do, in a sentence."""
    return (
        f"format {config.format!r} is newer than {MEMORY_FORMAT!r}, so the memory is read and not written; "
        "install a newer HFA to write it"
    )


def _is_usable(key: str, value: object) -> bool:
    if key in _SWITCHES:
        return isinstance(value, bool)
    if key == ALIASES:
        try:
            _groups(value, "")
        except ConfigError:
            return False
    return key not in _BUDGETS or (isinstance(value, int) and not isinstance(value, bool) and value >= 1)


def render_config(config: Config) -> str:
    """The text of a new `config.json`."""
    content: dict[str, object] = {
        "format": MEMORY_FORMAT,
        "memory_id": config.memory_id,
        "recall_budget": config.recall_budget,
        "router_budget": config.router_budget,
        "topics_per_epoch": config.topics_per_epoch,
        "id_suffix": config.id_suffix,
    }
    if config.stream:
        content["stream"] = True
    if config.aliases:
        content[ALIASES] = [list(group) for group in config.aliases]
    return render_json(content, indent=2) + "\n"


def _switch(keys: dict[str, object], key: str, path: str) -> bool:
    value = keys.get(key, _SWITCHES[key])
    if not isinstance(value, bool):
        raise ConfigError(path, key, f"must be true or false, found {value!r:.60}")
    return value


def _positive(keys: dict[str, object], key: str, default: int, path: str) -> int:
    value = keys.get(key, default)
    if not isinstance(value, int) or not _is_usable(key, value):
        raise ConfigError(path, key, f"must be a whole number of at least 1, found {value!r:.60}")
    return value


def _groups(value: object, path: str) -> tuple[tuple[str, ...], ...]:
    """Groups of synonyms: a list of lists, each of at least two different words of at least two characters."""
    groups = as_list(value)
    if (not groups and value != []) or len(groups) > MAXIMUM_GROUPS:
        raise ConfigError(path, ALIASES, f"must be a list of at most {MAXIMUM_GROUPS} lists of words")
    return tuple(_group(group, f"{ALIASES}[{place}]", path) for place, group in enumerate(groups))


def _group(value: object, key: str, path: str) -> tuple[str, ...]:
    # Every hook reads the configuration, and hardly one has groups in it.
    from hfa_core.store.schema import clean_text, compare_form

    items = as_list(value)
    words = [clean_text(item) for item in items if isinstance(item, str)]
    if not items or len(words) != len(items):
        raise ConfigError(path, key, f"must be a list of words, found {value!r:.60}")
    short = [word for word in words if len(word) < 2]
    if short:
        raise ConfigError(path, key, f"{short[0]!r} is too short: one character stands in many other words")
    if not 2 <= len({compare_form(word) for word in words}) <= len(words) <= MAXIMUM_GROUP_WORDS:
        raise ConfigError(path, key, f"must have 2 to {MAXIMUM_GROUP_WORDS} different words")
    return tuple(words)

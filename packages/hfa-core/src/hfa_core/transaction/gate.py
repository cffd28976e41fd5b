"""Whether this version may write to a memory: one that a newer HFA made is read, and left as it is."""

from __future__ import annotations

from hfa_core.errors import UnsupportedFormatError
from hfa_core.fs.reading import read_bytes
from hfa_core.light.json_codec import as_mapping, as_text, parse_json
from hfa_core.light.text import decode_utf8, is_newer_format
from hfa_core.model import MEMORY_FORMAT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hfa_core.fs.layout import Layout


def ensure_writable(layout: Layout) -> None:
    """
    Ask before every write. A configuration that is missing or damaged is for those to judge who read it.

    Raises:
        UnsupportedFormatError: A newer HFA made the memory. Nothing was written.
    """
    try:
        found = as_text(as_mapping(parse_json(decode_utf8(read_bytes(layout.config)))).get("format"))
    except (OSError, ValueError):
        return
    if is_newer_format(found, MEMORY_FORMAT):
        raise UnsupportedFormatError(layout.config, found, MEMORY_FORMAT, verb="write")

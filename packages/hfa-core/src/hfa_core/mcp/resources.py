"""What a client may read by address: one record, the table of nodes, an epoch's page."""

from __future__ import annotations

import json
import os
import re

from mcp_types import (
    Annotations,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from hfa_core.capture.remember import refuse_if_off
from hfa_core.errors import StorageError
from hfa_core.fs.layout import Layout
from hfa_core.fs.reading import read_bytes
from hfa_core.mcp.calls import Caller
from hfa_core.operations.show import find_record
from hfa_core.store.config import read_config
from hfa_core.store.directory import read_directory
from hfa_core.store.locate import is_off
from hfa_core.store.snippet import defuse, render_router_line
from hfa_core.tokens import count_line, estimate_tokens
from hfa_core.tokens.exact import is_countable, load_counter
from hfa_core.transaction.opening import ensure_recovered

_ADDRESS = re.compile(r"hfa://(?:(l0)|chunk/([\w.-]{1,80})|epoch/(\d{1,6}))")
_EPOCH_FOLDER = re.compile(r"epoch_(\d+)")
_JSON, _MARKDOWN = "application/json", "text/markdown"
_LOW = Annotations(audience=["assistant"], priority=0.3)


def list_templates() -> ListResourceTemplatesResult:
    """The addresses with a part to fill in."""
    chunk = ResourceTemplate(
        name="chunk",
        title="One record",
        uri_template="hfa://chunk/{id}",
        description="A record by its id, whatever its state.",
        mime_type=_JSON,
    )
    epoch = ResourceTemplate(
        name="epoch",
        title="An epoch's records",
        uri_template="hfa://epoch/{number}",
        description="The records of an epoch, a line each, as far as they fit the recall budget.",
        mime_type=_MARKDOWN,
    )
    return ListResourceTemplatesResult(resource_templates=[chunk, epoch])


def list_resources(caller: Caller) -> ListResourcesResult:
    """The table of nodes and the pages there are; records are found by recall, not by listing. Raises HfaError."""
    try:
        names = os.listdir(os.path.dirname(_open(caller).epoch(1)))
    except FileNotFoundError:
        names = []
    epochs = sorted(int(found[1]) for name in names if (found := _EPOCH_FOLDER.fullmatch(name)))
    l0 = Resource(
        uri="hfa://l0",
        name="l0",
        title="Table of nodes",
        description="What the memory is divided into.",
        mime_type=_MARKDOWN,
        annotations=_LOW,
    )
    pages = [
        Resource(
            uri=f"hfa://epoch/{one}", name=f"epoch-{one}", title=f"Epoch {one}", mime_type=_MARKDOWN, annotations=_LOW
        )
        for one in epochs
    ]
    return ListResourcesResult(resources=[l0, *pages])


def read_resource(uri: str, caller: Caller) -> ReadResourceResult | None:
    """
    What an address holds; None if there is no such address. One record comes whole, all else within the budgets.

    Raises:
        HfaError: As finding and reading the memory; MemoryOffError where it is off.
    """
    address = _ADDRESS.fullmatch(uri)
    if address is None:
        return None
    layout = _open(caller)
    l0, chunk_id, epoch = address.groups()
    if chunk_id:
        text, kind = json.dumps(find_record(layout, chunk_id).as_json(), ensure_ascii=False, indent=2), _JSON
    elif l0:
        lines = [render_router_line(node) for node in read_directory(layout).nodes]
        text, kind = _clip(lines, read_config(layout).router_budget), _MARKDOWN
    else:
        lines = _read_page(layout, int(epoch))
        if lines is None:
            return None
        text, kind = _clip(lines, read_config(layout).recall_budget), _MARKDOWN
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=kind, text=text)])


def _open(caller: Caller) -> Layout:
    layout = caller.require_memory()
    refuse_if_off(is_off(caller.environment, layout) or caller.find_muted(layout))
    ensure_recovered(layout)
    return layout


def _read_page(layout: Layout, epoch: int) -> list[str] | None:
    path = layout.summaries(epoch)
    try:
        return read_bytes(path).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(path, error.strerror or str(error)) from error


def _clip(lines: list[str], budget: int) -> str:
    """As many lines as fit the budget, in tokens; the last one says how many do not."""
    count = load_counter()
    kept: list[str] = []
    used = estimate_tokens(_rest(len(lines)))
    for line in map(defuse, lines):
        used += sum(count_line(line, count)) if count and is_countable(line) else estimate_tokens(line) + 1
        if used > budget:
            return "\n".join([*kept, _rest(len(lines) - len(kept))])
        kept.append(line)
    return "\n".join(kept)


def _rest(number: int) -> str:
    return f"({number} more lines; `recall_memory` finds what is in them)"

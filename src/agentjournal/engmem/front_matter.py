"""The YAML block that may open a document, read within limits and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FrontMatter", "Refusal", "read_front_matter"]

BYTES = 16 * 1024
DEPTH = 8

_EVENTS = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEXTS = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # dates, numbers and `yes` stay as written


@dataclass(frozen=True)
class FrontMatter:
    """The stated fields, each a text or made of texts, and what follows the block."""

    fields: Mapping[str, object]
    body: str


@dataclass(frozen=True)
class Refusal:
    """Why a document cannot be read."""

    reason: str


def read_front_matter(text: str) -> FrontMatter | Refusal:
    """Read the block between two `---` lines; a text that does not begin with one has no fields.

    At most 16 KiB and 8 levels, no anchors or aliases: nothing in it can grow or run. A key
    without a value states nothing.
    """
    lines = text.split("\n")
    if lines[0].strip() != "---":
        return FrontMatter({}, text.strip("\n"))
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == "---"), None)
    if end is None:
        return Refusal("the front matter that line 1 opens is never closed")
    block, body = "\n".join(lines[1:end]), "\n".join(lines[end + 1 :]).strip("\n")
    if len(block.encode()) > BYTES:
        return Refusal(f"the front matter has more than {BYTES // 1024} KiB")
    fields = _fields(block)
    return fields if isinstance(fields, Refusal) else FrontMatter(fields, body)


def _fields(block: str) -> dict[str, object] | Refusal:
    try:
        if refusal := _beyond_limits(block):
            return refusal
        read = yaml.load(block, Loader=_TEXTS)  # noqa: S506 - it makes texts, lists and mappings only
    except Exception as error:  # noqa: BLE001 - YAML raises more than its own errors; one file fails
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 2}" if mark else ""
        return Refusal(f"the front matter is no YAML{where}")
    if read in (None, ""):
        return {}
    if not isinstance(read, dict):
        return Refusal("the front matter holds no fields")
    return {str(name): value for name, value in read.items() if value not in ("", "~", "null")}


def _beyond_limits(block: str) -> Refusal | None:
    depth = 0
    for event in yaml.parse(block, Loader=_EVENTS):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            return Refusal("the front matter uses an anchor or alias")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH:
            return Refusal(f"the front matter is nested more than {DEPTH} deep")
    return None

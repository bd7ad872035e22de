"""The front matter of a draft."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import TYPE_CHECKING

from agentjournal.recall.drafting.material import draft_id
from agentjournal.text.bounded import clip, size
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agentjournal.recall.drafting.material import Material

__all__ = ["entities", "files", "front_matter"]

_ENTITIES = 20
_FILES = 100
_LIST = 6_000  # bytes of one list: the whole block may have 16 KiB
_TITLE = 200
_NAME = re.compile(
    r"`([A-Za-z_][\w.:-]{2,59})`|\b((?:[A-Z]+[a-z0-9]+){2,8})\b|\b([A-Z][A-Z0-9]{2,11})\b"
)
_COMMIT = re.compile("[0-9a-fA-F]{7,64}")


def front_matter(
    material: Material, *, mode: str, author: str, repos: Iterable[str], related: Iterable[str]
) -> str:
    """Write the block; what the log does not know stays without a value."""
    commit = next((each for each in material.commits if _COMMIT.fullmatch(each)), "")
    stated: Mapping[str, str] = {
        "id": draft_id(material.slug, material.began_at),
        "title": _text(clip(one_line(material.title), _TITLE)),
        "date": material.ended_at[:10],
        "task_date": material.began_at[:10],
        "status": "draft",
        "mode": mode,
        "superseded_by": "",
        "backfilled": "false",
        "tags": _list([material.slug]),
        "entities": _list(entities(material)),
        "related": _list(related),
        "covers_files": _list(files(material)),
        "repos": _list(repos),
        "verified_at_commit": commit.lower(),
        "capture_minutes": "",
        "author": _text(one_line(author, _TITLE)) if author else "",
        "branch": "",
        "pr": "",
    }
    lines = [f"{name}: {value}".rstrip() for name, value in stated.items()]
    return "\n".join(["---", *lines, "---"])


def entities(material: Material) -> list[str]:
    """Find names that someone would search for: in backticks, in CamelCase, or in capitals."""
    told = [
        *(
            str(row[name])
            for row in material.decisions.shown
            for name in ("point", "chosen", "why")
        ),
        *(str(row[name]) for row in material.ruled_out.shown for name in ("what", "why")),
        *(str(row["title"]) for row in material.tasks.shown),
    ]
    names = (next(filter(None, match)) for text in told for match in _NAME.findall(text))
    return list(dict.fromkeys(names))[:_ENTITIES]


def files(material: Material) -> list[str]:
    """Give the files that work touched, by name."""
    return [str(row["name"]) for row in material.touches.shown if row["kind"] == "file"][:_FILES]


def _list(values: Iterable[str]) -> str:
    """Write a list that stays within its room, whole items first come."""
    return f"[{', '.join(_fitting([_text(one_line(each)) for each in values]))}]"


def _fitting(items: list[str]) -> Iterator[str]:
    ends = accumulate(size(item) + 2 for item in items)
    return (item for item, end in zip(items, ends, strict=True) if end <= _LIST)


def _text(value: str) -> str:
    """Write a text as YAML and JSON both read it."""
    return json.dumps(value, ensure_ascii=False)

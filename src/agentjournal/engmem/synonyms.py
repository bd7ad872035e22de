"""What a store's own list says means the same: `synonyms.yml` in its root."""

from __future__ import annotations

from agentjournal.engmem.front_matter import Refusal, read_fields
from agentjournal.engmem.ranking.meaning import phrase
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["read_synonyms"]

_OTHERS = 8  # that one phrase may mean


def read_synonyms(data: bytes) -> Mapping[str, tuple[str, ...]] | Refusal:
    """Read a list like `k8s: kubernetes` or `ttl: [time to live, expiry]`, by either side.

    The limits are those of front matter: 16 KiB, no aliases.

    >>> read_synonyms(b"k8s: kubernetes")
    {'k8s': ('kubernet',), 'kubernet': ('k8s',)}
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Refusal(f"it is not UTF-8 (byte {error.start})")
    fields = read_fields(text, what="it", first=1)
    return fields if isinstance(fields, Refusal) else _meant(fields)


def _meant(fields: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    meant: dict[str, tuple[str, ...]] = {}
    for name, value in fields.items():
        others = value if isinstance(value, list) else [value]
        group = dict.fromkeys(map(phrase, [name, *filter(_is_text, others)]))
        for one in filter(None, group):
            same = (each for each in group if each not in ("", one))
            meant[one] = tuple(dict.fromkeys((*meant.get(one, ()), *same)))[:_OTHERS]
    return meant


def _is_text(value: object) -> bool:
    return isinstance(value, str)

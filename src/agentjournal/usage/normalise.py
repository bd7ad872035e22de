"""Turns any dialect's answer into a `Usage`; it never raises, whatever the answer holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from agentjournal.errors import InputError
from agentjournal.usage.count import Counts, word
from agentjournal.usage.dialect import dialect_of
from agentjournal.usage.events import folded
from agentjournal.usage.native import READERS, native_object
from agentjournal.usage.record import DIALECTS, Usage

if TYPE_CHECKING:
    from agentjournal.usage.native import Reading
    from agentjournal.usage.record import Dialect

__all__ = ["normalise"]


def normalise(body: object, dialect: Dialect | Literal["auto"] = "auto") -> Usage:
    """Read what a completion cost: `body` is the answer, or for a stream the list of its events.

    >>> normalise({"usage": {"prompt_tokens": 8, "prompt_tokens_details": {"cached_tokens": 0}}}).cache_read
    0

    Raises:
        InputError: the dialect is none of those known.
    """
    if dialect != "auto" and dialect not in DIALECTS:
        raise InputError(
            f"There is no dialect {dialect!r}.", next=f"Use auto or one of: {', '.join(DIALECTS)}."
        )
    whole = folded(body) if isinstance(body, list | tuple) else body
    if not isinstance(whole, Mapping):
        return Usage(dialect=None if dialect == "auto" else dialect)
    spoken = dialect_of(whole) if dialect == "auto" else dialect
    model = word(whole.get("model")) or word(whole.get("modelVersion")) or _served(whole)
    if spoken is None:
        return Usage(model=model)
    native = native_object(whole, spoken)
    counts = Counts(native)
    reading = READERS[spoken](counts)
    return Usage(
        input_total=reading.input_total,
        cache_read=reading.read,
        cache_write=reading.write,
        cache_write_5m=reading.write_5m,
        cache_write_1h=reading.write_1h,
        output=reading.output,
        reasoning=reading.reasoning,
        model=model,
        dialect=spoken,
        native=native or None,
        violations=(*dict.fromkeys(counts.faults), *_violations(reading)),
    )


def _served(body: Mapping[str, object]) -> str | None:
    response = body.get("response")
    return word(response.get("model")) if isinstance(response, Mapping) else None


def _violations(reading: Reading) -> list[str]:
    """Name every rule that the counts break: none is negative, no part exceeds the whole."""
    total, read, write = reading.input_total, reading.read or 0, reading.write or 0
    named = {
        "input_total": total,
        "input": reading.fresh,
        "cache_read": reading.read,
        "cache_write": reading.write,
        "cache_write_5m": reading.write_5m,
        "cache_write_1h": reading.write_1h,
        "output": reading.output,
        "reasoning": reading.reasoning,
    }
    found = [f"{name} {count} is negative" for name, count in named.items() if (count or 0) < 0]
    if total is None:
        found += [
            f"{name} {count} stands without an input total"
            for name, count in (("cache_read", read), ("cache_write", write))
            if count
        ]
    elif read > total:
        found.append(f"cache_read {read} exceeds input_total {total}")
    elif read + write > total:
        found.append(f"cache_read {read} and cache_write {write} exceed input_total {total}")
    return found

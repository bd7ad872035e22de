"""A journal as JSON: the bytes that the wire format writes, and what it tolerates when read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, TypeVar

from agentjournal.errors import Fault, InputError
from agentjournal.journal.distilled import Distilled
from agentjournal.journal.entry import Entry
from agentjournal.journal.flat_memory import FlatMemory
from agentjournal.journal.memory import LAYOUTS
from agentjournal.journal.tiered_memory import TieredMemory
from agentjournal.journal.wire import repair, trim

if TYPE_CHECKING:
    from agentjournal.journal.memory import LayoutName, Memory

W = TypeVar("W", bound=str)

_MOST_FAULTS = 20  # that are told: a foreign file may hold nothing else
_INT64 = range(-(2**63), 2**63)
_ESCAPES = str.maketrans(
    {char: f"\\u{ord(char):04x}" for char in ("<", ">", "&", "\u2028", "\u2029")}
)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The state of a journal, as read."""

    owner: str
    layout: LayoutName
    entries: tuple[Entry, ...]
    turns: tuple[int, ...]
    memory: Memory
    consolidations: int
    chars_per_token: float
    last_heard: Mapping[str, str]


def encode(snapshot: Mapping[str, object]) -> str:
    """Write a snapshot as the reference does: no spaces, HTML characters escaped, the rest raw."""
    text = json.dumps(snapshot, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_ESCAPES)  # these characters occur inside strings only


def decode(text: str) -> Mapping[str, object]:
    """Read the JSON object of a snapshot.

    Raises:
        InputError: it is no JSON object.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (TypeError, ValueError, RecursionError) as cause:
        raise InputError(
            f"The snapshot is no JSON: {cause}.",
            next="give what `to_json` or `agentjournal journal export` gave",
        ) from cause
    return _object(value)


def read_snapshot(values: Mapping[str, object]) -> Snapshot:
    """Check a snapshot: what is missing gets its default, what has the wrong type is refused.

    Raises:
        InputError: it is no object, or names each wrong field.
    """
    values, reader = _object(values), _Reader()
    owner = reader.text(values, "owner")
    layout = reader.word(values, "layout", LAYOUTS) or "v1"
    entries = tuple(
        _read_entry(reader, item, f"entries[{place}]")
        for place, item in enumerate(reader.items(values, "entries"))
    )
    snapshot = Snapshot(
        owner=owner or "unknown",
        layout=layout,
        entries=entries,
        turns=_read_turns(reader, values, len(entries), layout),
        memory=_read_memory(reader, values, layout),
        consolidations=reader.whole(values, "consolidations"),
        chars_per_token=reader.number(values, "chars_per_token"),
        last_heard=reader.mapping_of_texts(values, "last_heard"),
    )
    if reader.faults:
        more = len(reader.faults) - _MOST_FAULTS
        told = f"; {more} more fields are wrong" if more > 0 else ""
        faults = tuple(reader.faults[:_MOST_FAULTS])
        raise InputError(f"The snapshot cannot be read{told}.", faults=faults)
    return snapshot


def _object(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    raise InputError(
        f"The snapshot is a {type(value).__name__}, not an object.",
        next="give what `snapshot`, `to_json` or `agentjournal journal export` gave",
    )


def _read_turns(
    reader: _Reader, values: Mapping[str, object], count: int, layout: LayoutName
) -> tuple[int, ...]:
    """Read how many entries each turn has; v1 does not say and takes them as one."""
    if layout == "v1":
        return (count,)
    sizes = reader.items(values, "turns")
    turns = tuple(size for size in sizes if type(size) is int and size > 0)
    if len(turns) != len(sizes) or sum(turns) != count:
        reader.fault("turns", f"whole numbers above 0 that add up to {count}", sizes)
    return turns


def _read_memory(reader: _Reader, values: Mapping[str, object], layout: LayoutName) -> Memory:
    if layout == "v1":
        ledger = reader.texts(values, "episodic_ledger")
        return FlatMemory(
            reader.texts(values, "core_memories"), tuple(line for line in ledger if trim(line))
        )
    items = enumerate(reader.items(values, "distilled"))
    return TieredMemory(tuple(_read_span(reader, item, f"distilled[{n}]") for n, item in items))


def _read_span(reader: _Reader, item: object, path: str) -> Distilled:
    values = reader.mapping(item, path)
    return Distilled(
        tier=max(1, reader.whole(values, "tier", path)),
        epoch_start=reader.whole(values, "epoch_start", path),
        epoch_end=reader.whole(values, "epoch_end", path),
        identity=reader.text(values, "identity", path),
        ledger=reader.texts(values, "ledger", path),
    )


def _read_entry(reader: _Reader, item: object, path: str) -> Entry:
    values = reader.mapping(item, path)
    return Entry(
        epoch=reader.whole(values, "epoch", path),
        kind=reader.text(values, "kind", path) or "own",
        speaker=reader.text(values, "speaker", path),
        text=reader.text(values, "text", path),
    )


@dataclass
class _Reader:
    """Takes typed values out of parsed JSON and remembers what was wrong; null means absent."""

    faults: list[Fault] = field(default_factory=list)

    def text(self, values: Mapping[str, object], key: str, path: str = "") -> str:
        return self._as_text(values.get(key), _join(path, key))

    def texts(self, values: Mapping[str, object], key: str, path: str = "") -> tuple[str, ...]:
        name = _join(path, key)
        items = enumerate(self.items(values, key, path))
        return tuple(self._as_text(item, f"{name}[{place}]") for place, item in items)

    def items(self, values: Mapping[str, object], key: str, path: str = "") -> list[object]:
        value = values.get(key)
        if value is None:
            return []
        if isinstance(value, list | tuple):
            return list(value)
        self.fault(_join(path, key), "a list", value)
        return []

    def word(self, values: Mapping[str, object], key: str, words: tuple[W, ...]) -> W | None:
        value = values.get(key)
        if value is None or value == "":
            return None
        for word in words:
            if word == value:
                return word
        self.fault(key, "one of " + ", ".join(map(str, words)), value)
        return None

    def whole(self, values: Mapping[str, object], key: str, path: str = "") -> int:
        value = values.get(key)
        if value is None:
            return 0
        if isinstance(value, int) and not isinstance(value, bool) and value in _INT64:
            return value
        self.fault(_join(path, key), "a whole number of 64 bits", value)
        return 0

    def number(self, values: Mapping[str, object], key: str) -> float:
        value = values.get(key)
        if value is None:
            return 0.0
        if isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value):
            return float(value)
        self.fault(key, "a number", value)
        return 0.0

    def mapping(self, value: object, path: str) -> Mapping[str, object]:
        if value is None:
            return {}
        if isinstance(value, Mapping):
            return value
        self.fault(path, "an object", value)
        return {}

    def mapping_of_texts(self, values: Mapping[str, object], key: str) -> dict[str, str]:
        items = self.mapping(values.get(key), key).items()
        return {
            self._as_text(name, f"{key}'s names"): self._as_text(text, f"{key}.{name}")
            for name, text in items
        }

    def _as_text(self, value: object, path: str) -> str:
        if value is None:
            return ""
        if isinstance(value, str):
            return repair(value)
        self.fault(path, "a text", value)
        return ""

    def fault(self, path: str, rule: str, value: object) -> None:
        got = f"{type(value).__name__} {_quoted(value)}".rstrip()
        self.faults.append(
            Fault(field=path, rule=rule, got=got, remedy="Correct it, or leave it out.")
        )


def _quoted(value: object) -> str:
    try:
        return repr(str(value)[:40])
    except (ValueError, RecursionError):  # a number of too many digits, a list in too many lists
        return ""


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _is_finite(value: float) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # a whole number too large for a float
        return False


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON value")

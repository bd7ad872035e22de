"""What is valid of a handoff that is not: it stays what it is, and only the rest becomes text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentjournal.execution.contract import tidied
from agentjournal.execution.fields import FORM
from agentjournal.execution.handoff import HANDOFF, size_faults
from agentjournal.execution.rules import Many, Shape, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from agentjournal.execution.rules import Rule

__all__ = ["Salvaged", "salvage"]

# Sentences: their beginning says most of it. A path, a quote or a condition that is cut says
# something else.
_CUT = frozenset({"goal", "current_state", "next_step", "action", "option", "why"})
_RULES = Shape({name: rule for name, rule in FORM.items() if name not in {"result", "log"}})
# What the next worker needs most comes first into the room of a handoff.
_ORDER = (
    "current_state",
    "next_step",
    "ruled_out",
    "open_questions",
    "decisions",
    "reused",
    "goal",
)


@dataclass(frozen=True, kw_only=True)
class Salvaged:
    """What is valid: of the handoff, of the `others`; its `log` is text in any case.

    `rest` is what these do not hold, under the names of its places.
    """

    handoff: Mapping[str, Any]
    others: Mapping[str, Any]
    log: str
    rest: Mapping[str, object]


def salvage(given: Mapping[str, object], refused: AbstractSet[str] = frozenset()) -> Salvaged:
    """Keep of a flat form all that is valid, as if the rest had not been written.

    Of a list its valid items stay, the first that may be; of an item its valid fields, where none
    that it needs is missing; of a sentence that is too long its beginning. `refused` names fields
    that are not valid for another reason than their form.
    """
    told = {name: value for name, value in tidied(given).items() if name != "attempt"}
    log = told.pop("log") if isinstance(told.get("log"), str) else ""
    fields, rest = _Sieve(refused).shape(_RULES, "", told)
    handoff, too_much = _fitted(fields)
    return Salvaged(
        handoff=handoff,
        others={name: value for name, value in fields.items() if name not in HANDOFF},
        log=str(log),
        rest={**too_much, **rest},
    )


@dataclass(frozen=True)
class _Sieve:
    """Parts each value into what is valid (None for nothing) and what is not, by its place."""

    refused: AbstractSet[str]

    def part(self, rule: Rule, place: str, value: object) -> tuple[Any, dict[str, object]]:
        kept: object = None
        rest: dict[str, object] = {}
        if place not in self.refused:
            match rule, value:
                case Many(), list() | tuple():
                    kept, rest = self._many(rule, place, value)
                case Shape(), dict():
                    kept, rest = self.shape(rule, place, value)
                    kept = kept if rule.required <= kept.keys() else None
                case Text(), str():
                    kept, rest = _sentence(rule, place, value)
                case _:
                    kept = None if any(rule.faults(place, value)) else value
        return (None, {place: value}) if kept in (None, [], {}) else (kept, rest)

    def shape(
        self, rule: Shape, place: str, value: Mapping[str, object]
    ) -> tuple[dict[str, Any], dict[str, object]]:
        dot = f"{place}." if place else ""
        kept: dict[str, Any] = {}
        rest: dict[str, object] = {}
        for name, each in value.items():
            if each in (None, "", []):
                continue
            if name not in rule.fields:
                rest[dot + name] = each
                continue
            valid, invalid = self.part(rule.fields[name], dot + name, each)
            rest |= invalid
            if valid is not None:
                kept[name] = valid
        return kept, rest

    def _many(
        self, rule: Many, place: str, values: Sequence[object]
    ) -> tuple[list[Any] | None, dict[str, object]]:
        kept: list[Any] = []
        rest: dict[str, object] = {}
        for at, value in enumerate(values):
            here = f"{place}[{at}]"
            valid, invalid = self.part(rule.of, here, value)
            if valid is None or len(kept) == rule.most:
                rest[here] = value
            else:
                kept.append(valid)
                rest |= invalid
        return (kept if len(kept) >= rule.least else None), rest


def _sentence(rule: Text, place: str, text: str) -> tuple[str | None, dict[str, object]]:
    """Give the text, cut at a character where it may be; then the whole stands in the rest."""
    rest: dict[str, object] = {}
    if place.rpartition(".")[2] in _CUT and len(text) > rule.cap:
        text, rest = text[: rule.cap - 1] + "…", {place: text}
    return (None if any(rule.faults(place, text)) else text), rest


def _fitted(fields: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, object]]:
    """Fill the room of a handoff, value by value and item by item; give what found none, too."""
    fitting: dict[str, Any] = {}
    too_much: dict[str, list[object]] = {}
    for name, value, is_item in _values(fields):
        more = {**fitting, name: [*fitting.get(name, ()), value] if is_item else value}
        if any(size_faults(more)):
            too_much.setdefault(name, []).append(value)
        else:
            fitting = more
    return fitting, dict(too_much)


def _values(fields: Mapping[str, Any]) -> Iterator[tuple[str, object, bool]]:
    for name in _ORDER:
        value = fields.get(name)
        if isinstance(value, list):
            yield from ((name, item, True) for item in value)
        elif value is not None:
            yield name, value, False

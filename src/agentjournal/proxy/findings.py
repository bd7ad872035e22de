"""Passes on what was found: to the counters, to the measurement file, and to whoever runs the proxy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agentjournal.system.clock import timestamp
from agentjournal.system.identity import uuid7
from agentjournal.text.visible import one_line
from agentjournal.usage.call import Break

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.proxy.figures import Figures
    from agentjournal.proxy.watch import Found
    from agentjournal.system.clock import Clock
    from agentjournal.usage.subject import Subject

__all__ = ["Findings"]

_NAME_BYTES = 300
_LINE_BYTES = 1000
_TOLD = 1000
ANNOUNCED = "consolidation, announced"


@dataclass(kw_only=True)
class Findings:
    """Where findings go; words of a prompt stand in them only where `shows_text` says so."""

    figures: Figures
    store: Callable[[Break], None]
    tell: Callable[[str], None]
    clock: Clock
    random_bytes: Callable[[int], bytes]
    shows_text: bool = False
    _told: set[tuple[object, ...]] = field(default_factory=set, init=False)

    def broken(
        self, found: Found, subject: Subject, model: str, *, lost: int | None, announced: bool
    ) -> None:
        """Say where a prefix broke; a consolidation that was announced is only counted."""
        difference = found.difference
        detail = f"{difference.prompt_at} bytes of the prompt hold"
        if self.shows_text:
            detail += f"; before: {difference.before}; after: {difference.after}"
        seen = replace(
            self._seen(subject, model, ANNOUNCED if announced else difference.cause, detail),
            turn=found.turn,
            block=one_line(difference.block, _NAME_BYTES),
            path=one_line(difference.path, _NAME_BYTES),
            byte=difference.at,
            lost=lost,
        )
        self._pass_on(seen)
        if not announced:
            byte = "" if seen.byte is None else f", byte {seen.byte}"
            cost = f"; about {lost} tokens are sent again" if lost else ""
            place = f"{seen.cause} at {seen.path}{byte}{cost}"
            told = f"prefix broken: {_name(subject)}, turn {found.turn}: {place}"
            self.tell(one_line(told, _LINE_BYTES))

    def cut(self, subject: Subject, model: str, *, sent: int, read: int) -> None:
        """Say that an engine read less than was sent; it is told once, since every turn repeats it."""
        said = f"about {sent} tokens were sent, {read} were read"
        self._pass_on(self._seen(subject, model, "silent truncation", said))
        who = (subject.owner, subject.thread, model)
        if who in self._told:
            return
        if len(self._told) >= _TOLD:
            self._told.clear()
        self._told.add(who)
        told = f"silent truncation: {_name(subject)}: {said} by {model or 'the engine'}"
        self.tell(one_line(told, _LINE_BYTES))

    def _seen(self, subject: Subject, model: str, cause: str, detail: str) -> Break:
        now = self.clock.now()
        return Break(
            id=uuid7(now, self.random_bytes),
            at=timestamp(now),
            subject=subject,
            model=model,
            source="proxy",
            cause=cause,
            detail=detail,
        )

    def _pass_on(self, seen: Break) -> None:
        self.figures.broken(seen)
        self.store(seen)


def _name(subject: Subject) -> str:
    if subject.project and subject.task:
        return f"{subject.project} {subject.task}"
    return subject.owner or "nobody"

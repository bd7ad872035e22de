"""What a worker handed off, valid or not: read once, and never refused."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agentjournal.errors import Fault, InputError
from agentjournal.execution.contract import is_own, read_step
from agentjournal.execution.ending import text_of
from agentjournal.execution.form import read_form
from agentjournal.execution.references import reference_faults, superseded_faults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.execution.contract import Source
    from agentjournal.execution.ending import Ending, Written
    from agentjournal.execution.step import Step
    from agentjournal.storage.database import Reader

__all__ = ["Handed", "read_handed"]


@dataclass(frozen=True, kw_only=True)
class Handed:
    """A valid step, or the `faults` for which it is none.

    `fields` are the form, where it could be read and is this attempt's own; else `text` is all that
    was written. `refused` names the fields that refer to what is not there.
    """

    step: Step | None = None
    fields: Mapping[str, object] = field(default_factory=dict)
    text: str = ""
    faults: tuple[Fault, ...] = ()
    refused: frozenset[str] = frozenset()

    def checked(self, reader: Reader, slug: str) -> Handed:
        """Look up what it refers to: a step that refers to what is not there is no valid one.

        This holds for as long as the close is on its way into the queue: nothing that it can refer
        to is ever deleted.
        """
        if self.step:
            faults = tuple(reference_faults(reader, self.step))
        else:
            faults = tuple(superseded_faults(reader, slug, self.fields))
        if not faults:
            return self
        refused = frozenset(fault.field for fault in faults)
        return replace(self, step=None, faults=(*self.faults, *faults), refused=refused)


def read_handed(ending: Ending, written: Written, source: Source) -> Handed:
    """Read what was written; a form with another attempt's token is nothing but text."""
    if written is None:
        return Handed()
    if ending.end == "spawn_failed":
        return Handed(text=text_of(written))
    try:
        fields = read_form(written) if isinstance(written, str) else written
    except InputError as error:
        return Handed(text=text_of(written), faults=_faults(error))
    try:
        step = read_step(fields, source=source, defaults=ending.defaults, attempt=ending.attempt)
    except InputError as error:
        if is_own(fields, source, ending.attempt):
            return Handed(fields=fields, faults=_faults(error))
        return Handed(text=text_of(written), faults=_faults(error))
    return Handed(step=step, fields=fields)


def _faults(error: InputError) -> tuple[Fault, ...]:
    whole = Fault(field="(whole form)", rule="can be read", got=error.message, remedy=error.next)
    return error.faults or (whole,)

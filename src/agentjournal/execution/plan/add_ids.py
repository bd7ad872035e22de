"""Propose ids for the tasks of a plan that have none, and change nothing else in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.errors import InputError
from agentjournal.execution.plan.ids import fresh_ids, is_numeric
from agentjournal.execution.plan.items import chapters_of
from agentjournal.execution.plan.scan import scan
from agentjournal.execution.plan.source import decode, read_source
from agentjournal.execution.plan.unnamed import all_unnamed

if TYPE_CHECKING:
    from agentjournal.execution.plan.items import Unnamed

__all__ = ["with_ids"]

_BOM = "\ufeff"


def with_ids(data: bytes) -> str:
    """Give the plan's text with an id put into every line that looks like a task without one.

    Ids go on in the plan's own manner (`T058` after `T057`), else from `T-001`. Nothing is taken
    away or moved, line ends included. In a note without tasks the items of its phases become boxes.

    Raises:
        InputError: where the bytes are no UTF-8 or too many.
    """
    text, faults = decode(data)
    if text.encode() != data:
        raise InputError("The plan cannot be read.", faults=faults)
    source = read_source(text)
    found = scan(source.lines)
    chapters = chapters_of(found.items)
    ids = fresh_ids([item.id for item in found.items if item not in chapters])
    lines = text.removeprefix(_BOM).split("\n")
    for unnamed, name in zip(all_unnamed(source, found), ids, strict=False):
        line, column = lines[unnamed.line - 1], unnamed.column
        lines[unnamed.line - 1] = line[:column] + _lead(unnamed, name) + line[column:]
    return (_BOM if text.startswith(_BOM) else "") + "\n".join(lines)


def _lead(unnamed: Unnamed, name: str) -> str:
    if unnamed.form == "row":
        return f" {name}"
    if not is_numeric(name):
        return f"{unnamed.before}{name} "
    return (
        f"{unnamed.before}Task {name}: "
        if unnamed.form == "heading"
        else f"{unnamed.before}{name}. "
    )

"""The report as text: a table, the breaks with their causes, and how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.text.bounded import fit
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.usage.call import Break
    from agentjournal.usage.report.report import Line, Report

__all__ = ["break_line", "render", "thousands"]

_COLUMNS = (
    "calls",
    "input",
    "cached",
    "unmeasured",
    "output",
    "work",
    "worst turn",
    "breaks",
    "cost",
)
_KEY_BYTES = 48
_LINE_BYTES = 400
_LEAST_ROW_BYTES = 40
_GUIDE = """\
cached      share of the prompt's tokens that came from the cache, of measured calls only
            >= 90 % on repeats: the prefix holds; 50-90 %: in part; 10-50 %: something early changes;
            about 0: cold; absent: not measured. Read one row at a time: rows never add up.
work        computed tokens for each that was new in its conversation; 1.0x: none was computed twice,
            below: conversations share a prefix; absent: no conversation is known
worst turn  tokens that one turn had to compute; of a longer conversation not the first"""


def render(report: Report, cap: int = 20_000) -> str:
    """Give the report within the cap."""
    if not report.lines:
        return "Nothing was measured yet. `agentjournal usage import DIR` reads what agents kept."
    first = report.lines[: cap // _LEAST_ROW_BYTES]  # no more of them could stand within the cap
    rows = [(report.by, *_COLUMNS), *map(_row, first)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    table = [_line(row, widths) for row in rows]
    breaks = [break_line(found) for found in report.breaks]
    unpriced = sum(line.unpriced for line in report.lines)
    notes = [_GUIDE]
    if any(line.cost is not None for line in report.lines):
        dated = f"by the price table of {report.prices_as_of}, whose entries have their own dates"
        notes.append(f"cost        US dollars {dated}")
    if unpriced:
        notes.append(f"{unpriced} calls have no price: their model or counts are not known.")
    shown = [*table, *(["", "broken prefixes, newest first:"] if breaks else []), *breaks]
    if report.breaks_unlisted:
        notes.append(
            f"{report.breaks_unlisted} older broken prefixes: `agentjournal usage export`."
        )
    rest = "\n".join(notes)
    room = cap - len(rest.encode()) - 2
    more = len(report.lines) - len(first)
    return fit(shown, room, lambda count: f"... and {count + more} more lines") + f"\n\n{rest}"


def break_line(found: Break) -> str:
    """Give one broken prefix on one line."""
    subject = found.subject
    who = one_line(subject.owner or subject.component or "-", _KEY_BYTES)
    thread = f", {one_line(subject.thread, _KEY_BYTES)}" if subject.thread else ""
    turn = f" turn {found.turn}" if found.turn else ""
    path = f" at {found.path}" if found.path else ""
    byte = f" byte {found.byte}" if found.byte is not None else ""
    lost = f", {thousands(found.lost)} tokens lost" if found.lost else ""
    detail = f" ({found.detail})" if found.detail else ""
    return one_line(
        f"{found.at[:19]} {who}{thread}{turn}: {found.cause}{path}{byte}{lost}{detail}",
        _LINE_BYTES,
    )


def thousands(count: object) -> str:
    """Give a count with its thousands apart."""
    return f"{count:,}" if isinstance(count, int) else "-"


def _row(line: Line) -> tuple[str, ...]:
    worst = line.worst
    return (
        one_line(line.key, _KEY_BYTES),
        thousands(line.calls),
        thousands(line.input),
        "-" if line.share is None else f"{line.share * 100:.1f} %",
        thousands(line.unmeasured) if line.unmeasured else "-",
        thousands(line.output),
        "-" if line.amplification is None else f"{line.amplification:.2f}x",
        thousands(worst.tokens) if worst else "-",
        thousands(sum(line.breaks.values())) if line.breaks else "-",
        "-" if line.cost is None else f"${line.cost:,.4f}",
    )


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(cells, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(w) for cell, w in rest)]).rstrip()

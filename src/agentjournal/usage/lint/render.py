"""The report of `usage lint` as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.text.bounded import fit

if TYPE_CHECKING:
    from agentjournal.usage.lint.lint import BrokenTurn, Report

__all__ = ["render"]

_REMEDIES = {
    "clock": "Put the time below everything that stays, or leave it out.",
    "id": "Keep ids that change out of the prompt, or put them last.",
    "counter": "Put counters below everything that stays.",
    "reordered tools": "Send the tools in one fixed order.",
    "reordered keys": "Write JSON with one fixed order of keys.",
    "tool change": "Fix the list of tools for a conversation; refuse calls instead of removing tools.",
    "edited system prompt": "Keep the system prompt as it is; say what changes in a later message.",
    "edited history": "Append only: correct earlier words by later ones.",
    "pruned history": "Prune rarely and much at once, and count it as a reset.",
    "memory injected above history": "Put recalled memory below the history, in the newest message.",
    "one growing block inside a mark": "Send what grows as blocks: closed ones marked, the open one after.",
    "replaced block inside a mark": "Put the mark above what is replaced each turn.",
    "moved marks": "Leave a mark where the last request had one, at most 20 blocks above the newest.",
    "model change": "Each model has a cache of its own: stay with one for a conversation.",
    "chat template": "Keep the template and its arguments fixed for a conversation.",
    "settings change": "Keep this setting fixed for a conversation.",
}


def render(report: Report, cap: int = 100_000) -> str:
    """Give the report: a line of counts, then each broken turn with its place, cause and remedy."""
    turns = f"{report.turns} turn{'s' * (report.turns != 1)}"
    talks = f"{report.conversations} conversation{'s' * (report.conversations != 1)}"
    over = len(report.passed_over)
    note = f" Passed over {over}: {report.passed_over[0]}" if over else ""
    if report.is_good:
        return f"{turns} in {talks}: every prefix held.{note}"
    whose = "its" if len(report.broken) == 1 else "their"
    head = f"{turns} in {talks}: {len(report.broken)} broke {whose} prefix.{note}"
    items = [head, *map(_told, report.broken)]
    return fit(items, cap, lambda count: f"... and {count} more broken turns", sep="\n\n")


def _told(broken: BrokenTurn) -> str:
    found = broken.difference
    byte = f", byte {found.at}" if found.at is not None else ""
    conversation = f"conversation {broken.conversation}, " if broken.conversation > 1 else ""
    lines = [
        f"{conversation}turn {broken.turn} ({broken.where}): {found.cause}",
        f"  at      {found.path}{byte} ({found.block}; {found.prompt_at} bytes of the prompt hold)",
    ]
    if found.before or found.after:
        lines += [f"  before  {found.before}", f"  after   {found.after}"]
    if found.again:
        lines.append(f"  cost    about {found.again} characters are sent again without a cache")
    return "\n".join([*lines, f"  next    {_REMEDIES[found.cause]}"])

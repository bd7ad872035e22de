"""How a worker's end, and what was replaced in a text, is told to the person at the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.orchestrator.run import Run

__all__ = ["told_close", "with_redactions"]

FAULT_BYTES = 200


def told_close(slug: str, task: str, run: Run) -> str:
    """Say in a few lines how the attempt was closed."""
    head = f"{task} attempt {run.number}"
    logged = run.closed.logged
    if logged is None:
        why = run.closed.waits_because
        return f"{head}: its close waits in the spool ({why}); any later command stores it."
    came_back = f"{logged.result} ({logged.end})"
    lines = [
        f"{head}: {came_back}, worker's exit status {run.exit_code}; closed as step {logged.id}."
    ]
    lines += [
        f"Not valid in its handoff: {one_line(str(f), FAULT_BYTES)}" for f in logged.faults[:5]
    ]
    lines += [*logged.notes, *_redactions(logged.redacted)]
    if logged.is_late:
        lines.append("It came late: the attempt was closed before.")
    lines.append(f"Next: agentjournal state {slug}")
    return "\n".join(lines)


def with_redactions(text: str, kinds: Sequence[str]) -> str:
    """Add what was taken out before anything was written: a person may have to change a key."""
    return "\n".join([text, *_redactions(kinds)])


def _redactions(kinds: Sequence[str]) -> list[str]:
    return [f"Replaced a secret: [redacted:{kind}]." for kind in kinds]

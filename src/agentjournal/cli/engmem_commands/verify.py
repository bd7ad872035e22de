"""`engmem verify`: every citation checked against the text that it cites."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.engmem.review.verify import verify as check
from agentjournal.text.bounded import fit

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["verify"]

CAP = 12_000  # bytes: an agent reads it at the end of each task


@click.command(epilog="\b\nExample:\n  engmem verify --store ~/engmem")
@with_store
def verify(session: StoreSession) -> int:
    """Name each quote that cannot be verified, each row that is stale, each log that contradicts itself.

    The exit code is 1 exactly when a quote cannot be verified.
    """
    found = check(session.root)
    kinds = [each.kind for each in found.problems]
    counted = (
        f"{found.rows} rows checked: {kinds.count('unverifiable')} unverifiable, "
        f"{kinds.count('stale')} stale, {kinds.count('conflicting')} conflicting."
    )
    named = fit([*map(str, found.problems), *found.failures], CAP, _left_out)
    lines = [*([named] if named else []), counted]
    session.output.result("\n".join(lines), asdict(found) | {"is_sound": found.is_sound})
    return 0 if found.is_sound else 1


def _left_out(count: int) -> str:
    return f"{count} more: engmem verify --json names all"

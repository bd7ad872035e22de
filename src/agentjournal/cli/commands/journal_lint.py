"""`agentjournal journal lint`: what chills a prefix cache, found before it is sent."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agentjournal.cli.commands.journal import read_file
from agentjournal.cli.session import with_reading_session
from agentjournal.errors import InputError
from agentjournal.journal.lint import lint_prompt
from agentjournal.journal.sent import is_request
from agentjournal.journal.snapshot import decode
from agentjournal.journal.wire import BOUNDARY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.cli.session import Session

__all__ = ["lint"]

SHOWN = 100


@click.command(
    epilog="\b\nExamples:\n  agentjournal journal lint prompt.txt\n"
    "  agentjournal journal lint request.json --today 2026-11-30"
)
@click.argument("file", metavar="FILE")
@click.option("--boundary", metavar="LINE", default=BOUNDARY, help="The line that parts a text.")
@click.option("--today", metavar="YYYY-MM-DD", help="Count this day's date too; default: today.")
@with_reading_session
def lint(session: Session, file: str, boundary: str, today: str | None) -> int:
    """Find clocks, counters, ids and unsorted keys above the boundary; exit 1 where there are some.

    FILE is a prompt as text, or a request body as JSON, as it is sent.
    """
    day = today or session.services.world.now()[:10]
    found = lint_prompt(_prompt(read_file(file)), today=day, boundary=boundary)
    lines = [f"{file}:{each}" for each in found[:SHOWN]]
    if len(found) > SHOWN:
        lines.append(f"{len(found) - SHOWN} more.")
    text = "\n".join(lines) or "Nothing volatile stands above the boundary."
    session.output.result(text, [{"where": e.where, **asdict(e.volatile)} for e in found])
    return 1 if found else 0


def _prompt(text: str) -> str | Mapping[str, object]:
    """Take a JSON object with messages for a request, anything else for a text."""
    try:
        value = decode(text)
    except InputError:
        return text
    return value if is_request(value) else text

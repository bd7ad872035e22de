"""`agentjournal doctor`: what is in order, what is not, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.session import with_reading_session
from agentjournal.compose.doctor import examine

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["doctor"]


@click.command(epilog="\b\nExample:\n  agentjournal doctor")
@with_reading_session
def doctor(session: Session) -> int:
    """Check the installation, the store and a round trip through it; exit 1 where something fails."""
    findings = examine(session.services)
    width = max(len(each.check) for each in findings)
    lines = []
    for each in findings:
        lines.append(f"{each.verdict:4}  {each.check:{width}}  {each.detail}")
        if each.next:
            lines.append(f"      {'':{width}}  Next: {each.next}")
    session.output.result("\n".join(lines), [vars(each) for each in findings])
    return 1 if any(each.verdict == "fail" for each in findings) else 0

"""`agentjournal demo`: a plan carried out offline by real worker processes."""

from __future__ import annotations

from pathlib import Path

import click

from agentjournal.cli.output import Output
from agentjournal.compose.world import this_world
from agentjournal.demo.play import play

__all__ = ["demo"]


@click.command(epilog="\b\nExample:\n  agentjournal demo --keep /tmp/tally")
@click.option(
    "--keep", type=click.Path(path_type=Path), help="Leave repository and log in this folder."
)
def demo(keep: Path | None) -> int:
    """Watch workers that know only their brief build a small package, fail, die, and go on."""
    output = Output()
    verdict = play(this_world(), keep, say=output.note)
    output.result(verdict.text, verdict.data)
    return 0 if verdict.is_pass else 1

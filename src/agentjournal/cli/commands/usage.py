"""`agentjournal usage`: what completions cost, and whether the prefix cache paid."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.output import write
from agentjournal.cli.session import with_session
from agentjournal.compose.usage import measurements, prices, task_of_token
from agentjournal.usage.report.dashboard import dashboard as dashboard_text
from agentjournal.usage.report.export import call_data, export_lines
from agentjournal.usage.report.follow import call_line
from agentjournal.usage.report.render import break_line, render
from agentjournal.usage.report.report import By, build_report
from agentjournal.usage.report.since import read_since
from agentjournal.usage.transcripts.take_in import take_in

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.usage.call import Break
    from agentjournal.usage.transcripts.take_in import Imported

__all__ = ["usage"]

_HERE = "agentjournal.cli.commands.usage"
_CHECKS = "agentjournal.cli.commands.usage_checks"
_BREAKS_SHOWN = 20

ENTRIES = {
    "import": Entry(f"{_HERE}:import_", "Read what Claude Code and Codex kept of their sessions."),
    "lint": Entry(f"{_CHECKS}:lint", "Name each captured turn whose prefix broke, and why."),
    "report": Entry(f"{_HERE}:report", "Show tokens, cached share, breaks and cost."),
    "watch": Entry(f"{_HERE}:watch", "Follow calls as they come."),
    "probe": Entry(f"{_CHECKS}:probe", "Ask an engine whether it caches, and says so."),
    "export": Entry(f"{_HERE}:export", "Write everything measured as JSON Lines."),
    "dashboard": Entry(f"{_HERE}:dashboard", "Print a Grafana dashboard for our counters."),
}

_SINCE = click.option(
    "--since", metavar="WHEN", help="Count from: 90m, 12h, 7d, 2w, or 2026-11-30."
)
_PROJECT = click.option("--project", metavar="SLUG", help="Count only this project.")
_PRICES = click.option(
    "--prices",
    "price_file",
    type=click.Path(path_type=Path),
    help="Prices of your own, over the shipped table.",
)


@click.command(cls=LazyGroup, entries=ENTRIES)
def usage() -> None:
    """Show what completions cost, and whether the prefix cache paid."""


@click.command(
    "import",
    epilog="\b\nExamples:\n  agentjournal usage import ~/.claude/projects\n"
    "  agentjournal usage import ~/.codex/sessions",
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@with_session
def import_(session: Session, folder: Path) -> None:
    """Take in the transcripts below a folder: usage, touched files, broken prefixes. Again is harmless."""
    services = session.services
    with measurements(services) as store:
        imported = take_in(store, folder.expanduser(), resolve=task_of_token(services))
        breaks = store.newest_breaks(_BREAKS_SHOWN) if imported.breaks else []
    session.output.result(_told(imported, breaks), asdict(imported))


@click.command(
    epilog="\b\nExamples:\n  agentjournal usage report\n  agentjournal usage report --by task --since 7d"
)
@click.option(
    "--by",
    type=click.Choice(get_args(By)),
    default="component",
    show_default=True,
    help="One row for each.",
)
@_SINCE
@_PROJECT
@_PRICES
@with_session
def report(
    session: Session, by: By, since: str | None, project: str | None, price_file: Path | None
) -> None:
    """Show calls, tokens, cached share, work, breaks and cost; unmeasured calls stand apart."""
    services = session.services
    start = read_since(since, services.world.clock.now())
    table = prices(services, price_file)
    with measurements(services) as store:
        built = build_report(store, by=by, since=start, project=project, prices=table)
    session.output.result(render(built), built.data())


@click.command(
    epilog="\b\nExamples:\n  agentjournal usage watch\n  agentjournal usage watch --since 1h --calls 20"
)
@click.option(
    "--every", type=click.FloatRange(0.05, 3600), default=1.0, help="Look every so many seconds."
)
@click.option("--calls", type=click.IntRange(1), help="Leave after so many calls.")
@_SINCE
@with_session
def watch(session: Session, every: float, calls: int | None, since: str | None) -> None:
    """Print one line per call as it is measured, until Ctrl-C; from now on, or from a moment."""
    services = session.services
    table, seen = prices(services, None), 0
    with measurements(services) as store:
        start = read_since(since, services.world.clock.now())
        place = (start, "") if since else store.last_call()
        while True:
            for call in store.calls_after(place):
                session.output.result(call_line(call), call_data(call, table))
                sys.stdout.flush()
                place, seen = (call.at, call.id), seen + 1
                if calls is not None and seen >= calls:
                    return
            time.sleep(every)


@click.command(epilog="\b\nExample:\n  agentjournal usage export --since 7d > usage.jsonl")
@_SINCE
@_PROJECT
@_PRICES
@with_session
def export(
    session: Session, since: str | None, project: str | None, price_file: Path | None
) -> None:
    """Write a line of format, then every call, break and touched file, one JSON object a line."""
    services = session.services
    start = read_since(since, services.world.clock.now())
    table = prices(services, price_file)
    with measurements(services) as store:
        for line in export_lines(store, table, since=start, project=project):
            sys.stdout.write(line + "\n")
    sys.stdout.flush()


@click.command(epilog="\b\nExample:\n  agentjournal usage dashboard > usage-dashboard.json")
def dashboard() -> None:
    """Print a Grafana dashboard for the counters `agentjournal_llm_*`."""
    write(sys.stdout, dashboard_text())


def _told(imported: Imported, breaks: list[Break]) -> str:
    counted = (
        f"{imported.files} transcripts: {imported.sessions} sessions, {imported.agents} agents, "
        f"{imported.calls} calls, {imported.touches} touched files, {imported.breaks} broken prefixes."
    )
    lines = [counted, f"{imported.new} of these rows are new."]
    if not imported.files:
        lines.append("No file there is a transcript of Claude Code or Codex.")
    if imported.unreadable_lines:
        lines.append(f"{imported.unreadable_lines} lines are no JSON objects and were passed over.")
    if breaks:
        lines += ["", *(break_line(found) for found in breaks)]
        if imported.breaks > len(breaks):
            lines.append(f"... and {imported.breaks - len(breaks)} more: agentjournal usage report")
    return "\n".join(lines)

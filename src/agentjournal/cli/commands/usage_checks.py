"""`agentjournal usage lint` and `usage probe`: is the prefix kept, and does the engine say so?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from agentjournal.cli.session import with_session
from agentjournal.compose.usage import measurements
from agentjournal.errors import InputError
from agentjournal.usage.lint.capture import read_captures
from agentjournal.usage.lint.lint import lint as lint_captures
from agentjournal.usage.lint.render import render
from agentjournal.usage.probe import ProbeDialect
from agentjournal.usage.probe import probe as probe_lane

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["lint", "probe"]


@click.command(
    epilog="\b\nExamples:\n  agentjournal usage lint captured/          one body a file, in order\n"
    "  agentjournal usage lint turns.jsonl        one body, or one wrapped turn, a line"
)
@click.argument("path", metavar="FILE|DIR", type=click.Path(path_type=Path))
@with_session
def lint(session: Session, path: Path) -> int:
    """Name each turn that rewrote what it should have extended: block, path, byte and cause; exit 1 then."""
    report = lint_captures(read_captures(path))
    session.output.result(render(report), report.data())
    return 0 if report.is_good else 1


@click.command(
    epilog="\b\nExamples:\n  agentjournal usage probe http://127.0.0.1:8080/v1\n"
    "  agentjournal usage probe http://127.0.0.1:8080 --dialect anthropic --model m"
)
@click.argument("url", metavar="URL")
@click.option("--model", metavar="NAME", help="Ask this model; else the first one listed.")
@click.option(
    "--dialect", type=click.Choice(get_args(ProbeDialect)), default="openai-chat", show_default=True
)
@click.option("--key-env", metavar="NAME", help="Send the key that this variable holds.")
@with_session
def probe(
    session: Session, url: str, model: str | None, dialect: ProbeDialect, key_env: str | None
) -> None:
    """Send one long prompt twice and remember what the engine's silence means. It costs two answers."""
    from agentjournal.usage.lane_client import LaneClient

    lane = LaneClient(url, dialect, _key(key_env))
    found = probe_lane(
        lane.send,
        dialect=dialect,
        model=model or lane.first_model(),
        nonce=session.services.world.new_id(),
    )
    with measurements(session.services) as store:
        store.store_lanes({(lane.base, found.model): found.capability})
    data = {
        "lane": lane.base,
        "model": found.model,
        "capability": found.capability,
        "is_cached": found.is_cached,
        "cache_read": [found.first.cache_read, found.second.cache_read],
    }
    session.output.result(f"{lane.base} ({found.model}): {found.capability}. {found.told}", data)


def _key(variable: str | None) -> str:
    if variable is None:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InputError(f"{variable} is not set.", next="Name the variable that holds the key.")
    return key

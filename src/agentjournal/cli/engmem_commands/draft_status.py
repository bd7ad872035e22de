"""`engmem draft status`: which drafts of this repository were begun and never finished."""

from __future__ import annotations

import json

import click

from agentjournal.cli.engmem_commands.session import on_both_streams, session_of
from agentjournal.compose.world import this_world
from agentjournal.engmem.writing.unsaved import Unsaved, unsaved_of
from agentjournal.system.git import repository_root

__all__ = ["status"]


@click.command(epilog="\b\nExample:\n  engmem draft status")
@click.option(
    "--store", metavar="PATH", help="The folder that holds sessions/; else the configured one."
)
@click.option("--hook", "is_hook", is_flag=True, help="Print what a SessionStart hook reads.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(store: str | None, *, is_hook: bool, as_json: bool) -> None:
    """Name the unsaved drafts that are linked to the repository one stands in.

    With `--hook` it never fails, and is silent where there is nothing to say.
    """
    if is_hook:
        _hook(store)
        return
    with on_both_streams(is_json=as_json):
        session = session_of(store, is_json=as_json)
        found = _unsaved(store)
        where = f"engmem's working directory {session.world.cwd} is not in a git checkout"
        text = found.text() if found else f"engmem: {where}"
        data = {"repository": found.repository, "drafts": list(found.ids)} if found else None
        session.output.result(text, data)


def _hook(store: str | None) -> None:
    try:
        found = _unsaved(store)
    except Exception:  # noqa: BLE001 - a hook never breaks the session that it runs in
        return
    if found and (told := found.hook()):
        click.echo(json.dumps(told))


def _unsaved(store: str | None) -> Unsaved | None:
    """Give the drafts of the repository one stands in; None outside of any."""
    root = repository_root(this_world().cwd)
    if root is None:
        return None
    return unsaved_of(session_of(store).index.drafts(), root.name)

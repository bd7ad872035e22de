"""`engmem mode`: whether sessions are counted by reviews, and the saved choice of it."""

from __future__ import annotations

import click

from agentjournal.cli.engmem_commands.session import on_both_streams
from agentjournal.cli.output import Output
from agentjournal.compose.world import this_world
from agentjournal.config.engmem import MODES, mode_file, saved_engmem_mode
from agentjournal.engmem.writing.choice import save_choice
from agentjournal.errors import ConfigurationError

__all__ = ["mode"]

_MEANINGS = {
    "daily": (
        "daily: /engmem asks for no Pre-reg and starts no sub-agent; sessions are recorded as "
        "`mode: daily`, and reviews do not count them"
    ),
    "research": (
        "research: /engmem has a plan written before the first search (Pre-reg), or "
        "`baseline_unavailable: <reason>`; reviews count these sessions"
    ),
}
_SHOWN = 80  # characters of a wrong word


@click.group(epilog="\b\nExample:\n  engmem mode set research")
def mode() -> None:
    """Show or save the mode of sessions: daily, or research."""


@mode.command(epilog="\b\nExample:\n  engmem mode show")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(*, as_json: bool) -> None:
    """Show the mode, where it comes from, and what it means."""
    with on_both_streams(is_json=as_json):
        world = this_world()
        file = mode_file(world.environment, world.home)
        saved = saved_engmem_mode(file)
        chosen = saved or "daily"
        source = f"saved choice ({file})" if saved else f"default (no saved choice in {file})"
        text = f"mode: {chosen}\nsource: {source}\n{_MEANINGS[chosen]}"
        Output(as_json).result(text, {"mode": chosen, "source": source})


@mode.command("set", epilog="\b\nExample:\n  engmem mode set research")
@click.argument("word", metavar="|".join(MODES))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def set_mode(word: str, *, as_json: bool) -> None:
    """Save the mode for sessions that begin from now on."""
    with on_both_streams(is_json=as_json):
        chosen = next((each for each in MODES if each == word.strip().casefold()), None)
        if chosen is None:
            message = f"unknown mode {word[:_SHOWN]!r} — one of {', '.join(MODES)}"
            raise ConfigurationError(message)
        world = this_world()
        file = mode_file(world.environment, world.home)
        save_choice(file, chosen)
        text = (
            f"engmem mode: saved {chosen} in {file}\n{_MEANINGS[chosen]}\n"
            "note: sessions that were begun before keep the mode that they recorded"
        )
        Output(as_json).result(text, {"mode": chosen, "file": str(file)})

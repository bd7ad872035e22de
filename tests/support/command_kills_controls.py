"""Mistakes made on purpose: each must be found by the checks, or they could not fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.cli.commands import log
from agentjournal.orchestrator import worker

if TYPE_CHECKING:
    from support.command_kills_site import Site

_ANOTHER = "0192f0c4-0000-7000-8000-000000000002"


def second_id(site: Site) -> None:
    """Retry with another id."""
    site.write_step(_ANOTHER)


def _acknowledge_first() -> None:
    """Print the step's id before it is stored."""
    store = log.log_step

    def hasty(*given: object, **named: object) -> object:
        print(given[1].id, flush=True)
        return store(*given, **named)

    log.log_step = hasty


def _open_gate() -> None:
    """Let the worker run before the store knows its process."""
    worker._GATE = "import os, sys\nos.execvp(sys.argv[2], sys.argv[2:])\n"


CONTROLS = {"hasty": _acknowledge_first, "no-gate": _open_gate}

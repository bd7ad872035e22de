"""The command `agentjournal`: its groups, and what every command does about errors."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from agentjournal.cli.lazy import Entry, LazyGroup
from agentjournal.cli.output import LINE, Output
from agentjournal.errors import AgentJournalError
from agentjournal.text.bounded import clip, clip_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
_NAMED = 200  # bytes of a path that an error repeats
_COMMANDS = "agentjournal.cli.commands"

ENTRIES = {
    "init": Entry(
        f"{_COMMANDS}.init:init", "Name this repository's project and harvest what it rejected."
    ),
    "tried": Entry(
        f"{_COMMANDS}.tried:tried", "Ask whether something was tried, decided or rejected."
    ),
    "plan": Entry(f"{_COMMANDS}.plan:plan", "Check, number, register and show plans."),
    "log": Entry(f"{_COMMANDS}.log:log", "Record a step with its handoff."),
    "context": Entry(
        f"{_COMMANDS}.context:context", "Show what the next worker on a task must know."
    ),
    "state": Entry(f"{_COMMANDS}.state:state", "Show where a project stands."),
    "run": Entry(f"{_COMMANDS}.run:run", "Give one task to one worker and record how it ends."),
    "loop": Entry(f"{_COMMANDS}.loop:loop", "Carry out a plan, worker after worker."),
    "why": Entry(
        f"{_COMMANDS}.why:why", "List decisions and ruled-out options that hold some words."
    ),
    "doctor": Entry(
        f"{_COMMANDS}.doctor:doctor", "Check the installation and the store, with a next step each."
    ),
    "engmem": Entry(
        "agentjournal.cli.engmem:engmem", "Search the Markdown documents of past tasks."
    ),
    "journal": Entry(f"{_COMMANDS}.journal:journal", "Render the memory of an owner or a project."),
    "proxy": Entry(
        f"{_COMMANDS}.proxy:proxy", "Stand before an engine and measure what agents send it."
    ),
    "usage": Entry(
        f"{_COMMANDS}.usage:usage", "Show what completions cost and what the cache paid."
    ),
    "db": Entry(f"{_COMMANDS}.db:db", "Verify, move, back up and mend the store."),
    "resolve": Entry(
        f"{_COMMANDS}.resolve:resolve", "Answer for a task that waits for a person.", is_rare=True
    ),
    "reap": Entry(f"{_COMMANDS}.reap:reap", "Close attempts whose worker is gone.", is_rare=True),
    "ruled-out": Entry(
        f"{_COMMANDS}.ruled_out:ruled_out", "Reopen what was ruled out.", is_rare=True
    ),
    "discover": Entry(
        f"{_COMMANDS}.discover:discover", "Note work that the plan does not hold.", is_rare=True
    ),
    "history": Entry(
        f"{_COMMANDS}.history:history", "Read a project's steps in order.", is_rare=True
    ),
    "config": Entry(
        f"{_COMMANDS}.config:config", "Show each setting and where it comes from.", is_rare=True
    ),
    "demo": Entry(
        f"{_COMMANDS}.demo:demo", "Watch a plan being carried out, offline.", is_rare=True
    ),
    "completion": Entry(
        f"{_COMMANDS}.completion:completion",
        "Print the completion script of a shell.",
        is_rare=True,
    ),
}

EPILOG = """\b
Examples:
  agentjournal init                          in your repository: name it, harvest
  agentjournal tried "cache the parser"      was it tried, decided or rejected?
  agentjournal plan add shop plan.md         register a plan
  agentjournal loop shop --worker "CMD"      carry it out
"""


@click.command(
    cls=LazyGroup,
    entries=ENTRIES,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _option, asked: _show_version(ctx) if asked else None,
    help="Show the version and exit.",
)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def agentjournal(*, debug: bool) -> None:
    """Agents stop repeating what was already rejected, and no worker's death loses what it learned.

    Ask before you plan (`tried`), hand off before you die (`log`, `run`, `loop`).
    """
    del debug  # read by `run_command` from the arguments, since it outlives click's context


def main(args: Sequence[str] | None = None) -> None:
    """Run `agentjournal` and leave with its exit code."""
    sys.exit(run_command(agentjournal, "agentjournal", sys.argv[1:] if args is None else args))


def run_command(command: click.Command, name: str, args: Sequence[str]) -> int:
    """Run a command; every error becomes one clear message and an exit code.

    0 done (also: nothing found), 1 failed or a fault was found, 2 usage or configuration, 130 Ctrl-C.
    """
    try:
        answer = command.main(list(args), prog_name=name, standalone_mode=False)
    except AgentJournalError as error:
        if "--debug" in args:
            raise
        Output(as_json=_wants_json(args)).error(error)
        return error.exit_code
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        return _show_misuse(error, args)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except OSError as error:
        if "--debug" in args and not isinstance(error, BrokenPipeError):
            raise
        return _show_refused(error, args)
    return answer if isinstance(answer, int) else 0


def _show_refused(error: OSError, args: Sequence[str]) -> int:
    """Tell what the system refused; without a file's name it was most likely standard output.

    A reader that left (`| head`) has lost nothing. Python must not complain of either at its end.
    """
    if error.filename is None and sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 0
    name = "" if error.filename is None else f": {clip(str(error.filename), _NAMED)!r}"
    told = AgentJournalError(f"The system refused it ({error.strerror}{name}).")
    Output(as_json=_wants_json(args) and bool(name)).error(told)
    return told.exit_code


def _show_version(ctx: click.Context) -> None:
    from agentjournal.compose.version import version_line

    click.echo(version_line())
    ctx.exit()


def _wants_json(args: Sequence[str]) -> bool:
    return "--json" in args[: args.index("--")] if "--" in args else "--json" in args


def _show_misuse(error: click.ClickException, args: Sequence[str]) -> int:
    error.message = clip_lines(error.message, LINE)  # type: ignore[misc]  # final for click, which shows it
    if not _wants_json(args):
        error.show()
        return 2
    hint = (
        f"{error.ctx.command_path} --help"
        if isinstance(error, click.UsageError) and error.ctx
        else ""
    )
    misuse = AgentJournalError(error.format_message(), next=hint)
    misuse.kind = "usage"
    Output(as_json=True).error(misuse)
    return 2

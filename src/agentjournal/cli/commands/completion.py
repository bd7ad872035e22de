"""`agentjournal completion`: the script that teaches a shell to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from agentjournal.cli.lazy import LazyGroup

__all__ = ["completion"]

_WHERE = {
    "bash": "agentjournal completion bash >> ~/.bashrc",
    "zsh": "agentjournal completion zsh >> ~/.zshrc",
    "fish": "agentjournal completion fish > ~/.config/fish/completions/agentjournal.fish",
}


@click.command(
    epilog="\b\nExamples:\n" + "\n".join(f"  {line}" for line in _WHERE.values()),
)
@click.argument("shell", type=click.Choice(sorted(_WHERE)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell; append it to the shell's start-up file."""
    root = ctx.find_root().command
    known = get_completion_class(shell)
    if known is None or not isinstance(root, LazyGroup):
        raise click.UsageError(f"No completion is known for {shell}.")
    click.echo(known(root, {}, "agentjournal", "_AGENTJOURNAL_COMPLETE").source())

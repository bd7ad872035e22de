"""`agentjournal proxy`: stand before an engine, pass everything, and measure it."""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agentjournal.cli.session import with_reading_session
from agentjournal.errors import ConfigurationError, ExtraMissingError

if TYPE_CHECKING:
    from agentjournal.cli.session import Session

__all__ = ["proxy"]

PORT = 8811


@click.command(
    epilog="\b\nExamples:\n  agentjournal proxy --upstream http://127.0.0.1:8000/v1\n"
    "  OPENAI_BASE_URL=http://127.0.0.1:8811/o/planner/v1 my-agent\n"
    "  ANTHROPIC_BASE_URL=http://127.0.0.1:8811/o/planner claude -p ..."
)
@click.option("--upstream", metavar="URL", help="The engine's base URL; else the user's setting.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Any other needs a token.")
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME:PORT",
    help="A further name that clients use.",
)
@click.option("--routing-header", "headers", multiple=True, metavar="NAME", help="Instead of ours.")
@click.option("--routing-key", metavar="NAME", help="Also write the key into the body, under this.")
@click.option(
    "--keep-text", type=click.Path(path_type=Path), metavar="DIR", help="Keep request bodies there."
)
@click.option("--until-stdin-closes", "is_bound", is_flag=True, hidden=True)
@with_reading_session
def proxy(  # noqa: PLR0913, PLR0917 - the switches of a listener
    session: Session,
    upstream: str | None,
    port: int,
    host: str,
    names: tuple[str, ...],
    headers: tuple[str, ...],
    routing_key: str | None,
    keep_text: Path | None,
    *,
    is_bound: bool,
) -> int:
    """Pass requests to an engine unchanged; count usage per owner, name each prefix that breaks.

    Owners are told by the path /o/NAME, by X-Agentjournal-Owner, or by the ids that agent programs send.
    """
    from agentjournal.compose.usage import measurements, task_of_token

    services, settings = session.services, session.services.settings
    url = upstream or settings.proxy_upstream
    if url is None:
        raise ConfigurationError(
            "There is no engine to stand before.",
            next="Give --upstream URL, or set proxy_upstream in your own settings file.",
        )
    serve = _surface()
    options = serve.Options(
        upstream=serve.Upstream.parse(url),
        host=host,
        port=port,
        names=names,
        token=None if is_bound else settings.proxy_token,  # a loop's workers know of none
        routing_headers=headers or serve.HEADERS,
        routing_body_key=routing_key,
        keep_text=keep_text,
    )
    with measurements(services) as opened:
        around = serve.Surroundings(
            measurements=opened,
            clock=services.world.clock,
            random_bytes=services.world.random_bytes,
            tell=session.output.note,
            task_of=task_of_token(services),
        )
        running = serve.Proxy(options, around)
        if is_bound:
            threading.Thread(target=_end_with_stdin, args=(running,), daemon=True).start()
        running.run(lambda: session.output.result(_told(running.url, url), {"url": running.url}))
    return 0


def _surface() -> Any:  # noqa: ANN401 - a module
    """Load the other surface by its name, as every command is: surfaces import none of each other."""
    try:
        return import_module("agentjournal.proxy.serve")
    except ImportError as error:
        raise ExtraMissingError(
            f"The proxy needs {error.name}, which is not installed.",
            next='Run `pip install "agent-journal[proxy]"`.',
        ) from error


def _end_with_stdin(running: Any) -> None:  # noqa: ANN401 - the other surface's
    """Stop once whoever started us is gone, however it went."""
    while os.read(sys.stdin.fileno(), 4096):  # no lock is held that an exit would wait for
        pass
    running.stop()


def _told(url: str, upstream: str) -> str:
    return "\n".join(
        [
            f"{url} stands before {upstream}. Point each agent at it under a name of its own:",
            f"  OPENAI_BASE_URL={url}/o/NAME/v1",
            f"  ANTHROPIC_BASE_URL={url}/o/NAME",
            f"Figures: agentjournal usage report, and {url}/metrics. Ctrl-C ends it.",
        ]
    )

"""`agentjournal init`: name this repository's project and harvest what it rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.session import with_session
from agentjournal.compose.begin import begin
from agentjournal.recall.harvest.report import harvest_data, harvest_text
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.compose.begin import Begun

__all__ = ["init"]

QUESTION_BYTES = 60


@click.command(epilog="\b\nExamples:\n  agentjournal init\n  agentjournal init --slug shop")
@click.option("--slug", help="The project's name; else that of the folder.")
@with_session
def init(session: Session, slug: str | None) -> None:
    """Name this repository's project and gather what its history rejected or decided.

    It writes one file here, .agentjournal.toml (name and id), runs nothing of the repository and sends
    nothing anywhere. What it gathers are candidates: `tried` shows them as such, briefs never do.
    """
    begun = begin(session.services, slug)
    store = session.services.settings.engmem_store
    if (store / "sessions").is_dir():
        session.output.note(
            f"Briefs quote documents of {store}: what they say goes to the model that a worker "
            "uses. `never_in_brief` in its engmem.toml keeps them out."
        )
    session.output.result(_told(begun), _data(begun))


def _told(begun: Begun) -> str:
    found = begun.harvest
    wrote = "Wrote" if begun.is_new else "Kept"
    question = found.candidates[0].what if found.candidates else "what you are about to do"
    lines = [
        f"{wrote} {begun.file.name}: this repository is the project {begun.slug}.",
        "",
        harvest_text(found),
        "",
        f'Next: agentjournal tried "{one_line(question, QUESTION_BYTES)}"',
    ]
    if found.plans:
        lines.append(f"      agentjournal plan add {begun.slug} {found.plans[0].path}")
    return "\n".join(lines)


def _data(begun: Begun) -> dict[str, object]:
    told = {"slug": begun.slug, "file": str(begun.file), "is_new": begun.is_new}
    return told | harvest_data(begun.harvest)

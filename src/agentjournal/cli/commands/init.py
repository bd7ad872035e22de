"""`agentjournal init`: name this repository's project and harvest what it rejected."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agentjournal.cli.session import with_session
from agentjournal.compose.begin import begin
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from agentjournal.cli.session import Session
    from agentjournal.compose.begin import Begun
    from agentjournal.recall.claim import Claim

__all__ = ["init"]

SHOWN = 5
LINE_BYTES = 160


@click.command(epilog="\b\nExamples:\n  agentjournal init\n  agentjournal init --slug shop")
@click.option("--slug", help="The project's name; else that of the folder.")
@with_session
def init(session: Session, slug: str | None) -> None:
    """Name this repository's project and gather what its history rejected or decided.

    It writes one file here, .agentjournal.toml (name and id), runs nothing of the repository and sends
    nothing anywhere. What it gathers are candidates: `tried` shows them as such, briefs never do.
    """
    begun = begin(session.services, slug)
    session.output.result(_told(begun), _data(begun))


def _told(begun: Begun) -> str:
    found = begun.harvest
    wrote = "Wrote" if begun.is_new else "Kept"
    lines = [
        f"{wrote} {begun.file.name}: this repository is the project {begun.slug}.",
        f"Read {found.commits:,} commits; found {_counted(begun)}.",
    ]
    if found.candidates:
        lines += ["", f"{len(found.candidates)} candidates; nobody accepted them yet. The first:"]
        lines += [_line(claim) for claim in found.candidates[:SHOWN]]
    lines += [
        f"A plan: {plan.path} ({plan.tasks} tasks, {plan.done} ticked)"
        for plan in found.plans[:SHOWN]
    ]
    question = found.candidates[0].what if found.candidates else "what you are about to do"
    lines += ["", f'Next: agentjournal tried "{one_line(question, 60)}"']
    if found.plans:
        lines.append(f"      agentjournal plan add {begun.slug} {found.plans[0].path}")
    return "\n".join(lines)


def _counted(begun: Begun) -> str:
    counts = begun.harvest.counts
    return (
        ", ".join(f"{number:,} {name}" for name, number in counts.items()) or "no decision records"
    )


def _line(claim: Claim) -> str:
    return one_line(f"- {claim.verdict}: {claim.what} ({claim.evidence})", LINE_BYTES)


def _data(begun: Begun) -> dict[str, object]:
    found = begun.harvest
    return {
        "slug": begun.slug,
        "file": str(begun.file),
        "is_new": begun.is_new,
        "commits": found.commits,
        "counts": dict(found.counts),
        "candidates": [asdict(claim) for claim in found.candidates],
        "plans": [asdict(plan) for plan in found.plans],
    }

"""What was decided elsewhere: claims in force that answer a task, but are not the task's own."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agentjournal.brief.brief import Served
from agentjournal.brief.contain import framed, without_marks
from agentjournal.recall.tried import tried
from agentjournal.text.bounded import clip, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.brief.task_part import Work
    from agentjournal.recall.claim import Candidates, Source
    from agentjournal.recall.tried import Answer

_QUESTION_BYTES = 400
_PARAGRAPHS = 3
_FIELD = re.compile(r"[\w ]{1,30}:")  # `Depends on: T-001` names tasks of this plan
_LABEL = "claims of other tasks, projects and documents"


@dataclass(frozen=True)
class Elsewhere:
    """What the sources answer, empty where nothing does well, and the documents it quotes."""

    text: str
    served: tuple[Served, ...]


NOTHING = Elsewhere("", ())


def render_elsewhere(sources: Sequence[Source], work: Work, cap_bytes: int) -> Elsewhere:
    """Ask the sources about a task.

    Candidates, which nobody accepted, and what the task's own context holds are left out.
    """
    foreign = [_Foreign(source, f"{work.slug} {work.task}") for source in sources]
    room = cap_bytes - size(framed(_LABEL, "", cap_bytes))
    for question in _questions(work):
        answer = tried(foreign, question, cap=room)
        if answer.claims:
            text = framed(_LABEL, without_marks(answer.text), cap_bytes)
            return Elsewhere(text, tuple(_served(answer)))
    return NOTHING


def _served(answer: Answer) -> Iterator[Served]:
    """Count the bytes of each document whose claims are shown; a block shows one claim."""
    taken: Counter[str] = Counter()
    blocks = answer.text.split("\n\n")[1:]
    for place, (block, ranked) in enumerate(zip(blocks, answer.claims, strict=False), start=1):
        if ranked.claim.source == "engmem" and block.startswith(f"{place}. "):
            taken[ranked.claim.scope] += size(block)
    return (Served(document, count) for document, count in taken.items())


def _questions(work: Work) -> list[str]:
    """Ask for the title, then for each of the first paragraphs: a whole page asks for nothing."""
    paragraphs = [each for each in re.split(r"\n\s*\n", work.text) if not _FIELD.match(each)]
    return [clip(each, _QUESTION_BYTES, "") for each in (work.title, *paragraphs[:_PARAGRAPHS])]


class _Foreign:
    """A source without candidates and without the claims of one scope."""

    def __init__(self, source: Source, own_scope: str) -> None:
        self.name = source.name
        self._source = source
        self._own_scope = own_scope

    def claims(self, stems: Sequence[str], limit: int) -> Candidates:
        found = self._source.claims(stems, limit)
        kept = (
            claim
            for claim in found.claims
            if claim.standing == "in force" and claim.scope != self._own_scope
        )
        return replace(found, claims=tuple(kept))

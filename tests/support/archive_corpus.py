"""A life told in one strong register: what happened is said in images, questions are asked plainly."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.journal.consolidation import Consolidation

if TYPE_CHECKING:
    from agentjournal.journal.consolidation import ConsolidationRequest

PLACES = {  # the plain name, which the voice drops every other time, and its image
    "the nightly export": "the caravan that leaves when the moon is thin",
    "the login page": "the gate where strangers whisper their names",
    "the billing job": "the counting-house of the silver mice",
    "the search index": "the hall of a thousand drawers",
    "the mail queue": "the dovecote on the north tower",
    "the image cache": "the gallery of borrowed mirrors",
}
CAUSES = (  # what happened and what was done, the image that stands for both, how one asks
    (
        "the disk was full",
        "old logs were deleted",
        "the cellar could swallow no more grain, and we burned last year's letters",
        ("{} ran out of disk", "When were logs deleted for {}?"),
    ),
    (
        "the certificate had expired",
        "it was renewed",
        "the seal upon the charter had turned to dust, and a new one was pressed in wax",
        ("Was there an expired certificate on {}?", "{}: renewing the certificate"),
    ),
    (
        "two workers took the same row",
        "a lock was added",
        "two brides reached for a single ring, and we set a guard beside the altar",
        ("race between two workers in {}", "Where does {} take a lock?"),
    ),
    (
        "the clock of the host was slow",
        "time is synchronised every hour",
        "the bell-ringer dreamed behind the sun, and now a child pulls his sleeve at each bell",
        ("Did a wrong host clock ever break {}?", "synchronising time for {}"),
    ),
    (
        "a dependency was upgraded",
        "the old version was pinned",
        "the neighbour's horse had been shod anew, and we chained the old one to the post",
        ("{} broken by an upgrade", "Which version did we pin for {}?"),
    ),
    (
        "the network dropped large packets",
        "the packet size was lowered",
        "the bridge let only the slender pass, and we taught the oxen to walk in file",
        ("large packets lost on the network of {}", "{} and its packet sizes"),
    ),
)
PEOPLE = ("Mara", "Ilja", "Benno", "Sefa", "Orrin")
SIGHS = (
    "O brothers, hear how the night leans on its staff:",
    "And again, as the old song has it, the river turned in its bed:",
    "Sing, lanterns, of the sorrow that walks among us:",
    "Thus spoke the wind to the weeping stones, and we wept with them:",
)
ENDS = (
    "and the night kept its counsel, as the night must.",
    "and we wept, and the lanterns wept with us.",
    "so turns the wheel, o brothers, so turns the old song.",
    "and the stones remember what the river forgets.",
)


@dataclass(frozen=True)
class Happening:
    """One turn: how the owner told it, the neutral line for it, and plain questions about it."""

    voice: str
    neutral: str
    questions: tuple[str, ...]


def happenings(seed: int = 7) -> list[Happening]:
    """Give every place with every cause once, in an order of its own."""
    chance = random.Random(seed)  # noqa: S311 - a corpus, no secret
    found = []
    for plain, image in PLACES.items():
        for cause, remedy, vision, asked in CAUSES:
            who = chance.choice(PEOPLE)
            named = plain if chance.random() < 0.5 else image
            voice = (
                f"{chance.choice(SIGHS)} {who} came from {named} with ashes on the brow, for "
                f"{vision}; {chance.choice(ENDS)}"
            )
            neutral = f"{who} found that {plain} failed because {cause}; {remedy}."
            questions = tuple(question.format(plain) for question in asked)
            found.append(Happening(voice, neutral, questions))
    chance.shuffle(found)
    return found


def told_by(lines: dict[int, str]):
    """Give a consolidator that says of each epoch what is written here."""

    def consolidator(request: ConsolidationRequest) -> Consolidation:
        epochs = sorted({entry.epoch for entry in request.entries})
        return Consolidation("", [f"[Epoch {epoch}] {lines[epoch]}" for epoch in epochs])

    return consolidator

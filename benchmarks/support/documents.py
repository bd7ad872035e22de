"""Documents of past tasks, made up: as many as asked for, the same ones on every machine."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["questions", "write_documents"]

WORDS = 24_000
NAMES = 6_000
BYTES = (5_000, 8_000)
SECTIONS = (
    "1. Executive Summary",
    "2. Business Context",
    "6. System Architecture",
    "7. Code Implementation",
    "8. Decision Log",
    "11. Lessons Learned",
    "13. Future LLM Context (cold-start primer)",
    "14. Search Keywords",
)
_SYLLABLES = [
    first + vowel + last
    for first in ("b", "c", "d", "f", "g", "k", "l", "m", "n", "p", "qu", "r", "s", "t", "tr", "v")
    for vowel in "aeiou"
    for last in ("", "l", "n", "r", "st", "t")
]


class _Writer:
    """Draws words as texts do, by Zipf's law: few are common, most are rare."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - documents, no secrets
        draw = self.chance.choice
        made = (
            "".join(draw(_SYLLABLES) for _ in range(self.chance.randint(2, 4)))
            for _ in range(2 * WORDS)
        )
        self.words = list(dict.fromkeys(made))[:WORDS]
        self.weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(self.words))))
        self.names = [
            "".join(each.capitalize() for each in self.chance.sample(self.words[:4_000], k=2))
            for _ in range(NAMES)
        ]

    def some(self, count: int) -> list[str]:
        return self.chance.choices(self.words, cum_weights=self.weights, k=count)

    def document(self, number: int) -> tuple[str, str]:
        """Give the id and text of the document with this number."""
        names = self.chance.sample(self.names, k=3)
        title = " ".join(self.some(5))
        id_ = f"{number + 1000}-{'-'.join(title.split()[:2])}"
        day = f"20{number % 20 + 10}-{number % 12 + 1:02}-{number % 28 + 1:02}"
        head = [
            "---",
            f"id: {id_}",
            f'title: "{title}"',
            f"date: {day}",
            f"task_date: {day}",
            f"status: {'draft' if number % 97 == 0 else 'active'}",
            f"tags: [{', '.join(self.some(3))}]",
            f"entities: [{', '.join(names)}]",
            f"repos: [repository-{number % 40}]",
            "---",
        ]
        lines = [*head, "", f"# Knowledge Base \u2014 {title}", ""]
        share = self.chance.randint(*BYTES) // len(SECTIONS)
        for heading in SECTIONS:
            lines += ["", f"## {heading}", ""]
            written = 0
            while written < share:
                sentence = [*self.some(9), self.chance.choice(names), *self.some(3)]
                lines.append(f"- {' '.join(sentence)}.")
                written += len(lines[-1])
        return id_, "\n".join(lines) + "\n"


def write_documents(store: Path, count: int, seed: int = 1) -> None:
    """Write so many documents of 5 to 8 KB into a new store."""
    writer = _Writer(seed)
    (store / "sessions").mkdir(parents=True)
    for number in range(count):
        id_, text = writer.document(number)
        (store / "sessions" / f"{id_}.md").write_text(text)


def questions(count: int, seed: int = 1) -> Iterator[str]:
    """Give questions of five words, common and rare ones, about such documents."""
    writer = _Writer(seed)
    for _ in range(count):
        yield " ".join([*writer.some(4), writer.chance.choice(writer.names)])

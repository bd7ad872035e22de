"""A document as one string in which the words of a question are found without reading it again.

Before all stand the pairs of a short name and what it stands for. Each part (five fields, then
the sections) begins with a form feed and its number of words, that of a section with its locator.
Each word stands after one blank: its key alone where the form is the key, else `key~form`; after
it the parts of a CamelCase word as `key+` or `key+form`. A line feed ends an entity, tag or file,
and the heading of a section.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain

from agentjournal.engmem.ranking.meaning import pairs_in
from agentjournal.engmem.ranking.spelling import runs, spell
from agentjournal.typed import TYPE_CHECKING, NamedTuple, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.engmem.document import Document

__all__ = ["FIELDS", "Encoded", "Spellings", "Term", "encode", "extent", "terms"]

Encoded = NewType("Encoded", str)

FIELDS = ("id", "entities", "title", "tags", "covers_files")  # the first parts; sections follow

_KEYS = r" ([^ ~+\n\f]+)"  # compiled where documents are read
_WEIGHTS = (5, 5, 5, 2, 3)  # of a word in each field beside one of a section
_MOST = 255


class Term(NamedTuple):
    """How prominent a key is in a document (1 to 255, repeats count less) and in how many sections."""

    impact: int
    sections: int


class Spellings(dict[str, str]):
    """How each run of letters is written in an encoded document, worked out once each.

    Whoever encodes many documents passes one to all calls.
    """

    def __missing__(self, run: str) -> str:
        self[run] = written = " ".join(
            part
            for word in spell(run)
            for part in (
                word.key if word.form == word.key else f"{word.key}~{word.form}",
                *(f"{key}+{'' if form == key else form}" for form, key in word.parts),
            )
        )
        return written


def encode(document: Document, spellings: Spellings | None = None) -> Encoded:
    """Write down a document's words; same document, same string."""
    known = Spellings() if spellings is None else spellings
    fields = (
        [document.id], document.entities, [document.title], document.tags, document.covers_files
    )  # fmt: skip
    parts = [_part("", texts, known) for texts in fields]
    parts += [_part(each.locator, (each.heading, each.text), known) for each in document.sections]
    spoken = [document.title, *(f"{each.heading}\n{each.text}" for each in document.sections)]
    pairs = {pair for text in spoken for pair in pairs_in(text)}
    return Encoded(" ".join(sorted(pairs)) + "".join(parts))


def _part(name: str, texts: Iterable[str], known: Spellings) -> str:
    found = [runs(text) for text in texts]
    lines = (" ".join(map(known.__getitem__, each)) for each in found)
    words = sum([len(each) + sum([run.count("-") for run in each if "-" in run]) for each in found])
    return f"\f{words}{name} " + " \n ".join(lines) + " "


def terms(encoded: Encoded) -> Mapping[Term, list[str]]:
    """Give the keys under which the document is looked up, by their standing there."""
    pairs, *texts = encoded.split("\f")
    parts = [re.findall(_KEYS, part) for part in texts]
    fields, sections = parts[: len(FIELDS)], parts[len(FIELDS) :]
    weights = Counter(chain.from_iterable(sections))
    holding = Counter(chain.from_iterable(map(set, sections)))
    for part, weight in zip(fields, _WEIGHTS, strict=True):
        for key in set(part):
            weights[key] += weight
    alike: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for key, weight in weights.items():
        alike[weight, holding[key]].append(key)
    slow = 0.6 + 0.6 * weights.total() / 800
    found: defaultdict[Term, list[str]] = defaultdict(list)
    for (weight, count), keys in alike.items():
        found[Term(max(round(_MOST * weight / (weight + slow)), 1), count)] += keys
    if pairs:
        found[Term(1, 0)] += pairs.split()
    return found


def extent(encoded: Encoded) -> tuple[int, int]:
    """Give the number of its sections and that of all their words."""
    sections = encoded.split("\f")[1 + len(FIELDS) :]
    return len(sections), sum(int(each[: each.index("§")]) for each in sections)

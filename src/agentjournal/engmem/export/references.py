"""What in a text leads to other documents of the store: links, citations, ids and titles."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Self

from agentjournal.engmem.export.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agentjournal.engmem.header import Header

__all__ = ["Others", "links_and_citations"]

GAP = 8  # characters between two words of a name: emphasis, a line's end

_WORD = re.compile(r"\w+")
_WIKI = re.compile(r"\[\[[^\[\]\n]{1,400}\]\]")
_CITED = re.compile(r"(?<![\w.-])[\w.-]{1,200}@[0-9a-f]{16}(?![0-9a-f])")
_FILE = re.compile(r"\.md(?![\w-])", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class _Name:
    words: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Others:
    """The names of all other documents by their first two words: a text is read once for all."""

    names: dict[tuple[str, ...], tuple[_Name, ...]]

    @classmethod
    def of(cls, headers: Iterable[Header], own: Header) -> Self:
        """Take ids, files and titles; a title of one word is a word, not a name."""
        mine = {_words(own.id), _words(_stem(own)), _words(own.title)}
        found: defaultdict[tuple[str, ...], set[_Name]] = defaultdict(set)
        for header in headers:
            if header.id == own.id:
                continue
            named = [(header.id, "document id"), (_stem(header), "document id")]
            if len(_words(header.title)) > 1:
                named.append((header.title, "document title"))
            for name, kind in named:
                if (words := _words(name)) and words not in mine:
                    found[words[:2]].add(_Name(words, kind))
        longest = {head: tuple(sorted(names, key=_length)) for head, names in found.items()}
        return cls(longest)

    def within(self, text: str) -> Iterator[Span]:
        """Find every name, whatever its case and whatever stands between its words."""
        words = list(_WORD.finditer(text))
        folded = [match[0].casefold() for match in words]
        at = 0
        while at < len(words):
            name = self._at(text, words, folded, at)
            if name is None:
                at += 1
                continue
            last = words[at + len(name.words) - 1]
            file = _FILE.match(text, last.end())
            yield Span(words[at].start(), file.end() if file else last.end(), name.kind)
            at += len(name.words)

    def _at(
        self, text: str, words: Sequence[re.Match[str]], folded: Sequence[str], at: int
    ) -> _Name | None:
        heads = tuple(folded[at : at + 2]), tuple(folded[at : at + 1])
        for name in (each for head in heads for each in self.names.get(head, ())):
            after = at + len(name.words)
            if tuple(folded[at:after]) != name.words:
                continue
            run = words[at:after]
            gaps = (b.start() - a.end() for a, b in pairwise(run))
            if all(gap <= GAP for gap in gaps) and _stands_alone(text, run):
                return name
        return None


def links_and_citations(text: str) -> Iterator[Span]:
    """Find `[[links]]` and `id@version`, whether the store has such a document or not."""
    for kind, rule in (("wiki link", _WIKI), ("versioned citation", _CITED)):
        for match in rule.finditer(text):
            yield Span(*match.span(), kind)


def _stands_alone(text: str, run: Sequence[re.Match[str]]) -> bool:
    """Say whether the name is not a part of a longer one: `2201-router` in `2201-router-cache`."""
    start, end = run[0].start(), run[-1].end()
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return not (
        (len(before) > 1 and before[1] == "-" and before[0].isalnum())
        or (len(after) > 1 and after[0] == "-" and after[1].isalnum())
    )


def _words(name: str) -> tuple[str, ...]:
    return tuple(each.casefold() for each in _WORD.findall(name))


def _stem(header: Header) -> str:
    return header.file.removesuffix(".md")


def _length(name: _Name) -> tuple[int, _Name]:
    return -len(name.words), name

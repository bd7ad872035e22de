"""The options of a decision record: which were on the table, and what spoke against each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING, Literal

from agentjournal.recall.prose import first_sentence, items, plain

if TYPE_CHECKING:
    from agentjournal.recall.harvest.outline import Part

__all__ = ["Option", "OptionsKind", "kind_of", "options_of"]

OptionsKind = Literal["rejected", "considered"]

MOST = 50  # options of one section
_MOSTLY = 0.6
LONGEST = 200  # characters of an option's name

_REJECTED = re.compile(
    r"\b(?:rejected|discarded|dismissed|declined|ruled out|not chosen|not taken|why not)\b"
    r"|\balternatives?\b|\bother (?:options|approaches|ideas|solutions)\b",
    re.IGNORECASE,
)
_CONSIDERED = re.compile(
    r"\b(?:considered|possible|available|potential|proposed) (?:options|solutions|approaches)\b"
    r"|^options?(?: considered)?$|^pros and cons\b|^considered alternatives\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^(?:consequences|references|links|notes|summary|conclusion|context|decision"
    r"|pros|cons|advantages|disadvantages|overview|discussion|criteria)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^[\"'\u201c`]*(?:(?:option|alternative|approach|proposal|solution|variant|idea)s? *"
    r"(?:#? ?(?:\d{1,2}|[A-Z])\b)? *(?:[.:)\u2013\u2014-]+ *|$)|\d{1,2}[.:)] +|[A-Z][.:)] +)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:instead,? +|alternatively,? +|initially,? +|first,? +)?"
    r"(?:(?:we|i|one)(?: (?:also|briefly|initially|first|had))*"
    r" (?:considered|thought about|looked at|discussed|evaluated|explored|tried)(?: (?:also|that|whether))?"
    r"|(?:an?|the|one|another|a second|a third)(?: (?:possible|obvious|other|simple|simpler|different))*"
    r" (?:alternative|option|approach|possibility|idea|solution)(?: here)?"
    r" (?:is|was|would be|would have been|could be|might be)(?: to)?"
    r"|(?:we|one|it|this rfc|this pep) (?:could|might|can)(?: (?:also|instead|simply|just|have))*"
    r"|it (?:was|has been) (?:suggested|proposed) (?:that|to))[: ]+",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r" (?:[\u2013\u2014-]|--) |: |(?<!e\.g)(?<!i\.e)\. |; (?=rejected)| \((?=rejected)"
)
_PLACEHOLDER = re.compile(
    r"[{<\[]|\u2026$|\.\.\.$|(?:none|n/a|tbd|todo|not applicable)\b", re.IGNORECASE
)
_CON = re.compile(
    r"(?:`[-\u2212]`|\(-\)|\u274c|\U0001f44e) *"
    r"|(?:bad|con|cons|negative|disadvantages?|drawbacks?|downsides?|weakness(?:es)?|problems?"
    r"|(?:reasons? for )?reject(?:ed|ion)|why (?:not|rejected)|not chosen|against)"
    r"(?:,? because(?: of)?| since|:)?[:,]?(?: |$)",
    re.IGNORECASE,
)
_PRO = re.compile(
    r"(?:`[+\u00b1]`|\(\+\)|\u2705|\U0001f44d)"
    r"|(?:good|pros?|positive|advantages?|upsides?|benefits?|neutral|strengths?)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:but |however,? |though |therefore,? )*"
    r"(?:(?:this|it|that|these|they|both|all of)\b|we (?:have )?(?:reject|decid))",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:was|were|is|are|been|be|we) (?:have )?(?:also |therefore |thus |then )?"
    r"(?:rejected|ruled out|discarded|dismissed|abandoned|decided against)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Option:
    """One thing that could have been done, and what was said against it."""

    what: str
    why: str


def kind_of(heading: str) -> OptionsKind | None:
    """Say whether a section lists what was rejected, or all that was considered."""
    if _CONSIDERED.search(heading):
        return "considered"
    return "rejected" if _REJECTED.search(heading) else None


def options_of(part: Part, kind: OptionsKind) -> list[Option]:
    """Read a section's options: its subsections, else its list, its table, or its paragraphs."""
    named = [each for each in part.parts if not _ABOUT.match(each.heading)]
    found = [Option(_name(each.heading), against(each.whole)) for each in named]
    if not found and (kind == "considered" or _is_mostly_list(part.text)):
        found = _listed(part.text)
    found = found or _tabled(part.text) or _told(part.text)
    return [each for each in found[:MOST] if each.what and not _PLACEHOLDER.match(each.what)]


def against(text: str) -> str:
    """Give what speaks against an option: the cons where they are told apart, else all of it."""
    cons: list[str] = []
    is_con = False
    for item in items(text):
        if match := _CON.match(item.text):
            is_con = True
            cons.append(item.text[match.end() :].strip())
        elif _PRO.match(item.text):
            is_con = False
        elif is_con and item.is_listed:
            cons.append(item.text)
        else:
            is_con = False
    told = [each for each in cons if each]
    return "; ".join(each.rstrip(".;") for each in told) or plain_text(text)


def plain_text(text: str) -> str:
    """Give the items of a text on one line."""
    return " ".join(item.text for item in items(text))


def _name(text: str) -> str:
    bare = _NUMBERED.sub("", plain(text), count=1).strip("\"'\u201c\u201d` .:")
    lead = _LEAD.match(bare)
    return shorten(bare[lead.end() :] if lead else bare, LONGEST, placeholder="…")


def _is_mostly_list(text: str) -> bool:
    """Say whether the list is the section, and not an aside in its prose."""
    told = items(text)
    listed = sum(len(item.text) for item in told if item.is_listed)
    return listed >= _MOSTLY * sum(len(item.text) for item in told) > 0


def _listed(text: str) -> list[Option]:
    """Read a list: its outer items are options, what is nested below says more of each."""
    found: list[tuple[str, list[str]]] = []
    listed = [item for item in items(text) if item.is_listed]
    outer = min((item.depth for item in listed), default=0)
    for item in listed:
        if item.depth == outer and not (_CON.match(item.text) or _PRO.match(item.text)):
            found.append((item.text, []))
        elif found:
            found[-1][1].append(f"- {item.text}")
    return [_option(head, "\n".join(below)) for head, below in found]


def _option(head: str, below: str) -> Option:
    bare = _NUMBERED.sub("", head, count=1)
    broken = _BREAK.search(bare)
    if broken and broken.start() <= LONGEST:
        name, rest = bare[: broken.start()], bare[broken.end() :]
    else:
        name, rest = first_sentence(bare)
    return Option(_name(name), " ".join(filter(None, [rest.rstrip(")"), against(below)])))


def _tabled(text: str) -> list[Option]:
    """Read a table: the first cell names an option, the others speak of it."""
    rows = [
        [plain(cell) for cell in line.strip().strip("|").split("|")]
        for line in text.split("\n")
        if line.strip().startswith("|") and line.count("|") > 1
    ]
    body = rows[2:] if len(rows) > 2 and not "".join(rows[1]).strip("-: ") else []  # noqa: PLR2004 - head and rule
    return [Option(_name(row[0]), "; ".join(filter(None, row[1:]))) for row in body]


def _told(text: str) -> list[Option]:
    """Read prose: a paragraph that speaks of an alternative begins it, what follows belongs to it.

    `This was rejected ...` speaks of the paragraph before, unless that goes on about another.
    """
    found: list[list[str]] = []
    for item in items(text):
        is_verdict = _AGAINST.search(item.text) is not None
        goes_on = _PRONOUN.match(item.text) is not None
        if _LEAD.match(item.text) or (is_verdict and not goes_on):
            found.append([item.text])
        elif is_verdict and found and len(found[-1]) > 1 and not _PRONOUN.match(found[-1][-1]):
            found.append([found[-1].pop(), item.text])
        elif found:
            found[-1].append(item.text)
        else:
            found.append(["", item.text])  # nobody knows yet what it is about
    return [_from_prose(head, more) for head, *more in found if head]


def _from_prose(head: str, more: list[str]) -> Option:
    name, rest = first_sentence(head)
    return Option(_name(name), " ".join(filter(None, [rest, *more])))

"""One decision record: what was decided, why, and what was rejected on the way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.engmem.front_matter import FrontMatter, read_front_matter
from agentjournal.recall.harvest.options import Option, kind_of, options_of, plain_text
from agentjournal.recall.harvest.outline import outline
from agentjournal.recall.harvest.standing import standing_of
from agentjournal.recall.prose import first_sentence, plain
from agentjournal.search.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agentjournal.recall.harvest.options import OptionsKind
    from agentjournal.recall.harvest.outline import Part
    from agentjournal.recall.harvest.standing import RecordStanding

__all__ = ["Record", "read_record"]

OPTIONS = 12  # of one record
ALIKE = 0.6  # share of an option's words that the chosen one has, where both are the same

_NUMBER = re.compile(
    r"\[(?:adr|rfc|pep|kep)[-_ #]*\d{1,6}\][\s:.\u2013\u2014_-]*|"
    r"(?:(?:[A-Za-z]{2,8}[-_ ])?(?:adr|rfc|pep|kep|oep|ep|dr|madr|decision|proposal)[-_ #]*)?"
    r"\d{1,6}[a-z]?\b[\s:.\u2013\u2014_-]*"
    r"|(?:adr|rfc|pep|kep|architecture decision(?: record)?|title)\s*[:\u2013\u2014-]\s*",
    re.IGNORECASE,
)
_TITLE_LINE = re.compile(r"(?:[-*] )?:?(?:title|feature name):\s*(\S.*)", re.IGNORECASE)
_NO_TITLE = re.compile(
    r"(?:status|summary|abstract|context|overview|motivation|introduction|decision|proposal)\b.{0,20}"
    r"|.*\btemplate",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"(?:the )?(?:decision(?: outcome| made)?|outcome|resolution|solution|conclusion)\b",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"(?:chosen|selected|preferred|decided) (?:option|solution|alternative|approach)s?"
    r"(?: is| was)?:? *[\"'\u201c`]*"
    r"(.{2,200}?)[\"'\u201d`]*(?=,|\.(?:\s|$)|;|$| because| since| as it| in order)",
    re.IGNORECASE,
)
_AROUND = " ,.;:\"'\u201d"
_BECAUSE = re.compile(r"\b(?:because|since|as it|in order to)\b[:,]? *(.+)", re.IGNORECASE)
_MARKED = re.compile(
    r"\((?:chosen|selected|accepted|decision|preferred)\)|\u2705|\u2714", re.IGNORECASE
)
_BY_NUMBER = re.compile(
    r"\[(?:adr|rfc|pep|kep)[-_ #]*\d{1,6}\][\s:.\u2013\u2014_-]*|"
    r"(?:option|alternative|approach|proposal|solution) *#? *(\d{1,2}|[A-Z])\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Record:
    """A decision record as far as it could be read; `chosen` and `reason` may be empty."""

    title: str
    standing: RecordStanding
    chosen: str
    reason: str
    rejected: tuple[Option, ...]


def read_record(path: str, text: str) -> Record | None:
    """Read a record in any of the usual templates; None where it is a template or decides nothing."""
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    block = read_front_matter(text.replace("\r\n", "\n"))
    fields, body = (block.fields, block.body) if isinstance(block, FrontMatter) else ({}, text)
    top = outline(body, suffix.casefold())
    title = _title(fields, top, stem)
    if not title or title[0] in "{[<":
        return None
    chosen, reason = _decision(top)
    sections = list(_sections(top))
    chosen = _by_number(chosen, sections)
    rejected = _rejected(sections, chosen)
    record = Record(
        title=title,
        standing=standing_of(fields, top),
        chosen=chosen,
        reason=reason,
        rejected=tuple(rejected[:OPTIONS]),
    )
    return record if chosen or rejected or record.standing == "rejected" else None


def _title(fields: Mapping[str, object], top: Part, stem: str) -> str:
    stated = fields.get("title")
    heading = next((part.heading for part in top.walk() if part.level == 1), "")
    heading = "" if _NO_TITLE.fullmatch(heading) else heading
    line = next(
        (match[1] for each in top.text.split("\n")[:40] if (match := _TITLE_LINE.match(each))), ""
    )
    name = stated if isinstance(stated, str) else line or heading or re.sub(r"[-_]+", " ", stem)
    bare = _NUMBER.sub("", plain(name), count=1) if _NUMBER.match(plain(name)) else plain(name)
    return bare.strip(" .:")[:200]


def _decision(top: Part) -> tuple[str, str]:
    """Give what was chosen and why."""
    for part in top.walk():
        if _DECISION.fullmatch(part.heading):
            told = plain_text(part.text) or plain_text(part.whole)
            if match := _CHOSEN.search(told):
                return match[1].strip(), _reason(told[match.end() :])
            if told:
                chosen, rest = first_sentence(told)
                because = _BECAUSE.search(chosen)
                if because:
                    return chosen[: because.start()].rstrip(" ,"), _reason(because[0])
                return chosen, _reason(rest)
    return "", ""


def _reason(text: str) -> str:
    match = _BECAUSE.match(text.lstrip(" ,.;:\"'\u201d`"))
    plain = text.strip(_AROUND)
    if plain.count("`") % 2:  # the end of what was chosen, not the begin of a name in this text
        plain = plain.strip(f"{_AROUND}`")
    reason = match[1].strip(" .") if match else plain
    return "" if reason[:1] in {"[", "{", "<"} else reason


def _by_number(chosen: str, sections: Sequence[tuple[OptionsKind, list[Option]]]) -> str:
    """Give `Option 2` its name, where the options have one."""
    number = _BY_NUMBER.fullmatch(chosen)
    for kind, options in sections if number else ():
        for at, option in enumerate(options, start=1):
            if kind == "considered" and number and number[1].upper() in {str(at), chr(64 + at)}:
                return option.what
    return chosen


def _rejected(sections: Sequence[tuple[OptionsKind, list[Option]]], chosen: str) -> list[Option]:
    """Give the options that were not chosen, each once, with the longest reason said of it."""
    found: dict[tuple[str, ...], Option] = {}
    is_known = _is_known(chosen, sections)
    for kind, options in sections:
        for option in options if kind == "rejected" or is_known else ():
            key = words(option.what)
            known = found.get(key)
            if key and (known is None or len(known.why) < len(option.why)):
                found[key] = option
    return [
        option
        for option in found.values()
        if (option.why or chosen) and not _is_chosen(option, chosen)
    ]


def _is_known(chosen: str, sections: Sequence[tuple[OptionsKind, list[Option]]]) -> bool:
    """Say whether the chosen one is among the considered: else nobody can tell which it was."""
    return any(
        kind == "considered" and _is_chosen(option, chosen)
        for kind, options in sections
        for option in options
    )


def _sections(part: Part) -> Iterator[tuple[OptionsKind, list[Option]]]:
    """Give the sections that list options; what lies below one belongs to it."""
    if kind := kind_of(part.heading):
        yield kind, options_of(part, kind)
        return
    for below in part.parts:
        yield from _sections(below)


def _is_chosen(option: Option, chosen: str) -> bool:
    own = set(words(option.what))
    is_alike = bool(own) and len(own & set(words(chosen))) / len(own) >= ALIKE
    return is_alike or _MARKED.search(option.what) is not None

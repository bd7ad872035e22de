"""The block of one document that is shown, line by line, each with what it is worth."""

from __future__ import annotations

from agentjournal.engmem.answer.page import Line, own_words
from agentjournal.engmem.answer.related import cited_as, related_line
from agentjournal.engmem.answer.request import SHOWN
from agentjournal.engmem.answer.spelled import ID, path_of, spelled
from agentjournal.frozen import frozen
from agentjournal.text.bounded import clip
from agentjournal.text.visible import one_line
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.engmem.answer.page import Block
    from agentjournal.engmem.answer.shown import Extract, Shown, ShownHit
    from agentjournal.engmem.header import Header
    from agentjournal.engmem.ranking.rank import Hit
    from agentjournal.engmem.role import Role

__all__ = ["Form", "hit_block", "successor_block"]

TITLE = 200  # bytes, as all below
REPOS = 300
SNAPSHOT = 400
MATCHED = 300
WEAK = 400
LOCATOR = 120
PRIMER = 600
SHORT = 3  # characters

# What a line of the first hit is worth; that of a later hit is worth one less for each before it.
_SUCCESSOR = 110
_TITLE = 100
_EXTRACTS = (90, 50, 20)  # of the best section, the second, the third
_MATCHED = 70
_PRIMER = 60
_SNAPSHOT = 55
_WEAK = 40
_RELATED = 30
_REPOS = 15


@frozen(kw_only=True)
class Form:
    """How blocks are drawn: below which store, for which role, with repositories or without.

    `ambiguous` are the ids of documents that each stand for another meaning of the query,
    `compounds` the words asked for that have parts, of which one may have been found alone.
    """

    root: Path
    role: Role | None
    tells_repos: bool
    ambiguous: frozenset[str] = frozenset()
    compounds: frozenset[str] = frozenset()


def hit_block(shown: ShownHit, rank: int, form: Form) -> Block:
    """Render a hit, the best one with rank 0; its first line and its path are always there."""
    header, hit, role = shown.header, shown.hit, form.role
    first = "  ".join(
        [f"### {spelled(header.id, ID)} (score: {hit.score:.1f})", *_marks(shown, form)]
    )
    lines = [
        Line(first, ids=(header.id,), cites=cited_as(header)),
        Line(_title(header), _TITLE - rank),
        Line(f"path: {path_of(form.root, header)}"),
        *_links(shown, rank, form),
    ]
    if not role:
        lines.append(Line(_matched(hit), _MATCHED - rank))
    if hit.is_weak:
        lines.append(Line(_weak(hit, form.compounds), _WEAK - rank))
    extracts = zip(shown.extracts, _EXTRACTS, strict=False)
    lines += [Line(_extracted(each), worth - rank) for each, worth in extracts]
    return (*lines, *([] if role else _rest(shown, rank, form)))


def successor_block(shown: Shown, form: Form) -> Block:
    """Render the document that stands at the end of a superseded one's chain."""
    header = shown.header
    first = f"### {spelled(header.id, ID)} (successor)"
    head = "\n".join([first, _title(header), f"path: {path_of(form.root, header)}"])
    return (
        Line(head, _SUCCESSOR, ids=(header.id,), cites=cited_as(header)),
        *_links(shown, SHOWN, form),
        *_rest(shown, SHOWN, form),
    )


def _marks(shown: ShownHit, form: Form) -> Iterator[str]:
    if form.role:
        yield f"[role: {form.role}]"
    if shown.header.id in form.ambiguous:
        yield "[ambiguous]"
    if shown.header.status != "active":
        by = shown.header.superseded_by if shown.header.status == "superseded" else None
        yield f"[{shown.header.status}{f' by {spelled(by, ID)}' if by else ''}]"
    if shown.hit.is_weak:
        yield "[weak candidate]"


def _links(shown: Shown, rank: int, form: Form) -> Iterator[Line]:
    """Tell which repositories it is linked to, and how it stands to the one here."""
    if form.tells_repos:
        header = shown.header
        named = ", ".join(one_line(name) for name in header.repos) or "none"
        told = "unreadable (see the load warning)" if header.has_unknown_repos else named
        yield Line(f"repos: {clip(told, REPOS)}", _REPOS - rank)
    if shown.snapshot:
        yield Line(f"snapshot: {one_line(shown.snapshot, SNAPSHOT)}", _SNAPSHOT - rank)


def _rest(shown: Shown, rank: int, form: Form) -> Iterator[Line]:
    header = shown.header
    if header.primer:
        yield Line(own_words(one_line(header.primer, PRIMER)), _PRIMER - rank)
    if header.related:
        text, count = related_line(header, shown.related, form.root)
        cites = tuple(
            cite
            for each in shown.related[:count]
            if _has_path(each.header)
            for cite in cited_as(each.header)
        )
        yield Line(text, _RELATED - rank, cites=cites)


def _has_path(header: Header | None) -> bool:
    """Say whether a related line tells where the document lies, so that it can be read."""
    return header is not None and header.status == "active"


def _title(header: Header) -> str:
    return f"title: {one_line(header.title, TITLE)}"


def _matched(hit: Hit) -> str:
    parts = [f"{name}={','.join(words)}" for name, words in hit.matched]
    return f"matched: {one_line('; '.join(parts), MATCHED)}"


def _weak(hit: Hit, compounds: frozenset[str]) -> str:
    """Say why a hit may be chance; of a class name it may be that only a part was found."""
    if not hit.covered:
        return (
            f"weak candidate: matched 0 of {len(hit.asked)} query words, only names added to the "
            "query — check it before relying on it"
        )
    whole = {word.partition("~")[0] for _, words in hit.matched for word in words}
    told = [f"{word} in part" if word in compounds - whole else word for word in hit.covered]
    short = "; words of 3 characters or fewer count only as identifiers"
    rule = short if any(len(word) <= SHORT for word in hit.asked) else ""
    words = one_line(", ".join(told), WEAK - 200)
    return (
        f"weak candidate: matched {len(hit.covered)} of {len(hit.asked)} query words "
        f"({words}{rule}) and no identifier — check it before relying on it"
    )


def _extracted(extract: Extract) -> str:
    where = spelled(extract.locator, LOCATOR)
    return f"  {where}   {extract.size / 1024:.1f} KB   {extract.text}"

"""Paths of a machine in a text: they say who works there and where, and lead nowhere elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentjournal.engmem.export.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["local_paths"]

_ROOTS = (
    "home|Users|root|tmp|private|Volumes|mnt|media|srv|opt|var|etc|usr|Library|Applications"
    "|workspaces?"
)
_STARTS = (
    r"file:/{1,3}",
    rf"(?<![\w/.~-])/(?:{_ROOTS})/",
    r"(?<![\w/])~[\w.-]{0,64}/",
    r"\$\{?\w{1,64}\}?[/\\]",
    r"%\w{1,64}%[/\\]",
    r"(?<!\w)[A-Za-z]:[/\\]",
    r"(?<![\\\w])\\\\[\w.$-]{1,255}\\",
)
LONGEST = 1_000  # characters of a quoted path

_CLOSED_BY = {'"': '"', "'": "'", "`": "`", "<": ">"}
_REST = re.compile(r"[^\s\"'`<>()\[\]{}|,;*]*")
_WITHIN = {end: re.compile(rf"[^\n{re.escape(end)}]{{0,{LONGEST}}}") for end in _CLOSED_BY.values()}


def local_paths(text: str, own: Sequence[str] = ()) -> Iterator[Span]:
    """Find absolute paths, homes, drives, shares and file addresses; `own` are known folders.

    A path that opens a quotation reaches to its end, spaces included. Web addresses are none.
    """
    folders = [re.escape(each.rstrip("/")) for each in own if len(each.rstrip("/")) > 1]
    start = re.compile("|".join([*(rf"{each}(?![\w-])" for each in folders), *_STARTS]))
    place = 0
    while match := start.search(text, place):
        place = max(_end(text, match.start(), match.end()), match.end())
        yield Span(match.start(), place, "local path")


def _end(text: str, start: int, known: int) -> int:
    closing = _CLOSED_BY.get(text[start - 1]) if start else None
    if closing is not None:
        inside = _WITHIN[closing].match(text, known)
        if inside and text[inside.end() : inside.end() + 1] == closing:
            return inside.end()
    rest = _REST.match(text, known)
    end = rest.end() if rest else known
    return end - (end > known and text[end - 1] in ".:")

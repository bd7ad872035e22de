"""Names of things, taken from a section of search keywords."""

from __future__ import annotations

import re

__all__ = ["keywords"]

MOST = 200  # a list of a front matter holds no more
CHARACTERS = 60
WORDS = 4

_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")
_LABEL = re.compile(r"^\**[^:`,;·|]{1,40}(?::\**|\**:)\s+")
_SEPARATORS = re.compile(r"[,;·|]")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_TELLING = re.compile(r"[\d/_.-]")
_NOTHING = frozenset({"n/a", "na", "none", "tbd", "todo", "-", "--", "...", "etc.", "e.g.", "i.e."})


def keywords(text: str) -> tuple[str, ...]:
    """Give the terms that name something.

    Those are in backticks, hold a digit or one of `/ _ . -`, or have a capital inside.
    """
    found: dict[str, str] = {}
    for line in text.split("\n"):
        bare = _LABEL.sub("", _BULLET.sub("", line, count=1), count=1)
        for part in _SEPARATORS.split(_LINK.sub(r"\1", bare)):
            if term := _term(part.strip()):
                found.setdefault(term.casefold(), term)
    return tuple(found.values())[:MOST]


def _term(part: str) -> str:
    """Give the term of a part, empty where it names nothing."""
    is_code = len(part) > 2 and part[0] == part[-1] == "`" and "`" not in part[1:-1]  # noqa: PLR2004 - two ticks
    term = part.strip("`*_ \t").rstrip(".:!?").strip()
    if not term or len(term) > CHARACTERS or len(term.split()) > WORDS:
        return ""
    if term.casefold() in _NOTHING or part.casefold() in _NOTHING or "`" in term:
        return ""
    names_something = (
        is_code or _TELLING.search(term) or any(letter.isupper() for letter in term[1:])
    )
    return term if names_something and any(map(str.isalnum, term)) else ""

"""What the first line of a commit's message says: something taken out, or brought back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["Subject", "bare", "is_noise", "key_of", "read_subject"]

Kind = Literal["revert", "reapply"]

LONGEST = 300  # characters of a subject that are looked at

_VERBS = r"(?:revert|back|roll|undo|re-?(?:appl|land|intro|instat|add)|unrevert|bring)"

# `[TAG]`, `fix(scope):`, `net/http:`: up to two of them stand before the words.
_TAGS = re.compile(
    rf"(?:\[(?!{_VERBS})[^\]]{{1,30}}\] ?:? *|\([A-Z]+-\d+\) *|[A-Z]{{2,10}}-\d{{1,6}}:? +"
    rf"|(?!{_VERBS})[A-Za-z][\w./+-]{{0,40}}(?:\([^)]{{1,40}}\))?!?: +){{0,2}}",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\[?(?:(?P<revert>revert(?:s|ed|ing)?|back(?:s|ed|ing)?[ -]?out"
    r"|(?P<doubtful>roll(?:s|ed|ing)?[ -]?back|undo))(?: +(?:of|commit|changeset))?"
    r"|re-?appl(?:y|ies|ied)|(?:re-?|un-?re)(?:land|vert)(?:s|ed)?|re-?introduc(?:e[sd]?|ing)"
    r"|re-?instat(?:e[sd]?)|re-?add(?:s|ed)?|bring(?:s|ing)? back)\b[\]:\s]+",
    re.IGNORECASE,
)
_ID = re.compile(r"[0-9a-f]{7,40}\b[:,]? +(?=\S)")
_TYPE = re.compile(
    r"(?:(?:\[[^\]]{1,30}\] ?:? *|[A-Z]{2,10}-\d{1,6}:? +)+|(?:feat|feature|fix|bug ?fix|chore|docs?"
    r"|refactor|perf|tests?|build|ci|style|minor|hotfix)(?:\(([^)]{1,40})\))?!?: +)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*\((?:#|PR ?#?|GH-|pull request #)\d{1,7}\)\s*$", re.IGNORECASE)
_BACK_TO = re.compile(r"(?:back )?to (?:the )?(?:use |using )?", re.IGNORECASE)
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "`": "`"}
_MERGE = re.compile(
    r"merge\b.*\b(?:branch|pull request|pr|into|remote|tag|master|main)\b|merged? in\b",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\b(?:typos?|wip|white ?space|lint(?:er|ing)?|changelog|accident\w*|unintend\w*|unintention\w*"
    r"|by mistake|debug(?:ging)? (?:code|output|print\w*)|temporary|temp commit|test commit"
    r"|random (?:file )?changes|wrong branch|oops|fixup|squash)\b"
    r"|^(?:bump|set|update|prepare|release|start|begin)?\s*(?:the )?(?:version|release|development)\b.*\d"
    r"|^v?\d+(?:\.\d+)+\S*$|^\d+ changesets|\[maven-release-plugin\]|^release\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Subject:
    """A change that was taken out or brought back; `what` says which, as far as the line tells.

    `Roll back the transaction` may be a feature: that it is about a change, a quote or id must say.
    """

    kind: Kind
    what: str
    is_sure: bool
    is_back_to: bool = False


def read_subject(text: str) -> Subject | None:
    """Read a first line; None where it neither takes out nor brings back.

    `Revert "Revert "X""` and `Reapply "X"` bring X back; `Revert to X` takes out what replaced X.
    """
    rest = text[:LONGEST].strip()
    reverts, is_sure = [], True
    while found := _VERB.match(rest, _words_at(rest)):
        reverts.append(found["revert"] is not None)
        rest = _NUMBER.sub("", rest[found.end() :]).strip()
        named = _ID.sub("", rest, count=1)
        is_sure = is_sure and (not found["doubtful"] or named != rest or named[:1] in _QUOTES)
        rest = _unquoted(named)
    if not reverts or not rest:
        return None
    if sum(reverts) % 2 == 0:
        return Subject("reapply", rest, is_sure)
    back = _BACK_TO.match(rest)
    return Subject("revert", rest[back.end() :] if back else rest, is_sure, back is not None)


def bare(subject: str) -> str:
    """Give a subject as the words of a change: no type, request number, quotes or full stop."""
    text = _unquoted(_NUMBER.sub("", subject[:LONGEST].strip()).strip())
    words = _TYPE.sub(lambda found: f"{found[1]}: " if found[1] else "", text, count=1) or text
    return words.rstrip(" .;:")


def key_of(subject: str) -> str:
    """Give the form in which the subjects of one change are equal."""
    text, barer = subject, bare(subject)
    while len(barer) < len(text):  # one thing that was taken off may have hidden another
        text, barer = barer, bare(barer)
    return " ".join(re.findall(r"\w+", (text[_words_at(text) :] or text).casefold()))


def is_noise(subject: str) -> bool:
    """Say whether the change was no idea that anybody could have again."""
    return bool(_MERGE.match(subject) or _NOISE.search(subject))


def _words_at(text: str) -> int:
    tags = _TAGS.match(text)
    return tags.end() if tags else 0


def _unquoted(text: str) -> str:
    """Take off a pair of quotes, or one that lost its partner where the line was cut."""
    for opening, closing in _QUOTES.items():
        if text.startswith(opening):
            inner = text[1:]
            end = inner.rfind(closing)
            return inner[:end].strip() if end > 0 else inner.strip()
    return text

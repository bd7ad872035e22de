"""What a history took out again, and what it brought back, with the reasons that were given."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.recall.harvest.reason import named_commits, reason_of
from agentjournal.recall.harvest.subject import bare, is_noise, key_of, read_subject
from agentjournal.recall.prose import first_sentence
from agentjournal.search.question import is_light
from agentjournal.search.words import read_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.recall.harvest.objects import Commit
    from agentjournal.recall.harvest.subject import Kind

__all__ = ["Turn", "Turned", "turned"]

FEWEST_WORDS = 2  # that say something: below, nobody could find it, or know what it was
FEWEST_WITHOUT_REASON = 3

_MISTAKE = re.compile(
    r"\b(?:by (?:mistake|accident)|accidental\w*|unintended|unintentional\w*|inadvertent\w*"
    r"|wrong branch|merged too (?:early|soon)|prematurely|pushed too early|should not have been merged"
    r"|not ready to (?:be )?merged?|oops)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"Merge pull request #\d+ from [\w.-]+/(\S+)")


@dataclass(frozen=True)
class Turn:
    """One commit that took a change out or brought it back."""

    kind: Kind
    commit: Commit
    reason: str


@dataclass
class Turned:
    """A change and its turns, the oldest first; `said` is what the change said for itself."""

    what: str
    said: str
    is_back_to: bool
    turns: list[Turn] = field(default_factory=list)

    @property
    def is_out(self) -> bool:
        """Say whether the last turn took it out."""
        return self.turns[-1].kind == "revert"

    @property
    def is_sensible(self) -> bool:
        """Say whether a reader could learn from it: it is an idea, and was no slip."""
        telling = [word for word in read_words(self.what) if not is_light(word)]
        is_slip = any(_MISTAKE.search(turn.reason) for turn in self.turns)
        has_reason = any(turn.reason for turn in self.turns)
        is_clear = len(telling) >= (FEWEST_WORDS if has_reason else FEWEST_WITHOUT_REASON)
        return is_clear and not is_slip and not is_noise(self.what)


def turned(commits: Iterable[Commit]) -> list[Turned]:
    """Give every change that was taken out or brought back, the last one turned first.

    `commits` come newest first. A revert of a revert brings back; merges are no turns of their own.
    """
    history = {commit.id: commit for commit in commits}
    changes: dict[str, Turned] = {}
    for commit in reversed(history.values()):
        subject = read_subject(commit.subject) if len(commit.parents) <= 1 else None
        if subject is None:
            continue
        origin = _origin(commit, history)
        if not subject.is_sure and origin is None:
            continue
        what = _title(origin) if origin else bare(subject.what)
        key = key_of(what)
        change = changes.pop(key, None) or Turned(what, _said(origin), subject.is_back_to)
        change.turns.append(Turn(subject.kind, commit, _reason(commit, subject.what)))
        changes[key] = change
    return list(reversed(changes.values()))


def _origin(commit: Commit, history: Mapping[str, Commit]) -> Commit | None:
    """Follow the ids that reverts name down to the change that was no revert."""
    seen: set[str] = set()
    here: Commit | None = commit
    while here and here.id not in seen and (here is commit or read_subject(here.subject)):
        seen.add(here.id)
        here = _named(here, history)
    return here if here is not commit and here and here.id not in seen else None


def _named(commit: Commit, history: Mapping[str, Commit]) -> Commit | None:
    for id_ in named_commits(f"{commit.subject}\n{commit.body}"):
        found = history.get(id_) or next(
            (each for known, each in history.items() if known.startswith(id_)), None
        )
        if found:
            return found
    return None


def _title(commit: Commit) -> str:
    """Give what a change is called; a merged request by its title or the name of its branch."""
    request = _REQUEST.match(commit.subject)
    if request is None:
        return bare(commit.subject)
    title = commit.body.split("\n", 1)[0].strip()
    return bare(title) or " ".join(re.split(r"[/_-]+", request[1]))


def _said(origin: Commit | None) -> str:
    return first_sentence(reason_of(origin.body))[0] if origin else ""


def _reason(commit: Commit, what: str) -> str:
    """Give the reason in the body, else the one that the first line itself gives."""
    told = reason_of(commit.body)
    if told:
        return told
    _, because, reason = what.partition(" because ")
    return reason if because else ""

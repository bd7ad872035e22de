"""Order versions as package indexes do: numbers by value, what comes before a release before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["Version", "read_version"]

LONGEST = 100  # characters: what is longer is no version

_FORM = re.compile(
    r"""
    [=v\s]*
    (?:(?P<epoch>\d+)!)?
    (?P<release>\d+(?:\.\d+)*)
    (?P<rest>[^+]*)
    (?:\+.*)?                       # a local version or build names no other release
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PART = re.compile(r"([a-z]+)|(\d+)", re.IGNORECASE)
_SPELLED = {
    "alpha": "a",
    "beta": "b",
    "c": "rc",
    "pre": "rc",
    "preview": "rc",
    "rev": "post",
    "r": "post",
}
_PHASES = {"dev": -4, "a": -3, "b": -2, "rc": -1, "post": 1}
_OTHER_PHASE = -2  # `canary`, `next`, ...: before the release, like a beta
_RELEASE = (0, "", 0)  # after every phase before a release, before every `post`


@dataclass(frozen=True, order=True)
class Version:
    """A version as a value that sorts; `text` is how it was written."""

    epoch: int
    release: tuple[int, ...]
    phases: tuple[tuple[int, str, int], ...]
    text: str = field(compare=False)


def read_version(text: str) -> Version | None:
    """Read `1.4.2`, `v2.0.0-rc.1`, `1!3.0.post2`; None where it does not begin with numbers."""
    found = _FORM.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None:
        return None
    numbers = [int(part) for part in found["release"].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    phases = (*_phases(found["rest"]), _RELEASE)
    return Version(int(found["epoch"] or 0), tuple(numbers), phases, text.strip())


def _phases(rest: str) -> list[tuple[int, str, int]]:
    """Read `-rc.1`, `b2.dev3`, `.post1` or a bare `-1` (a post release), phase by phase."""
    phases: list[tuple[int, str, int]] = []
    for word, digits in _PART.findall(rest):
        if word:
            name = _SPELLED.get(word.lower(), word.lower())
            phases.append((_PHASES.get(name, _OTHER_PHASE), "" if name in _PHASES else name, 0))
        elif phases and phases[-1][2] == 0:
            phases[-1] = (*phases[-1][:2], int(digits))
        else:
            phases.append((_PHASES["post"], "", int(digits)))
    return phases

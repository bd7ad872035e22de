# ruff: noqa: RUF001 - the punctuation of Chinese, and dashes, are what is looked for
"""The grammar of task ids: how they look, where they lead a line, which come next."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = [
    "ID",
    "NUMBER",
    "WORD",
    "Lead",
    "extends",
    "fresh_ids",
    "is_numeric",
    "is_reference",
    "is_task_id",
    "read_lead",
]

MAX_ID = 64
LETTERED = r"(?=[A-Z])(?:[A-Z0-9]+[-_.])*[A-Z0-9]*[0-9](?:\.[0-9]+)*[A-Za-z]?"
NAMED = r"[Tt]ask[-_]?[0-9]+(?:\.[0-9]+)*"
NUMBER = r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,5}[a-z]?"
END = r"(?![A-Za-z0-9]|[._-][A-Za-z0-9])"
ID = rf"(?:{LETTERED}|{NAMED}){END}"
WORD = r"(?:[Tt]asks?|TASK|任务|任務|작업|タスク)"

_PARALLEL = r"(?:\[P\]|\(P\))"
_MARK = re.compile(rf"(?:({_PARALLEL})|\[US[0-9]+(?:[ ,/+&-]+US[0-9]+)*\])(?!\()\s*")
_LAST_MARK = re.compile(rf"\s+{_PARALLEL}$")
_OPEN = re.compile(r"[\[*_`~]{0,6}")
_NAME = re.compile(
    rf"(?:{WORD}[\s#:]+)?(?P<id>{ID})|{WORD}[\s#:]*(?P<named>{NUMBER}){END}|(?P<number>{NUMBER}){END}"
)
_LISTED = re.compile(r"[.):：]")
_CLOSE = re.compile(r"[.)]?[\]*_`~]{0,6}")
_AFTER = re.compile(r"\s*(?:[:：|·—–]|-(?=\s))\s*|\s+|$|(?=[^\x00-\x7f])")
_TASK = re.compile(r"(?:T|TASK)[-_]?[0-9]|task[-_]?[0-9]", re.IGNORECASE)
_REFERENCE = re.compile(r"(?:AC|ADR|AES|CVE|GPT|HTTP|ISO|MD|NFR|PEP|RFC|SC|SHA|TLS|UTF)[-_]?[0-9]")
_TAIL = re.compile(r"(.*?)([0-9]+)", re.DOTALL)


@dataclass(frozen=True)
class Lead:
    """What stands at the front of a line: id, then title."""

    id: str
    title: str
    is_parallel: bool = False


def read_lead(text: str, *, is_heading: bool = False) -> Lead | None:
    """Read the id that leads a heading's or an item's text; None where none does.

    A bare number (`2.1`, `3.`) leads an item only: in a heading it numbers a chapter. Nor do the
    names of standards and criteria (`UTF-8`, `AC-1`) make a heading a task.
    """
    before = _MARK.match(text)
    opened = _OPEN.match(text, before.end() if before else 0)
    found = _NAME.match(text, opened.end()) if opened else None
    if found is None or not (name := _name(found, is_heading=is_heading)):
        return None
    closed = _CLOSE.match(text, found.end())
    after = _AFTER.match(text, closed.end()) if closed else None
    if opened is None or closed is None or after is None:
        return None
    rest = text[after.end() :]
    if not closed[0].strip(".)"):  # emphasis that began before the id ends somewhere behind it
        rest = rest.replace(opened[0].replace("[", "]"), "", 1) if opened[0] else rest
    title, is_parallel = _unmarked(rest)
    return Lead(name, title, is_parallel or bool(before and before[1]))


def _name(found: re.Match[str], *, is_heading: bool) -> str:
    """Give the id that was found, where it may lead this kind of line."""
    name: str = found["id"] or found["named"] or found["number"]
    if found["number"]:
        is_listed = "." in name or _LISTED.match(found.string, found.end())
        name = name if is_listed and not is_heading else ""
    return "" if len(name) > MAX_ID or (is_heading and is_reference(name)) else name


def _unmarked(title: str) -> tuple[str, bool]:
    """Take `[P]` and story labels off the front, and `[P]` off the end."""
    is_parallel = False
    while found := _MARK.match(title):
        is_parallel = is_parallel or bool(found[1])
        title = title[found.end() :]
    bare = _LAST_MARK.sub("", title.rstrip())
    return bare.strip(), is_parallel or bare != title.rstrip()


def is_task_id(name: str) -> bool:
    """Say whether the id calls itself a task's (`T012`, `TASK-3`), not some other thing's."""
    return _TASK.match(name) is not None


def is_reference(name: str) -> bool:
    """Say whether the id rather names a standard or a criterion (`UTF-8`, `AC-1`)."""
    return _REFERENCE.match(name) is not None


def is_numeric(name: str) -> bool:
    """Say whether the id is a bare number such as `3` or `2.1`."""
    return re.fullmatch(NUMBER, name) is not None


def extends(name: str, parent: str) -> bool:
    """Say whether the id goes on from its parent's: `2.1` from `2` or `2.0`, `T-1a` from `T-1`."""
    stem = parent.removesuffix(".0")
    return name.startswith(stem) and not name[len(stem) :][:1].isdigit() and name != parent


def fresh_ids(taken: Collection[str]) -> Iterator[str]:
    """Give ids in the plan's own manner, from behind its highest, without end.

    The manner is the most used one: `T058` after `T057`, `15` after `14.2`; else `T-001`.
    """
    lettered = [found for name in taken if not is_numeric(name) if (found := _TAIL.fullmatch(name))]
    if taken and not lettered:
        tops = [int(found[0]) for name in taken if (found := re.match(r"[0-9]+", name))]
        return (str(number) for number in count(max(tops, default=0) + 1))
    prefix = Counter(found[1] for found in lettered).most_common(1)[0][0] if lettered else "T-"
    numbers = [found[2] for found in lettered if found[1] == prefix]
    width = max(map(len, numbers), default=3)
    start, known = max(map(int, numbers), default=0) + 1, set(taken)
    names = (f"{prefix}{number:0{width}}" for number in count(start))
    return (name for name in names if name not in known)

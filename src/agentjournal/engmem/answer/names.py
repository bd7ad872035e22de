"""The names in a file at hand that past documents may hold: its own, and the classes it defines."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["NAMES", "all_names", "names_in"]

PER_FILE = 8
NAMES = 24
LONGEST = 80  # characters

_DEFINED = re.compile(
    r"^[ \t]*(?:[a-z@(][\w()]*[ \t]+){0,6}?"
    r"(?:class|interface|struct|enum|trait|protocol|record|object|module|type|impl|union|actor)[ \t]+"
    r"([A-Za-z_]\w{2,60})",
    re.MULTILINE,
)
_CAMEL = re.compile(r"\b(?:[A-Z][a-z0-9]+){2,6}\b")
_LINE = 300  # characters: a longer line is data, or made by a program


def names_in(file_name: str, text: str) -> tuple[str, ...]:
    """Give the file's name, then the classes it defines, else the class names it uses most."""
    lines = "\n".join(line for line in text.splitlines() if len(line) <= _LINE)
    defined = dict.fromkeys(found[1] for found in _DEFINED.finditer(lines))
    used = [name for name, _ in Counter(_CAMEL.findall(lines)).most_common(PER_FILE)]
    names = [one_line(file_name)[:LONGEST], *(list(defined) or used)[:PER_FILE]]
    return tuple(filter(None, names))


def all_names(each_file: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Join the names of several files, each once, at most 24: of every file the first two first."""
    files = list(each_file)
    first = [name for names in files for name in names[:2]]
    others = [name for names in files for name in names[2:]]
    return tuple(dict.fromkeys([*first, *others]))[:NAMES]

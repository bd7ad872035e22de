r"""One escaping for terminal, page and prompt: what a reader could not see is written out.

Which characters those are stands here as a list and not as a question to `unicodedata`, so that
every version of Python gives the same bytes: Cc, Cf, Cs, Co, Zl, Zp, variation selectors, fillers,
and what Unicode calls default ignorable, the TAG block included.
"""

from __future__ import annotations

import re
from functools import cache

from agentjournal.text.bounded import clip

__all__ = ["is_hidden", "one_line", "visible"]

_HIDDEN = (
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters
    "\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # fillers and selectors of single scripts
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, separators, directions
    "\ud800-\uf8ff"  # surrogates, private use
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb"  # variation selectors, byte order mark, interlinear
    "\U000110bd\U000110cd\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # TAG characters, more variation selectors
    "\U000f0000-\U0010ffff"  # private use
    "]"
)

_SURE = "\u3164"  # below it, of the list, only these are printable for Python
_UNSHOWN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f")


def is_hidden(character: str) -> bool:
    """Say whether this one character would not show, or would change how others show."""
    return _hidden().fullmatch(character) is not None


def visible(text: str, keep: str = "\n\t") -> str:
    r"""Write every hidden character, but those to keep, as `\xNN`, `\uNNNN` or `\UNNNNNNNN`."""
    if _is_plain(text.replace("\n", "") if "\n" in keep else text):
        return text
    return _hidden().sub(lambda found: found[0] if found[0] in keep else _spelled(found[0]), text)


def one_line(text: str, cap_bytes: int | None = None) -> str:
    """Give the text as one visible line: every run of white space is one space, the ends are bare.

    A longer line than the cap is cut at a character and ends in `…`, inside the cap.
    """
    line = visible(" ".join(text.split()))
    return line if cap_bytes is None else clip(line, cap_bytes)


@cache
def _hidden() -> re.Pattern[str]:
    """Compile the list where a text asks for it: that costs as much as a small program's start."""
    return re.compile(_HIDDEN)


def _is_plain(text: str) -> bool:
    """Say whether Python knows every character to show, and none is one that only it would show."""
    if not text.isprintable():
        return False
    return text.isascii() or (max(text) < _SURE and _UNSHOWN.isdisjoint(text))


def _spelled(character: str) -> str:
    number = ord(character)
    if number <= 0xFF:  # noqa: PLR2004 - the widths of Python's own escapes
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"  # noqa: PLR2004 - as above

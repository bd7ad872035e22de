"""Lines of ours at the end of a text file: put there and taken away without moving another byte.

A file that did not end with a line's end gets ours without one too: that is how the line's end before
ours is known to be ours, and a file that we made from one that stood empty.
"""

from __future__ import annotations

import re

from agentjournal.errors import InputError

__all__ = ["MARK", "appended", "decoded", "ending_of", "without"]

MARK = "\ufeff"  # the byte order mark
_END = r"(?:\r\n|\n|\r)"


def decoded(data: bytes) -> str:
    """Read a file's text, its byte order mark and line ends as they are.

    Raises:
        InputError: it is not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError("it is not UTF-8") from error


def ending_of(text: str) -> str:
    """Say which line end the text uses."""
    found = re.search(_END, text)
    return found.group() if found else "\n"


def appended(text: str | None, lines: tuple[str, ...]) -> str:
    """Put lines of ours behind the text; None is a file that does not exist yet."""
    if text is None:
        return "\n".join(lines) + "\n"
    end = ending_of(text)
    if text.endswith(("\n", "\r")):
        return text + end.join(lines) + end
    return text + end + end.join(lines)


def without(text: str, start: int, stop: int) -> str | None:
    """Cut out lines of ours that begin and stop there (stop is behind their last line's text).

    None says that nothing is left of a file that was ours alone.
    """
    behind = re.compile(_END).match(text, stop)
    if behind is not None:
        left = text[:start] + text[behind.end() :]
        return None if left == "" else left
    before = re.search(_END + r"\Z", text[:start])
    return text[: before.start() if before else start] + text[stop:]

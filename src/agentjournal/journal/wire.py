"""The bytes of layout v1: headers, line forms and the text rules; they never change."""

from __future__ import annotations

import re

CORE_HEADER = "=== Core memories (distilled from earlier epochs) ==="
LEDGER_HEADER = "=== Episodic ledger (what happened, in order) ==="
LIVED_HEADER = "=== Lived memory ==="
EMPTY_JOURNAL = "You are at the beginning. No memories yet."
WORLD = "world"
BOUNDARY = "======== boundary ========"

# What Go trims: str.strip() without arguments would also take U+001C to U+001F.
_TRIMMED = (
    "\t\n\v\f\r \u0085\u00a0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def trim(text: str) -> str:
    """Drop blank characters at both ends, by the set of the wire format."""
    return text.strip(_TRIMMED)


def repair(text: str) -> str:
    """Replace lone surrogates by U+FFFD, since a render must be valid UTF-8."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def lower(text: str) -> str:
    """Lower each code point by itself and keep one for one, as the ledger's comparison does."""
    return text.lower() if text.isascii() else "".join(char.lower()[0] for char in text)


def byte_length(text: str) -> int:
    """Count the bytes of the text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def epoch_line(epoch: int) -> str:
    """Give the line that opens an epoch."""
    return f"[Epoch {epoch}]"


def entry_line(kind: str, speaker: str, text: str) -> str:
    """Give one entry as a line; a kind that is not known reads as the owner's own."""
    if kind == "situation":
        return f"The world: {text}"
    if kind == "heard":
        return f"{speaker} said: {text}"
    return f"You said: {text}"

"""Text made harmless before it is kept: what would forge a marker is indented or quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.journal.forgery import forged_lines, is_forged, is_plain_name
from agentjournal.journal.wire import repair
from agentjournal.text.redact import redact
from agentjournal.text.visible import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.journal.memory import LayoutName

__all__ = [
    "harmless_entry",
    "harmless_memory",
    "neutral_memory",
    "neutral_speaker",
    "neutral_text",
    "storable",
    "without_secrets",
]

_NAME_BYTES = 200


def neutral_text(text: str) -> tuple[str, int]:
    r"""Indent the later lines of an entry that would read as another entry; count them.

    >>> neutral_text("It said:\n[Epoch 9]")
    ('It said:\n [Epoch 9]', 1)
    """
    first, *rest = text.splitlines(keepends=True) or [""]
    return _indented([first], rest, is_forged)


def harmless_entry(kind: str, speaker: str, text: str) -> tuple[str, str, int]:
    """Give speaker and text as a v1 journal may render them, and how much was changed."""
    text, in_text = neutral_text(text)
    speaker, in_name = neutral_speaker(speaker) if kind == "heard" else (speaker, 0)
    return speaker, text, in_text + in_name


def harmless_memory(text: str, layout: LayoutName) -> tuple[str, int]:
    """Take secrets out of an identity or a ledger line, and in v1 forged markers; count these."""
    return neutral_memory(without_secrets(text), layout)


def neutral_memory(text: str, layout: LayoutName) -> tuple[str, int]:
    """Indent the lines of an identity or a ledger line that would read as markers; count them."""
    if layout != "v1":
        return text, 0
    lines = text.splitlines(keepends=True)
    return _indented([], lines, lambda line: bool(forged_lines(line)))


def without_secrets(text: str) -> str:
    """Take secrets out, and what no store holds."""
    return redact(storable(text)).text


def storable(text: str) -> str:
    """Replace what no store holds and no render may: NUL and lone surrogates, by U+FFFD."""
    return repair(text).replace("\0", "\ufffd")


def neutral_speaker(name: str) -> tuple[str, int]:
    """Quote a name that is reserved or could be read as something else; count it.

    >>> neutral_speaker("You")
    ('"You"', 1)
    """
    is_seen = name == visible(name, keep="") == name.strip()
    if is_seen and is_plain_name(name) and len(name.encode()) <= _NAME_BYTES:
        return name, 0
    return f'"{one_line(name, _NAME_BYTES).replace(": ", ":")}"', 1


def _indented(
    kept: list[str], lines: list[str], is_to_indent: Callable[[str], bool]
) -> tuple[str, int]:
    count = 0
    for line in lines:
        forged = is_to_indent(line)
        kept.append(f" {line}" if forged else line)
        count += forged
    return "".join(kept), count

"""The two lines in an agent's instructions that make it ask the memory before it plans."""

from __future__ import annotations

import re

from agentjournal.engmem.install.text_block import appended, decoded, without

__all__ = ["has_rule", "rule_added", "rule_removed"]

SENTINEL = "<!-- engmem-trigger-rule -->"
_START = 'Before proposing a plan, run `engmem search "<key terms for the task>"'
LEGACY = f"{_START}`"
RULE = (
    f"{_START} --session <draft-id>` (the draft `/engmem` just created; "
    "without it the search is unattributed)"
)
_ANY = "`engmem search "
_LINE = rf"(?P<rule>{re.escape(RULE)}|{re.escape(LEGACY)})(?=[\r\n]|\Z)"
_PAIR = re.compile(rf"(?m)(?<![^\r\n\ufeff]){re.escape(SENTINEL)}(?:\r\n|\n|\r){_LINE}")
_BARE = re.compile(rf"(?<![^\r\n\ufeff]){_LINE}")


def has_rule(data: bytes) -> bool:
    """Say whether the instructions tell to search already, in whoever's words."""
    return _ANY in decoded(data)


def rule_added(data: bytes | None) -> bytes:
    """Put the rule in where nothing like it stands; the older wording is renewed.

    Raises:
        InputError: the file is not UTF-8.
    """
    text = None if data is None else decoded(data)
    old = _PAIR.search(text) if text is not None else None
    if text is not None and old is not None and old["rule"] == LEGACY:
        return (text[: old.start("rule")] + RULE + text[old.end("rule") :]).encode()
    if text is not None and _ANY in text:
        return text.encode()
    return appended(text, (SENTINEL, RULE)).encode()


def rule_removed(data: bytes) -> tuple[bytes | None, int]:
    """Take the rule out wherever it stands; also how many lines that were. None: the file was ours.

    Raises:
        InputError: the file is not UTF-8.
    """
    text: str | None = decoded(data)
    count = 0
    for pattern, lines in ((_PAIR, 2), (_BARE, 1)):
        while text is not None and (found := pattern.search(text)):
            text = without(text, found.start(), found.end())
            count += lines
    return (None if text is None else text.encode()), count

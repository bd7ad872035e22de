"""Two failures are the same where only numbers, paths and times tell them apart."""

from __future__ import annotations

import re

from agentjournal.text.canonical import content_digest
from agentjournal.text.visible import visible

__all__ = ["LINES", "fingerprint", "normal_lines"]

LINES = 20
LINE_CHARACTERS = 500  # what differs further right in a line is data, not the failure

_DAYS = "mon|tue|wed|thu|fri|sat|sun"
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
# In this order. A hexadecimal run may consist of digits only, so it becomes a number first.
_REPLACED = (
    (re.compile(r"\b[a-z]:\\\S*", re.IGNORECASE), "<path>"),
    (re.compile(r"(?<![\w<])[\w.~@+-]*/[^\s\"'`:,;()\[\]<>]*"), "<path>"),
    (re.compile(rf"\b(?:{_DAYS})\b,? *(?=(?:{_MONTHS}|\d))", re.IGNORECASE), ""),
    (re.compile(rf"\b(?:{_MONTHS})\b(?= *\d)", re.IGNORECASE), "<month>"),
    (re.compile(r"\b(?:0x[0-9a-f]+|[0-9a-f]{7,}(?:-[0-9a-f]{4,})*)\b", re.IGNORECASE), "0"),
    (re.compile(r"\d+(?:[.,:/T_+-]\d+)*Z?"), "<n>"),
)


def fingerprint(end: str, exit_status: int | None, output: str) -> str:
    """Give the sha256 of how an attempt failed: end, exit status, the output's last 20 lines.

    Digits, hexadecimal runs, paths and times do not count, so that the same failure has the same
    fingerprint in another folder on another day.
    """
    return content_digest([end, exit_status, *normal_lines(output)])


def normal_lines(output: str) -> list[str]:
    """Give the last 20 lines that are not blank, without what differs between two runs."""
    tail = [line for line in output.splitlines() if line.strip()][-LINES:]
    return [_normal(line[:LINE_CHARACTERS]) for line in tail]


def _normal(line: str) -> str:
    for pattern, word in _REPLACED:
        line = pattern.sub(word, line)
    return visible(" ".join(line.split()))

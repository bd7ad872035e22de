"""Recognises that an engine refused a prompt because it is too long."""

from __future__ import annotations

import json
from collections.abc import Mapping

from agentjournal.agentloop.budget import BudgetError

__all__ = ["overflow"]

_STATUSES = (400, 413)
_PHRASE = "maximum context length"
_COUNTS = ("tokens_submitted", "tokens_budget", "tokens_over")


def overflow(status: int, body: str) -> BudgetError | None:
    """Give the error that a refusal stands for, None where it is about something else."""
    if status not in _STATUSES:
        return None
    read = _read(body)
    if read is None:
        return BudgetError("the engine refused the prompt as too long") if _says_so(body) else None
    error, counts = read
    submitted, ceiling, over = counts
    message = error.get("message")
    if any(counts) or (isinstance(message, str) and _says_so(message)):
        return BudgetError(
            f"the engine refused the prompt as too long: {submitted} of {ceiling} tokens, {over} over",
            prompt_tokens=submitted,
            prompt_ceiling=ceiling,
            over_by=over,
        )
    return None


def _says_so(text: str) -> bool:
    return _PHRASE in text.lower()


def _read(body: str) -> tuple[Mapping[str, object], list[int]] | None:
    """Give the error object and its counts, inside it or beside it; None where the shape is another."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, Mapping):
        return None
    error = value.get("error") or {}
    if not isinstance(error, Mapping) or not isinstance(error.get("message", ""), str):
        return None
    counts = []
    for name in _COUNTS:
        count = error.get(name) or value.get(name) or 0
        if not isinstance(count, int) or isinstance(count, bool):
            return None
        counts.append(count)
    return error, counts

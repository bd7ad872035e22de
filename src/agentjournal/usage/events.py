"""Folds the events of a stream into the one body that a whole answer would have been."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agentjournal.usage.count import inner

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Folded", "folded"]

_WHOLE = ("usage", "usageMetadata", "timings", "token_usage", "metadata")
_NAMES = ("model", "modelVersion", "object")
_COUNTED = ("tokens_evaluated", "tokens_predicted")


class Folded:
    """The body of a stream so far: cumulative counts are taken as they stand last, never added."""

    def __init__(self) -> None:
        self.body: dict[str, object] = {}

    def take(self, event: object) -> None:
        """Take in one event, of whatever dialect; anything else is passed over."""
        if not isinstance(event, Mapping):
            return
        if event.get("type") in ("message_start", "message_delta"):
            self._merge(event)
            return
        response = inner(event, "response")
        for source in (response, event):
            self._keep(source)
        if response:
            self.body["object"] = "response"

    def _keep(self, source: Mapping[str, object]) -> None:
        for name in _WHOLE:
            if inner(source, name):
                self.body[name] = source[name]
        for name in (*_NAMES, *_COUNTED):
            if source.get(name):
                self.body[name] = source[name]

    def _merge(self, event: Mapping[str, object]) -> None:
        """Take Anthropic's counts: a later one replaces an earlier one, a null leaves it."""
        message = inner(event, "message")
        later = inner(message, "usage") or inner(event, "usage")
        kept = {name: value for name, value in later.items() if value is not None}
        self.body["usage"] = {**inner(self.body, "usage"), **kept}
        self.body["type"] = "message"
        if message.get("model"):
            self.body["model"] = message["model"]


def folded(events: Iterable[object]) -> dict[str, object]:
    """Give the body of a whole stream."""
    fold = Folded()
    for event in events:
        fold.take(event)
    return fold.body

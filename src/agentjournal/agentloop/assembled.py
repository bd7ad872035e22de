"""Puts a streamed reply together, piece by piece."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from agentjournal.agentloop.message import Message, ToolCall
from agentjournal.errors import ForeignProgramError
from agentjournal.usage.count import inner
from agentjournal.usage.events import Folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Assembled", "message_of"]


class Assembled:
    """One reply while its events come in; `on_text` gets each piece of text as it comes."""

    def __init__(self, on_text: Callable[[str], None] | None = None) -> None:
        self.fold = Folded()
        self.finish_reason: str | None = None
        self._on_text = on_text
        self._texts: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._is_begun = False

    def take(self, event: Mapping[str, object]) -> None:
        """Take in one event."""
        self.fold.take(event)
        choices = event.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            return
        self._is_begun = True
        reason = choices[0].get("finish_reason")
        self.finish_reason = reason if isinstance(reason, str) else self.finish_reason
        delta = inner(choices[0], "delta")
        text = delta.get("content")
        if isinstance(text, str) and text:
            self._texts.append(text)
            if self._on_text is not None:
                self._on_text(text)
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            if isinstance(call, Mapping):
                self._take_call(call)

    def message(self) -> Message:
        """Give the whole message.

        Raises:
            ForeignProgramError: the stream held no choice.
        """
        if not self._is_begun:
            raise ForeignProgramError("The engine answered without a choice.", next="Try again.")
        calls = [self._calls[place] for place in sorted(self._calls)]
        return Message(
            role="assistant",
            content="".join(self._texts),
            tool_calls=tuple(ToolCall(**call) for call in calls),
        )

    def _take_call(self, delta: Mapping[str, object]) -> None:
        place = delta.get("index")
        key = place if isinstance(place, int) else len(self._calls)
        call = self._calls.setdefault(key, {"id": "", "name": "", "arguments": ""})
        function = inner(delta, "function")
        for name, value in (("id", delta.get("id")), ("name", function.get("name"))):
            if isinstance(value, str) and value:
                call[name] = value
        more = function.get("arguments")
        call["arguments"] += more if isinstance(more, str) else ""


def message_of(body: object) -> tuple[Message, str | None]:
    """Read a whole answer: its message, and why it ended.

    Raises:
        ForeignProgramError: there is no choice in it.
    """
    choices = body.get("choices") if isinstance(body, Mapping) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise ForeignProgramError("The engine answered without a choice.", next="Try again.")
    message, reason = inner(choices[0], "message"), choices[0].get("finish_reason")
    content, calls = message.get("content"), message.get("tool_calls")
    read = Message(
        role="assistant",
        content=content if isinstance(content, str) else "",
        tool_calls=tuple(_calls(calls if isinstance(calls, list) else [])),
    )
    return read, reason if isinstance(reason, str) else None


def _calls(calls: Iterable[object]) -> Iterable[ToolCall]:
    for call in calls:
        if isinstance(call, Mapping):
            function = inner(call, "function")
            arguments = function.get("arguments")
            yield ToolCall(
                id=str(call.get("id") or ""),
                name=str(function.get("name") or ""),
                arguments=arguments if isinstance(arguments, str) else json.dumps(arguments or {}),
            )

"""A conversation that only grows, so that each request extends the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.agentloop.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Conversation"]


class Conversation:
    """A system text that never changes, and a history to which messages are appended."""

    def __init__(self, system: str = "", history: Iterable[Message] = ()) -> None:
        self.system = system
        self._history = list(history)

    @property
    def rounds(self) -> int:
        """Count the messages appended so far."""
        return len(self._history)

    def append(self, message: Message) -> None:
        """Add a message at the end: the only change there is."""
        self._history.append(message)

    def messages(self) -> list[Message]:
        """Give what is sent: the system text first, where there is one."""
        head = [Message(role="system", content=self.system)] if self.system else []
        return [*head, *self._history]

    def history(self) -> list[Message]:
        """Give a copy of the messages without the system text."""
        return list(self._history)

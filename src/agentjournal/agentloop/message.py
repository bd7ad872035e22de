"""What is said on the wire: messages, tool calls, and an engine's reply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from agentjournal.usage.record import Usage

if TYPE_CHECKING:
    from agentjournal.agentloop.metrics import TurnMetrics

__all__ = ["Message", "Reply", "Role", "ToolCall"]

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """One call that a model asks for; `arguments` is JSON text, as the model wrote it."""

    id: str
    name: str
    arguments: str

    def body(self) -> dict[str, object]:
        """Give it as it is sent."""
        function = {"name": self.name, "arguments": self.arguments}
        return {"id": self.id, "type": "function", "function": function}


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message; its content is always there, if only as an empty text."""

    role: Role
    content: str = ""
    name: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None

    def body(self) -> dict[str, object]:
        """Give it as it is sent, keys always in the same order."""
        sent: dict[str, object] = {"role": self.role, "content": self.content}
        if self.name is not None:
            sent["name"] = self.name
        if self.tool_calls:
            sent["tool_calls"] = [call.body() for call in self.tool_calls]
        if self.tool_call_id is not None:
            sent["tool_call_id"] = self.tool_call_id
        return sent


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What an engine answered to one request."""

    message: Message
    metrics: TurnMetrics
    usage: Usage = field(default_factory=Usage)
    finish_reason: str | None = None

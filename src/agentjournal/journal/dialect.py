"""The ways in which engines are spoken to that a prompt can be written in; usage knows more."""

from __future__ import annotations

from typing import Literal, get_args

from agentjournal.errors import Fault, InputError

ChatDialect = Literal["openai-chat", "openai-responses", "anthropic", "deepseek"]

CHAT_DIALECTS: tuple[ChatDialect, ...] = get_args(ChatDialect)


def unknown_dialect(dialect: str) -> InputError:
    """Give the error for a dialect that no prompt is written in."""
    fault = Fault(
        field="dialect",
        rule="one of " + ", ".join(CHAT_DIALECTS),
        got=repr(dialect),
        remedy="An engine that speaks chat completions takes openai-chat with marks=False.",
    )
    return InputError(f"No prompt is written in the dialect {dialect!r}.", faults=(fault,))

"""A small tool loop: append-only talk with one engine, a budget that stops in time, jailed tools."""

from __future__ import annotations

from agentjournal.agentloop.budget import Budget, BudgetError, estimate_tokens
from agentjournal.agentloop.conversation import Conversation
from agentjournal.agentloop.loop import Loop, LoopError
from agentjournal.agentloop.message import Message, Reply, ToolCall
from agentjournal.agentloop.metrics import TurnMetrics, turn_metrics
from agentjournal.agentloop.overflow import overflow
from agentjournal.agentloop.registry import Registry, Tool
from agentjournal.agentloop.result import LoopResult, Round, ToolRun

__all__ = [
    "Budget",
    "BudgetError",
    "Conversation",
    "Loop",
    "LoopError",
    "LoopResult",
    "Message",
    "Registry",
    "Reply",
    "Round",
    "Tool",
    "ToolCall",
    "ToolRun",
    "TurnMetrics",
    "estimate_tokens",
    "overflow",
    "turn_metrics",
]

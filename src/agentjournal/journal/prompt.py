"""One prompt: what stays equal or grows stands above a boundary, what changes stands below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from agentjournal.journal.chat import chat_body
from agentjournal.journal.routing import Routing, routing
from agentjournal.journal.segment import Segment
from agentjournal.journal.wire import BOUNDARY

if TYPE_CHECKING:
    from agentjournal.journal.dialect import ChatDialect
    from agentjournal.journal.journal import Journal

__all__ = ["BOUNDARY", "Prompt"]


@dataclass(frozen=True, kw_only=True)
class Prompt:
    r"""A preamble, the segments of journals, and a tail for everything volatile.

    >>> from agentjournal import Journal, Prompt
    >>> prompt = Prompt.of("You plan.\n\n", Journal("planner"), tail="Now: plan.")
    >>> prompt.cacheable_prefix
    'You plan.\n\nYou are at the beginning. No memories yet.'
    """

    preamble: str = ""
    memory: tuple[Segment, ...] = ()
    tail: str = ""
    boundary: str = BOUNDARY

    @classmethod
    def of(
        cls, preamble: str, *journals: Journal, tail: str = "", boundary: str = BOUNDARY
    ) -> Self:
        """Build a prompt from journals as they are now; only the last one should still grow."""
        memory = tuple(segment for journal in journals for segment in journal.segments())
        return cls(preamble=preamble, memory=memory, tail=tail, boundary=boundary)

    def segments(self) -> tuple[Segment, ...]:
        """Give the stable part as blocks, preamble first; joined they are the cacheable prefix."""
        if not self.preamble:
            return self.memory
        return (Segment("preamble", self.preamble, is_closed=True), *self.memory)

    @property
    def cacheable_prefix(self) -> str:
        """Give what stands above the boundary: exactly the preamble and the renders."""
        return "".join(segment.text for segment in self.segments())

    def to_text(self) -> str:
        """Give the whole prompt, for engines that match any prefix; without a tail, no boundary."""
        return self.cacheable_prefix + self._below()

    def to_chat(
        self, dialect: ChatDialect, *, marks: bool = True, earlier: Prompt | None = None
    ) -> dict[str, object]:
        """Give the part of a request body that holds the prompt; merge it with model and the rest.

        `openai-chat` and `openai-responses` mark breakpoints as gpt-5.6 and later want them:
        `marks=False` for older models and for engines that match any prefix. `anthropic` marks
        `cache_control`; `deepseek` needs no marks. Give OpenAI's the prompt of the call before as
        `earlier` where more than one turn may have been recorded since.

        Raises:
            InputError: the dialect is unknown, or there is neither memory nor a tail.
        """
        before = earlier.segments() if earlier else ()
        return chat_body(dialect, self.segments(), self._below(), marks=marks, earlier=before)

    @staticmethod
    def routing(owner: str) -> Routing:
        """Give what pins this owner to one replica; see `routing` for other names."""
        return routing(owner)

    def _below(self) -> str:
        return f"\n\n{self.boundary}\n\n{self.tail}" if self.tail else ""

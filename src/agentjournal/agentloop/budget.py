"""How much of an engine's window a conversation may take, and the clean stop before it is full."""

from __future__ import annotations

from dataclasses import dataclass

from agentjournal.errors import AgentJournalError

__all__ = ["Budget", "BudgetError", "estimate_tokens"]

_BYTES_PER_TOKEN = 4


class BudgetError(AgentJournalError):
    """The prompt is larger than the window has room for; the loop stops, nothing is lost."""

    kind = "budget"

    def __init__(  # noqa: PLR0913 - the fields that readers of the reference's error know
        self,
        message: str,
        *,
        prompt_tokens: int = 0,
        max_model_len: int = 0,
        output_reserve: int = 0,
        prompt_ceiling: int = 0,
        over_by: int = 0,
    ) -> None:
        super().__init__(message)
        self.prompt_tokens = prompt_tokens
        self.max_model_len = max_model_len
        self.output_reserve = output_reserve
        self.prompt_ceiling = prompt_ceiling
        self.over_by = over_by


@dataclass(frozen=True, kw_only=True)
class Budget:
    """A window of `max_model_len` tokens, of which `output_reserve` are kept for the answer.

    0 as the window means that none is known: then nothing stops. `system_tokens` only tells what is usable.
    """

    max_model_len: int = 0
    output_reserve: int = 0
    system_tokens: int = 0

    @property
    def prompt_ceiling(self) -> int:
        """Give the largest prompt, in tokens; 0 is no ceiling."""
        return max(0, self.max_model_len - self.output_reserve)

    @property
    def usable(self) -> int:
        """Give what the conversation has beside its system text."""
        return max(0, self.max_model_len - self.system_tokens - self.output_reserve)

    @property
    def is_contradictory(self) -> bool:
        """Say whether a window is named that the answer's reserve fills: nothing could ever be asked."""
        return self.max_model_len > 0 and self.prompt_ceiling == 0

    def check(self, prompt_tokens: int) -> None:
        """Stop where the prompt is too large.

        Raises:
            BudgetError: it is; says by how much.
        """
        ceiling = self.prompt_ceiling
        if ceiling <= 0 or prompt_tokens <= ceiling:
            return
        over = prompt_tokens - ceiling
        raise BudgetError(
            f"context budget exceeded: prompt_tokens={prompt_tokens} over ceiling={ceiling} "
            f"(maxModelLen={self.max_model_len} \u2212 output_reserve={self.output_reserve}) "
            f"by {over} tokens",
            prompt_tokens=prompt_tokens,
            max_model_len=self.max_model_len,
            output_reserve=self.output_reserve,
            prompt_ceiling=ceiling,
            over_by=over,
        )


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text from its bytes; never 0."""
    return max(1, len(text.encode(errors="surrogatepass")) // _BYTES_PER_TOKEN)

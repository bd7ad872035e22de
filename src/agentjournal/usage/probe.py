"""Asks a lane the same long question twice: does it cache, and does it say so?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.usage.normalise import normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.usage.lane import Capability
    from agentjournal.usage.record import Usage

__all__ = ["ProbeDialect", "Probed", "probe", "probe_body"]

ProbeDialect = Literal["openai-chat", "openai-responses", "anthropic"]
_SENTENCES = 450  # about 5,000 tokens: above every minimum that vendors name


@dataclass(frozen=True, kw_only=True)
class Probed:
    """What two answers to one prompt showed; `is_cached` is None where the lane does not say."""

    model: str
    capability: Capability
    first: Usage
    second: Usage

    @property
    def is_cached(self) -> bool | None:
        """Say whether the second answer came from the cache."""
        read = self.second.cache_read
        return None if read is None else read > 0

    @property
    def told(self) -> str:
        """Give the finding in one sentence."""
        match self.capability:
            case "reports_zero" if self.is_cached:
                return "It caches, and reports both hits and zeros."
            case "reports_zero":
                return "It reports zeros: the repeat was not served from a cache."
            case "reports_nonzero_only":
                return (
                    "It caches; it leaves the count out when it is zero, so its silence means zero."
                )
            case _:
                return "It never says what came from the cache: its calls stay unmeasured."


def probe_body(dialect: ProbeDialect, model: str, nonce: str) -> dict[str, object]:
    """Give one long request whose very start is the nonce, so that the first time is cold."""
    text = f"{nonce}\n" + "\n".join(
        f"Line {number}: the prefix of this text stays the same." for number in range(_SENTENCES)
    )
    match dialect:
        case "openai-chat":
            return {
                "model": model,
                "max_tokens": 1,
                "messages": [
                    {"role": "system", "content": text},
                    {"role": "user", "content": "Answer with one word."},
                ],
            }
        case "openai-responses":
            return {
                "model": model,
                "instructions": text,
                "input": "Say yes.",
                "max_output_tokens": 16,
            }
        case "anthropic":
            mark = {"type": "ephemeral"}
            return {
                "model": model,
                "max_tokens": 1,
                "system": [{"type": "text", "text": text, "cache_control": mark}],
                "messages": [{"role": "user", "content": "Answer with one word."}],
            }


def probe(
    send: Callable[[Mapping[str, object]], object], *, dialect: ProbeDialect, model: str, nonce: str
) -> Probed:
    """Send the same request twice through `send`, which gives the answer's body."""
    body = probe_body(dialect, model, nonce)
    first = normalise(send(body))
    second = normalise(send(body))
    return Probed(
        model=second.model or model,
        capability=_settled(first, second),
        first=first,
        second=second,
    )


def _settled(first: Usage, second: Usage) -> Capability:
    counts = (first.cache_read, second.cache_read)
    if 0 in counts:
        return "reports_zero"
    if any(counts):
        return "reports_nonzero_only"
    return "never"

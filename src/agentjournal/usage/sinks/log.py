"""One debug line per completion, with the fields that the reference's logs have."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

    from agentjournal.usage.call import Call

__all__ = ["MESSAGE", "LogLine", "log_fields"]

MESSAGE = "llm usage"


@dataclass(frozen=True)
class LogLine:
    """Writes `llm usage` at debug level, its fields as attributes of the record."""

    logger: logging.Logger

    def __call__(self, call: Call) -> None:
        """Write the line, where there is anything to say."""
        if call.usage.is_reported:
            self.logger.debug(MESSAGE, extra=log_fields(call))


def log_fields(call: Call) -> dict[str, str | int | float]:
    """Give the fields in their order; the cached ones are there only where they are measured.

    `prompt_tokens` and `completion_tokens` always stand, as readers of this line expect.
    """
    usage = call.usage
    fields: dict[str, str | int | float] = {}
    if call.subject.component:
        fields["llm_component"] = call.subject.component
    if call.model:
        fields["llm_model"] = call.model
    fields["prompt_tokens"] = usage.input_total or 0
    fields["completion_tokens"] = usage.output or 0
    if usage.cache_read is not None:
        fields["cached_tokens"] = usage.cache_read
    if usage.cached_share is not None:
        fields["cached_share"] = floor(usage.cached_share * 10_000 + 0.5) / 10_000
    return fields

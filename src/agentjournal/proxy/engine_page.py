"""Reads what the engine says of its own cache, for answers that say nothing."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from agentjournal.proxy.answer import BrokenOff
from agentjournal.proxy.figures import engine_figures
from agentjournal.proxy.refusal import Refusal

if TYPE_CHECKING:
    from agentjournal.proxy.answer import Answer
    from agentjournal.proxy.engine import Engine
    from agentjournal.proxy.figures import Figures

__all__ = ["EnginePage"]

_SECONDS = 1.0
_BYTES = 2 * 1024 * 1024


class EnginePage:
    """Asks the engine's `/metrics` when ours are read, once some answers were unmeasured.

    An engine that has no such page is asked once; one that is busy or down is asked again the next time.
    The request carries nothing of any client.
    """

    def __init__(self, engine: Engine, figures: Figures) -> None:
        self._engine = engine
        self._figures = figures
        self._has_page = True

    async def page(self) -> bytes:
        """Give our page with the engine's figures in it."""
        found: dict[str, float] = {}
        if self._has_page and self._figures.has_unmeasured:
            found = engine_figures(await self._read())
        return self._figures.page(found)

    async def _read(self) -> str:
        upstream = self._engine.upstream
        target = upstream.path.removesuffix("/v1").encode() + b"/metrics"
        headers = [(b"host", upstream.authority.encode()), (b"accept", b"text/plain")]
        with contextlib.suppress(Refusal, TimeoutError, BrokenOff):
            async with (
                asyncio.timeout(_SECONDS),
                self._engine.ask("GET", target, headers, b"") as answer,
            ):
                if answer.status == 200:  # noqa: PLR2004 - HTTP's own
                    return await _text(answer)
                self._has_page = answer.status >= 500  # noqa: PLR2004 - same
        return ""


async def _text(answer: Answer) -> str:
    read = bytearray()
    async for chunk in answer:
        read += chunk
        if len(read) > _BYTES:
            break
    return read.decode("utf-8", "replace")

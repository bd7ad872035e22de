"""Reads what the engine says of its own cache, for answers that say nothing."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import httpx

from agentjournal.proxy.figures import engine_figures
from agentjournal.proxy.refusal import Refusal

if TYPE_CHECKING:
    from agentjournal.proxy.engine import Engine
    from agentjournal.proxy.figures import Figures

__all__ = ["EnginePage"]

_SECONDS = 1.0
_BYTES = 2 * 1024 * 1024


class EnginePage:
    """Asks the engine's `/metrics` when ours are read, once some answers were unmeasured.

    An engine that has no such page is asked once. The request carries nothing of any client.
    """

    def __init__(self, engine: Engine, figures: Figures) -> None:
        self._engine = engine
        self._figures = figures
        self._has_page = True

    async def page(self) -> bytes:
        """Give our page with the engine's figures in it."""
        found: dict[str, float] = {}
        if self._has_page and self._figures.has_unmeasured:
            text = await self._read()
            self._has_page = text is not None
            found = engine_figures(text or "")
        return self._figures.page(found)

    async def _read(self) -> str | None:
        upstream = self._engine.upstream
        target = upstream.path.removesuffix("/v1").encode() + b"/metrics"
        headers = [(b"host", upstream.authority.encode()), (b"accept", b"text/plain")]
        with contextlib.suppress(Refusal, TimeoutError, httpx.TransportError):
            async with asyncio.timeout(_SECONDS):
                response = await self._engine.ask("GET", target, headers, b"")
                try:
                    return await _text(response) if response.status_code == 200 else None  # noqa: PLR2004 - HTTP's own
                finally:
                    await response.aclose()
        return None


async def _text(response: httpx.Response) -> str:
    read = bytearray()
    async for chunk in response.aiter_bytes():
        read += chunk
        if len(read) > _BYTES:
            break
    return read.decode("utf-8", "replace")

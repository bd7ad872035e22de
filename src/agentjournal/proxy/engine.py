"""Asks the engine: one origin, no redirects, no cookies, nothing remembered but open connections."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

import httpx

from agentjournal.proxy.refusal import Refusal

if TYPE_CHECKING:
    from agentjournal.proxy.headers import Headers
    from agentjournal.proxy.upstream import Upstream

__all__ = ["Engine"]

# An engine may think for long before it says a word; a connection must not take long.
_TIMEOUTS = {"connect": 10.0, "write": 120.0, "read": 3600.0, "pool": 10.0}
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=128, keepalive_expiry=20.0)
_STATUSES = range(200, 600)


class Engine:
    """The upstream behind a pool of connections.

    The transport is used without httpx's client: that one keeps cookies, follows proxies of the
    environment and adds headers.
    """

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream
        self._url = httpx.URL(upstream.url)
        verify = ssl.create_default_context() if upstream.scheme == "https" else False
        self._transport = httpx.AsyncHTTPTransport(verify=verify, limits=_LIMITS)

    async def ask(
        self, method: str, target: bytes, headers: Headers, body: bytes
    ) -> httpx.Response:
        """Send a request and give the answer as soon as its header is there; its body is not read yet.

        Raises:
            Refusal: the engine cannot be reached, or answers nothing that can be read.
        """
        request = httpx.Request(
            method,
            self._url,
            headers=headers,
            stream=httpx.ByteStream(body),
            extensions={"target": target, "timeout": _TIMEOUTS},
        )
        try:
            response = await self._transport.handle_async_request(request)
        except httpx.ConnectTimeout:
            raise Refusal(504, f"{self._name} did not take the connection in time.") from None
        except httpx.ConnectError:
            raise Refusal(502, f"{self._name} cannot be reached.") from None
        except httpx.TimeoutException:
            raise Refusal(504, f"{self._name} did not answer in time.") from None
        except (httpx.TransportError, httpx.InvalidURL, ValueError):
            raise Refusal(502, f"{self._name} answered nothing that can be read.") from None
        if response.status_code not in _STATUSES:
            await response.aclose()
            raise Refusal(502, f"{self._name} answered with a status that does not exist.")
        return response

    @property
    def _name(self) -> str:
        return f"The engine at {self.upstream.url}"

    async def close(self) -> None:
        """Close every connection."""
        await self._transport.aclose()

"""A transport around any transport of httpx or httpx2: it looks at answers as they pass.

No name of either package is imported: what a wrapped stream must be is taken from the request's own
package, so that one wrapper serves both.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Self

from agentjournal.usage.guard import guarded
from agentjournal.usage.wire.answer import AnswerReader, is_completion
from agentjournal.usage.wire.members import MemberPicker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from agentjournal.usage.observer import Observer
    from agentjournal.usage.subject import Subject

__all__ = ["AsyncObservedTransport", "ObservedTransport", "is_observed"]

Foreign = Any  # a request, response, stream or transport of httpx or httpx2


class _Observed:
    """What both kinds share: the inner transport, and how an answer's stream is wrapped."""

    _stream_class: type
    _base_name: str

    def __init__(self, inner: Foreign, observer: Observer) -> None:
        self.inner = inner
        self.observer = observer

    def __getattr__(self, name: str) -> object:
        """Be like the inner transport in all else."""
        return getattr(self.inner, name)

    def _wrap(self, request: Foreign, response: Foreign, started: float) -> Foreign:
        """Put our eye on the answer's stream; where that fails, the answer passes as it came."""
        with guarded():
            if 200 <= response.status_code < 300 and is_completion(  # noqa: PLR2004 - HTTP's own
                request.method, request.url.path
            ):
                base = getattr(sys.modules[_package_of(request)], self._base_name)
                kind = type(self._stream_class.__name__, (self._stream_class, base), {})
                look = Look(request, response, self.observer, started)
                response.stream = kind(response.stream, look)
        return response


class Look:
    """One look at one answer: fed as it passes, told to the observer once, at its end."""

    def __init__(
        self, request: Foreign, response: Foreign, observer: Observer, started: float
    ) -> None:
        headers = response.headers
        self._reader = AnswerReader(
            headers.get("content-type", ""), headers.get("content-encoding", "")
        )
        self._request = request
        self._observer = observer
        self._started = started
        self._subject: Subject = observer.subject.narrowed()  # the context of the request counts
        self._is_over = False

    def feed(self, chunk: bytes) -> None:
        """Look at the bytes that pass."""
        self._reader.feed(chunk)

    def end(self) -> None:
        """Tell the observer, once."""
        if self._is_over:
            return
        self._is_over = True
        with guarded():
            usage = self._reader.finish()
            self._observer.observe(
                usage,
                requested_model="" if usage.model else _requested_model(self._request),
                lane=lane_of(self._request.url),
                subject=self._subject,
                ms=int((self._observer.clock.monotonic() - self._started) * 1000),
            )


class _ObservedStream:
    """Passes each chunk on as it came, as soon as it came."""

    def __init__(self, inner: Foreign, look: Look) -> None:
        self._inner = inner
        self._look = look

    def __iter__(self) -> Iterator[bytes]:
        try:
            for chunk in self._inner:
                self._look.feed(chunk)
                yield chunk
        finally:
            self._look.end()

    def close(self) -> None:
        try:
            self._inner.close()
        finally:
            self._look.end()


class _AsyncObservedStream:
    """The same for answers that are awaited."""

    def __init__(self, inner: Foreign, look: Look) -> None:
        self._inner = inner
        self._look = look

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._inner:
                self._look.feed(chunk)
                yield chunk
        finally:
            self._look.end()

    async def aclose(self) -> None:
        try:
            await self._inner.aclose()
        finally:
            self._look.end()


class ObservedTransport(_Observed):
    """Wraps a transport of a `Client`: `httpx.Client(transport=ObservedTransport(inner, observer))`."""

    _stream_class = _ObservedStream
    _base_name = "SyncByteStream"

    def handle_request(self, request: Foreign) -> Foreign:
        """Send the request as it is and look at its answer."""
        started = self.observer.clock.monotonic()
        return self._wrap(request, self.inner.handle_request(request), started)

    def close(self) -> None:
        """Close the inner transport."""
        self.inner.close()

    def __enter__(self) -> Self:
        self.inner.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.inner.__exit__(*error)


class AsyncObservedTransport(_Observed):
    """Wraps a transport of an `AsyncClient`."""

    _stream_class = _AsyncObservedStream
    _base_name = "AsyncByteStream"

    async def handle_async_request(self, request: Foreign) -> Foreign:
        """Send the request as it is and look at its answer."""
        started = self.observer.clock.monotonic()
        return self._wrap(request, await self.inner.handle_async_request(request), started)

    async def aclose(self) -> None:
        """Close the inner transport."""
        await self.inner.aclose()

    async def __aenter__(self) -> Self:
        await self.inner.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.inner.__aexit__(*error)


def is_observed(transport: object) -> bool:
    """Say whether a transport is wrapped already."""
    return isinstance(transport, _Observed)


def lane_of(url: Foreign) -> str:
    """Give the base URL that answered, without credentials, query and the endpoint's own name."""
    port = f":{url.port}" if url.port else ""
    base = url.path
    for ending in ("/chat/completions", "/completions", "/completion", "/messages", "/responses"):
        if base.endswith(ending):
            base = base.removesuffix(ending)
            break
    return f"{url.scheme}://{url.host}{port}{base.rstrip('/')}"


def _requested_model(request: Foreign) -> str:
    """Read the model that was asked for, where the request's body was kept."""
    picker = MemberPicker([b"model"])
    with guarded():
        picker.feed(request.content)
        return picker.found.get(b"model", b"").strip(b'"').decode("utf-8", "replace")
    return ""


def _package_of(request: Foreign) -> str:
    return type(request).__module__.partition(".")[0]

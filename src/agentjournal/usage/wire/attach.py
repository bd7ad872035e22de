"""Puts an observer under a client in one line."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

from agentjournal.errors import InputError
from agentjournal.usage.observer import Observer
from agentjournal.usage.subject import Subject
from agentjournal.usage.wire.transport import (
    AsyncObservedTransport,
    ObservedTransport,
    is_observed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.usage.observer import Sink

__all__ = ["observe"]

C = TypeVar("C")


def observe(
    client: C, observer: Observer | None = None, *, component: str = "", sinks: Sequence[Sink] = ()
) -> C:
    """Observe every completion of a client of `openai`, `anthropic`, `httpx` or `httpx2`; give it back.

    Without an observer each call is one debug line of the logger `agentjournal.usage`, and goes to `sinks`.
    Requests, answers and streams pass as they are; observing again replaces the observer.

    Raises:
        InputError: this is no such client.
    """
    http: Any = client if _is_http(client) else getattr(client, "_client", None)
    if not _is_http(http):
        raise InputError(
            f"A {type(client).__name__} cannot be observed.",
            next="Give a client of openai, anthropic, httpx or httpx2.",
        )
    chosen = observer or Observer(
        logger=logging.getLogger("agentjournal.usage"),
        sinks=sinks,
        subject=Subject(component=component),
    )
    http._transport = _wrapped(http, http._transport, chosen)  # noqa: SLF001 - the client's own place
    for pattern, transport in http._mounts.items():  # noqa: SLF001 - same
        if transport is not None:
            http._mounts[pattern] = _wrapped(http, transport, chosen)  # noqa: SLF001 - same
    return client


def _is_http(client: object) -> bool:
    return hasattr(client, "_transport") and hasattr(client, "_mounts")


def _wrapped(client: object, transport: Any, observer: Observer) -> object:  # noqa: ANN401 - foreign
    inner = transport.inner if is_observed(transport) else transport
    is_async = any(kind.__name__ == "AsyncClient" for kind in type(client).__mro__)
    return (AsyncObservedTransport if is_async else ObservedTransport)(inner, observer)

"""Keep an attempt's lease alive while its worker is waited for."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agentjournal.errors import StoreError
from agentjournal.execution.attempt import heartbeat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.orchestrator.workshop import Workshop

__all__ = ["beating"]


@contextmanager
def beating(shop: Workshop, slug: str, task: str, number: int) -> Iterator[None]:
    """Extend the lease at every heartbeat, for the length of the block."""
    is_over = threading.Event()
    thread = threading.Thread(target=_beat, args=(shop, slug, task, number, is_over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _beat(shop: Workshop, slug: str, task: str, number: int, is_over: threading.Event) -> None:
    while not is_over.wait(shop.heartbeat_seconds):
        try:
            heartbeat(shop.log, slug=slug, task=task, number=number, seconds=shop.lease_seconds)
        except StoreError:
            continue  # a missed beat is what the lease's length is for; the next one tries again

"""A proxy of ours on loopback, running until a block ends."""

from __future__ import annotations

import contextlib
import os
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agentjournal.proxy.serve import Options, Proxy, Surroundings
from agentjournal.proxy.upstream import Upstream
from agentjournal.system.clock import SystemClock
from agentjournal.usage.file import open_measurements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.usage.call import Break, Call
    from agentjournal.usage.measurements import Measurements


@dataclass
class Running:
    """Where it listens, what it told, and what it measured."""

    url: str
    proxy: Proxy
    measurements: Measurements
    told: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        return self.proxy.port

    def settle(self) -> None:
        """Wait until everything seen so far is stored."""
        self.proxy.settle()

    @property
    def calls(self) -> list[Call]:
        self.settle()
        return self.measurements.calls()

    @property
    def breaks(self) -> list[Break]:
        self.settle()
        return self.measurements.breaks()


@contextlib.contextmanager
def running_proxy(upstream: str, folder: Path, **options: Any) -> Iterator[Running]:
    """Run one before the engine at that URL; its measurement file lies in the folder."""
    measurements = open_measurements(folder / "usage.db")
    told: list[str] = []
    around = Surroundings(
        measurements=measurements,
        clock=SystemClock(),
        random_bytes=os.urandom,
        tell=told.append,
        task_of=options.pop("task_of", lambda _: None),
    )
    try:
        proxy = Proxy(Options(upstream=Upstream.parse(upstream), **options), around)
    except BaseException:
        measurements.database.close()
        raise
    ready = threading.Event()
    thread = threading.Thread(target=proxy.run, args=(ready.set,))
    thread.start()
    ready.wait(20)
    try:
        yield Running(proxy.url, proxy, measurements, told)
    finally:
        proxy.stop()
        thread.join(30)
        measurements.database.close()

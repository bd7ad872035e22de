"""The same work in several processes at the same moment."""

from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def at_once(run: Callable[..., None], place: object, count: int, work: object) -> list:
    """Run the work in as many processes; give what each returned, in their order.

    `run(place, number, work, barrier, answers)` puts `(number, answer)` into `answers`.
    """
    context = multiprocessing.get_context("spawn")
    barrier, answers = context.Barrier(count), context.SimpleQueue()
    started = [
        context.Process(target=run, args=(place, number, work, barrier, answers))
        for number in range(count)
    ]
    for process in started:
        process.start()
    found = dict(answers.get() for _ in started)
    for process in started:
        process.join()
    return [found[number] for number in range(count)]

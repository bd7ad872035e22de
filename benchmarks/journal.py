"""What a turn costs as a journal grows, beside a reference that renders its history at every turn.

Run: python benchmarks/journal.py
Ends with 1 where a turn costs more as the journal grows, or a render more than three plain copies.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter

from agentjournal import Journal, render_entries
from lanes import print_growth

ENTRY = "x" * 240
TURNS = (1_600, 10_000)
SAMPLE = 100
REPEATS = 5
MOST_GROWTH = 1.2  # noise included: what is constant has no reason to grow
MOST_COPIES = 3.0


class Naive:
    """The reference's way: every estimate renders, every turn writes the whole state."""

    def __init__(self) -> None:
        self.entries: list[dict[str, object]] = []
        self.written = 0

    def turn(self, epoch: int) -> None:
        """Record one turn, estimate, and write the state as a consumer of the reference does."""
        for kind in ("situation", "heard", "own"):
            text = f"{ENTRY}{epoch}"
            self.entries.append({"epoch": epoch, "kind": kind, "speaker": "a", "text": text})
        lines = [f"{entry['kind']}: {entry['text']}" for entry in self.entries]
        self.estimate = len("\n".join(lines).encode()) // 4 + 1
        self.written += len(json.dumps(self.entries, separators=(",", ":")))


class Incremental:
    """Ours: a turn adds its own bytes to the render and to the count."""

    def __init__(self) -> None:
        self.journal = Journal("agent")

    def turn(self, epoch: int) -> None:
        """Record one turn, estimate it, and decide whether to consolidate."""
        text = f"{ENTRY}{epoch}"
        self.journal.record_turn(epoch, text, [("a", text)], text)
        self.journal.needs_consolidation(10**9, 0.9)


def timed(action) -> float:  # noqa: ANN001 - any callable
    """Give the seconds that the action took."""
    start = perf_counter()
    action()
    return perf_counter() - start


def first_and_last(one: Naive | Incremental, turns: int, *, skip: bool) -> tuple[float, float]:
    """Give the seconds of the first and of the last 100 turns; skip: do not time those between."""
    first = timed(lambda: [one.turn(n) for n in range(SAMPLE)])
    for n in range(SAMPLE, turns - SAMPLE):
        if skip and isinstance(one, Naive):
            text = f"{ENTRY}{n}"
            entry = {"epoch": n, "kind": "own", "speaker": "a", "text": text}
            one.entries += [entry, entry, entry]
        else:
            one.turn(n)
    return first, timed(lambda: [one.turn(n) for n in range(turns - SAMPLE, turns)])


def best_ratio(make, turns: int, *, skip: bool = False, repeats: int = 1):  # noqa: ANN001, ANN201
    """Give first, last and their ratio, each the best of several runs: noise only adds."""
    runs = [first_and_last(make(), turns, skip=skip) for _ in range(repeats)]
    first, last = (min(run[place] for run in runs) for place in (0, 1))
    return first, last, last / first


def rendering(turns: int) -> tuple[int, float, float, float]:
    """Give the bytes of a render, and the seconds of a plain copy, a render and the segments."""
    one = Incremental()
    for n in range(turns):
        one.turn(n)
    text = one.journal.render()
    half = len(text) // 2
    parts = (text[:half], text[half:])
    copy = min(timed(lambda: "".join(parts)) for _ in range(REPEATS))
    renders, segments = [], []
    for n in range(turns, turns + REPEATS):
        one.turn(n)
        segments.append(timed(one.journal.segments))
        renders.append(timed(one.journal.render))
    return len(text), copy, min(renders), min(segments)


def print_turns() -> list[str]:
    """Print what the first and the last 100 turns cost; give what grew."""
    grown = []
    print(f"{'turns':>7} {'engine':<10} {'first 100':>10} {'last 100':>10} {'last/first':>10}")
    for turns in TURNS:
        ours = best_ratio(Incremental, turns, repeats=REPEATS)
        theirs = best_ratio(Naive, turns, skip=turns > TURNS[0])
        for name, (first, last, ratio) in (("ours", ours), ("re-render", theirs)):
            times = f"{first * 1e3:>8.2f}ms {last * 1e3:>8.2f}ms"
            print(f"{turns:>7} {name:<10} {times} {ratio:>10.2f}")
        if ours[2] > MOST_GROWTH:
            grown.append(f"the last of {turns} turns cost {ours[2]:.2f} times the first")
    return grown


def print_renders() -> list[str]:
    """Print what a render costs after one more turn, beside a plain copy; give what is too dear."""
    dear = []
    print(f"{'turns':>7} {'render':>9} {'copy':>9} {'render+1':>9} {'x copy':>7} {'segments':>9}")
    for turns in (*TURNS, 27_000):
        size, copy, render, segments = rendering(turns)
        print(
            f"{turns:>7} {size / 1e6:>7.2f}MB {copy * 1e3:>7.2f}ms {render * 1e3:>7.2f}ms"
            f" {render / copy:>7.2f} {segments * 1e3:>7.2f}ms"
        )
        if render > MOST_COPIES * copy:
            dear.append(f"a render of {size / 1e6:.0f} MB costs {render / copy:.1f} plain copies")
    return dear


def print_wholes() -> None:
    """Print what a restore costs, and the whole run that the reference made quadratic."""
    one = Incremental()
    for n in range(TURNS[1]):
        one.turn(n)
    text = one.journal.to_json()
    restore = timed(lambda: Journal.from_json(text))
    whole = timed(lambda: render_entries(one.journal.entries))
    print(
        f"restore of {TURNS[1]} turns: {restore * 1e3:.0f} ms, beside one re-render of them: ",
        end="",
    )
    print(f"{whole * 1e3:.0f} ms")
    naive = Naive()
    seconds = timed(lambda: [naive.turn(n) for n in range(TURNS[0])])
    ours = Incremental()
    mine = timed(lambda: [ours.turn(n) for n in range(TURNS[0])])
    print(
        f"{TURNS[0]} turns in all: ours {mine * 1e3:.0f} ms; "
        f"re-rendering {seconds:.1f} s and {naive.written / 1e6:.0f} MB written"
    )


def main() -> int:
    """Print the tables, then what is kept; give 1 where a promise is broken."""
    broken = print_turns()
    print()
    broken += print_renders()
    print()
    print_wholes()
    print()
    broken += print_growth(1)
    for promise in broken:
        print(f"BROKEN: {promise}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

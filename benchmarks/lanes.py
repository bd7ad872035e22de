"""What a kept journal costs: bytes on disk, bytes and time a turn, opening, and asking its archive.

Run: python benchmarks/lanes.py
What short turns leave on disk is printed by `journal.py`, too.
"""

from __future__ import annotations

import random
import sys
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from agentjournal.journal.neutral import neutral_lines
from agentjournal.lanes.archive.index import index_archive
from agentjournal.lanes.archive.search import search_archive
from agentjournal.lanes.event import Signature
from agentjournal.lanes.fold import LANE_TABLES, LaneFold
from agentjournal.lanes.kept import KeptJournal
from agentjournal.lanes.record import record_turn
from agentjournal.lanes.turn import Turn
from agentjournal.log.log import Log
from agentjournal.storage.sqlite import Sqlite

TURNS = 1_600
LONG = 10_000
SAMPLE = 100
ENTRY_BYTES = 240
OWNER = "item/B-12"
AT = "2026-01-02T03:04:05.000006Z"
WORDS = """
    the build test branch merge review worker queue retry lock index page token parser cache module
    failed passed changed added removed because after before while until again with without of on in
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
MOST_GROWN = 4.0  # database over journal
MOST_DEARER = 1.2  # last turns over first ones
REFERENCE_MB = 479  # written by the reference for 1,600 turns of a 0.6 MB journal


class Life:
    """One owner in a store of its own, and turns of entries of 240 bytes."""

    def __init__(self, folder: str, *, durable: bool = True) -> None:
        database = Sqlite(str(Path(folder) / "log.db"), durable=durable)
        self.log = Log(database, [LaneFold()], [LANE_TABLES])
        self.log.migrate()
        self.chance = random.Random(1)  # noqa: S311 - filler
        self.numbers = count(1)
        self.said = 0

    def entry(self) -> str:
        """Give 240 bytes of words, one in eight of them rare."""
        text = ""
        while len(text) < ENTRY_BYTES:
            is_rare = self.chance.random() < 0.125
            text += (
                f"r{self.chance.randrange(5000)} " if is_rare else self.chance.choice(WORDS) + " "
            )
        return text[: ENTRY_BYTES - 1] + "."

    def turn(self, entries: int) -> None:
        """Record one turn of one to three such entries and look at what it weighs."""
        number = next(self.numbers)
        texts = [self.entry() for _ in range(entries)]
        situation = texts[1] if entries > 1 else f'Pipeline stage "tests" ran (attempt {number}).'
        heard = [("Reviewer", texts[2])] if entries > 2 else []
        turn = Turn(situation=situation, heard=heard, own=texts[0])
        by = Signature(id=f"01928f2e-7c4b-7000-8000-{number:012}", actor="worker-1", at=AT)
        record_turn(self.log, OWNER, turn, by)
        self.said += sum(map(len, texts)) + (len(situation) if entries == 1 else 0)

    def size(self) -> int:
        """Give the pages of the database in bytes, those in the write-ahead log included."""
        return int(self.log.database.facts()["page_count"]) * 4096


def written() -> int:
    """Give the bytes that this process has handed to the system so far (Linux)."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["wchar"])


class Sample:
    """What turns of one life took: seconds of the processor and of the wall, and bytes written."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.turns: list[tuple[float, float, int]] = []

    def turn(self, entries: int) -> None:
        """Record one turn and keep what it took."""
        before, start, used = written(), perf_counter(), process_time()
        self.life.turn(entries)
        self.turns.append((process_time() - used, perf_counter() - start, written() - before))

    def usual(self) -> tuple[float, float, float]:
        """Give the median processor and wall seconds, and the mean of bytes.

        The median, since a turn is mostly the disk's flush, and one slow flush outweighs many.
        """
        spent, walls, wrote = zip(*self.turns, strict=True)
        return median(spent), median(walls), sum(wrote) / len(wrote)


def compared(old: Life, young: Life, entries: int) -> tuple[Sample, Sample]:
    """Record the last turns of an old life and the first of a young one, by turns.

    Side by side, so that what else the machine does weighs on both.
    """
    first, last = Sample(young), Sample(old)
    for _ in range(SAMPLE):
        first.turn(entries)
        last.turn(entries)
    return first, last


def print_growth(entries: int) -> list[str]:
    """Print what 1,600 kept turns leave on disk and what their last hundred cost beside the first.

    Gives what is above its bound, as sentences.
    """
    with TemporaryDirectory() as old_folder, TemporaryDirectory() as young_folder:
        life, young = Life(old_folder), Life(young_folder)
        empty, before = life.size(), written()
        young.turn(entries)
        for _ in range(TURNS - SAMPLE):
            life.turn(entries)
        wrote = (written() - before) * TURNS / (TURNS - SAMPLE) / 1e6
        first, last = compared(life, young, entries)
        grown, said = life.size() - empty, life.said
        index_archive(life.log, OWNER)
        indexed = life.size() - empty
        print(f"{TURNS} turns of {entries} x {ENTRY_BYTES} bytes: journal {said / 1e6:.2f} MB")
        print(f"  database grew by {grown / 1e6:.2f} MB: {grown / said:.2f} times the journal")
        print(f"  with the archive's index {indexed / 1e6:.2f} MB: {indexed / said:.2f} times")
        print(f"  written {wrote:.0f} MB in all; the reference: {REFERENCE_MB} MB for 0.6 MB")
        above = [] if grown <= MOST_GROWN * said else [f"grew {grown / said:.2f} times the journal"]
        names = ("processor ms", "wall ms", "KB written")
        for name, scale, a, b in zip(
            names, (1e3, 1e3, 1e-3), first.usual(), last.usual(), strict=True
        ):
            print(
                f"  {name:<13} a turn: first {SAMPLE} {a * scale:.2f}, "
                f"last {SAMPLE} {b * scale:.2f}: {b / a:.2f}"
            )
            if b > MOST_DEARER * a:
                above.append(f"{name} of the last turns are {b / a:.2f} times those of the first")
        life.log.database.close()
        young.log.database.close()
    return above


def print_opening() -> None:
    """Print what opening costs with a short and a long history below the floor."""
    for turns in (400, LONG):
        with TemporaryDirectory() as folder:
            life = Life(folder, durable=False)
            for _ in range(turns):
                life.turn(3)
            KeptJournal(life.log, OWNER).consolidate(
                neutral_lines, Signature(id="floor", actor="bench", at=AT), 0.25
            )
            start = perf_counter()
            journal = KeptJournal(life.log, OWNER).journal
            opened = perf_counter() - start
            start = perf_counter()
            index_archive(life.log, OWNER)
            indexed = perf_counter() - start
            start = perf_counter()
            answer = search_archive(life.log, OWNER, "why did the parser of r17 fail r4711")
            asked = perf_counter() - start
            print(
                f"{turns:>6} turns: opened {len(journal.entries)} entries in {opened * 1e3:.0f} ms; "
                f"archive indexed in {indexed:.1f} s, asked in {asked * 1e3:.0f} ms, "
                f"{answer.held} episodes held a word"
            )
            life.log.database.close()


def main() -> int:
    """Print growth for short and long turns, then opening and asking."""
    above = [sentence for entries in (1, 3) for sentence in print_growth(entries)]
    print_opening()
    if above:
        print("Above the bounds: " + "; ".join(above))
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())

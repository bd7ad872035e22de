"""A workload whose losses and repeats can be told: entries with gapless numbers and their parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.storage.statement import parse_statement

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agentjournal.storage.database import Database

_PARTS = 3
_MAKE = parse_statement(
    "make",
    """
    CREATE TABLE {schema}counter (n {integer} NOT NULL);
    INSERT INTO {schema}counter VALUES (0);
    CREATE TABLE {schema}entry (seq {integer}, part {integer}, id {text}, body {text});
    CREATE INDEX entry_id ON {schema}entry (id);
    """,
)
_NEXT = parse_statement("next", "SELECT n FROM {schema}counter {for_update}")
_COUNT = parse_statement("count", "UPDATE {schema}counter SET n = n + 1")
_KNOWN = parse_statement("known", "SELECT seq FROM {schema}entry WHERE id = :id")
_ADD = parse_statement(
    "add", "INSERT INTO {schema}entry (seq, part, id, body) VALUES (:seq, :part, :id, :body)"
)
_ENTRIES = parse_statement("entries", "SELECT seq, part, id FROM {schema}entry ORDER BY seq, part")
_INTEGRITY = parse_statement("integrity", "PRAGMA integrity_check")


def make(database: Database) -> None:
    """Make the tables unless they are there."""
    with database.migration() as transaction:
        if not transaction.tables():
            transaction.run(_MAKE)


def store(database: Database, entry: str, size: int = 600) -> None:
    """Store an entry whole, once, however often it is asked for."""
    with database.transaction() as transaction:
        seq = int(transaction.rows(_NEXT)[0]["n"]) + 1
        if transaction.rows(_KNOWN, id=entry):
            return
        transaction.run(_COUNT)
        parts = range(1, _PARTS + 1)
        body = (entry * size)[:size]
        transaction.many(
            _ADD, [{"seq": seq, "part": part, "id": entry, "body": body} for part in parts]
        )


def faults(database: Database, acknowledged: Iterable[str]) -> list[str]:
    """Say everything that is wrong: the universal condition, as far as storage goes."""
    with database.snapshot() as reader:
        if "entry" not in reader.tables():
            return [f"lost: {entry}" for entry in acknowledged]
        rows = [(row["seq"], row["part"], row["id"]) for row in reader.rows(_ENTRIES)]
        counter = int(reader.rows(_NEXT)[0]["n"])
        sound = reader.rows(_INTEGRITY) if reader.engine == "sqlite" else []
    ids = [entry for _, part, entry in rows if part == 1]
    whole = [(seq + 1, part, entry) for seq, entry in enumerate(ids) for part in (1, 2, 3)]
    found = [f"lost: {entry}" for entry in sorted(set(acknowledged) - set(ids))]
    found += [f"twice: {entry}" for entry, times in Counter(ids).items() if times > 1]
    found += [] if rows == whole else ["entries are not whole, or their numbers have gaps"]
    found += [] if counter == len(ids) else [f"the counter says {counter} of {len(ids)}"]
    return found + [str(row) for row in sound if row["integrity_check"] != "ok"]


@dataclass(frozen=True)
class Acknowledgements:
    """What one worker tried and what it was told, outside of the store under test."""

    path: Path

    def write(self, word: str, entry: str) -> None:
        with self.path.open("a") as file:
            file.write(f"{word} {entry}\n")

    def all(self, word: str) -> list[str]:
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        return [line.split()[1] for line in lines if line.startswith(f"{word} ")]

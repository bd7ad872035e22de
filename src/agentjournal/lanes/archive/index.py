"""The index over what lies below an owner's floor: made when it is needed, one batch at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from agentjournal.lanes.archive.episode import Episode, episodes, told, verbatim
from agentjournal.lanes.lane import read_lane
from agentjournal.lanes.opened import kept_turns
from agentjournal.lanes.owner import check_owner
from agentjournal.search.words import words
from agentjournal.storage.statement import load_statements
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agentjournal.log.log import Log
    from agentjournal.search.words import Known
    from agentjournal.storage.database import Reader, Row, Transaction, Value

__all__ = ["ARCHIVE_SQL", "index_archive"]

ARCHIVE_SQL = load_statements("agentjournal.lanes", "sql/archive.sql")

_BATCH_BYTES = 256 * 1024  # that are indexed in one transaction
_ROW_EPISODES = 128  # whose postings of one word share a row, whatever batches they came in


def index_archive(log: Log, stream: str) -> int:
    """Bring an owner's index up to its floor and give the number of new episodes.

    Words are cut outside of the write queue; what was retracted or redacted meanwhile stays out.
    """
    check_owner(stream)
    added = 0
    while batch := _next_batch(log, stream):
        rows = _rows(stream, batch)
        with log.database.transaction() as tx:
            log.lock_stream(tx, stream)
            if _mark(log, tx, stream) == batch.mark:
                _store(tx, rows)
                added += len(batch.episodes)
    return added


@dataclass(frozen=True)
class _Mark:
    """What must still hold when a batch is stored: nobody indexed, forgot or took back meanwhile."""

    number: int
    after_n: int
    forgotten: int
    revocations: int


@dataclass(frozen=True)
class _Batch:
    mark: _Mark
    episodes: Sequence[Episode]


@dataclass(frozen=True)
class _Rows:
    episodes: Sequence[Mapping[str, Value]]
    words: Sequence[Mapping[str, Value]]


def _mark(log: Log, reader: Reader, stream: str) -> _Mark:
    indexed = reader.rows(ARCHIVE_SQL["indexed"], stream=stream)[0]
    forgotten = read_lane(reader, stream).forgotten
    return _Mark(
        number=int(indexed["number"] or 0),
        after_n=max(int(indexed["last_n"] or 0), forgotten),
        forgotten=forgotten,
        revocations=len(log.revocations(reader, stream)),
    )


def _next_batch(log: Log, stream: str) -> _Batch | None:
    with log.database.snapshot() as reader:
        mark = _mark(log, reader, stream)
        found: list[Episode] = []
        taken = 0
        for rewrite in reader.rows(
            ARCHIVE_SQL["rewrites_after"], stream=stream, after_n=mark.after_n
        ):
            new = list(_episodes(log, reader, stream, rewrite, mark.after_n))
            found += new
            taken += sum(size(verbatim(turn)) for episode in new for turn in episode.turns)
            if taken >= _BATCH_BYTES:
                break
    return _Batch(mark, found) if found else None


def _episodes(
    log: Log, reader: Reader, stream: str, rewrite: Row, after_n: int
) -> Iterator[Episode]:
    first = max(int(rewrite["first_n"] or 0), after_n + 1)
    turns = list(kept_turns(log, reader, stream, first - 1, int(rewrite["last_n"] or 0)))
    return episodes(turns, _lines(log, reader, stream, rewrite))


def _lines(log: Log, reader: Reader, stream: str, rewrite: Row) -> Sequence[str]:
    """Give the ledger lines that came with a rewrite; a floor that moved by itself tells nothing."""
    if rewrite["act"] != "consolidate":
        return ()
    event = log.events(reader, stream, int(rewrite["seq"] or 0) - 1, 1)[0]
    return () if event.hidden else cast("Sequence[str]", event.body.get("ledger", ()))


def _rows(stream: str, batch: _Batch) -> _Rows:
    known: Known = {}
    first = batch.mark.number + 1
    kept: list[Mapping[str, Value]] = []
    postings: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for number, episode in enumerate(batch.episodes, first):
        neutral = Counter(words(told(episode.neutral), known))
        said = Counter(word for turn in episode.turns for word in words(verbatim(turn), known))
        kept.append(
            {
                "stream": stream,
                "number": number,
                "first_n": episode.first_n,
                "last_n": episode.last_n,
                "neutral": episode.neutral,
                "neutral_words": neutral.total(),
                "verbatim_words": said.total(),
            }
        )
        row = number - (number - 1) % _ROW_EPISODES
        for word in neutral.keys() | said.keys():
            postings[word, row].append(f"{number - row}.{neutral[word]}.{said[word]}")
    held: list[Mapping[str, Value]] = [
        {"stream": stream, "word": word, "batch": row, "postings": " ".join(postings[word, row])}
        for word, row in sorted(postings)
    ]
    return _Rows(kept, held)


def _store(tx: Transaction, rows: _Rows) -> None:
    tx.many(ARCHIVE_SQL["insert_episode"], rows.episodes)
    tx.many(ARCHIVE_SQL["insert_word"], rows.words)

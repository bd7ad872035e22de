"""Episodes found by meaning: vectors of both keys, compared exactly. Needs the extra `vectors`."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Protocol

from agentjournal.errors import ExtraMissingError
from agentjournal.lanes.archive.episode import told, verbatim
from agentjournal.lanes.archive.index import ARCHIVE_SQL
from agentjournal.lanes.opened import kept_turns
from agentjournal.text.bounded import clip

try:
    import numpy as np
except ImportError as cause:
    raise ExtraMissingError(
        "Vectors need numpy, which is not installed.",
        next='Run `pip install "agent-journal[vectors]"`.',
    ) from cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row, Value

__all__ = ["Embedder", "ExactVectors"]

_BATCH = 64
_TEXT_BYTES = 8192  # of one key: what an embedder can take in, and more than an episode should have
_FLOAT = "<f4"


class Embedder(Protocol):
    """Turns texts into vectors of one length; vectors of another `name` are never compared."""

    @property
    def name(self) -> str:
        """Name the model, and its version where that changes the vectors."""
        ...

    def embed(self, texts: Sequence[str], /) -> Sequence[Sequence[float]]:
        """Give a vector for each text; it may be slow, no lock is held."""
        ...


class ExactVectors:
    """Finds the nearest episodes by comparing every one: exact, and fast enough for 100,000."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def bring_up(self, log: Log, stream: str) -> int:
        """Embed the episodes that have no vectors of this model yet; give their number."""
        added = 0
        while rows := self._pending(log, stream):
            with log.database.snapshot() as reader:
                revocations = len(log.revocations(reader, stream))
                texts = [_keys(log, reader, stream, row) for row in rows]
            flat = [clip(text, _TEXT_BYTES) for pair in texts for text in pair if text]
            vectors = iter(self._embedder.embed(flat))
            values = [
                {
                    "stream": stream,
                    "number": row["number"],
                    "model": self._embedder.name,
                    "neutral": _written(next(vectors)) if neutral else "",
                    "verbatim": _written(next(vectors)) if words else "",
                }
                for row, (neutral, words) in zip(rows, texts, strict=True)
            ]
            added += self._store(log, stream, values, rows, revocations)
        return added

    def nearest(self, reader: Reader, stream: str, question: str, limit: int) -> list[int]:
        """Give the numbers of the episodes whose nearer key is nearest to the question."""
        rows = reader.rows(ARCHIVE_SQL["vectors"], stream=stream, model=self._embedder.name)
        if not rows:
            return []
        asked = _unit(np.asarray(self._embedder.embed([question])[0], dtype=_FLOAT))
        keys = [_alike(rows, key, asked) for key in ("neutral", "verbatim")]
        order = np.argsort(-np.maximum(*keys), kind="stable")[:limit]
        return [int(rows[place]["number"] or 0) for place in order]

    def _pending(self, log: Log, stream: str) -> list[Row]:
        model = self._embedder.name
        return log.database.rows(
            ARCHIVE_SQL["without_vectors"], stream=stream, model=model, limit=_BATCH
        )

    def _store(
        self,
        log: Log,
        stream: str,
        values: Sequence[dict[str, Value]],
        rows: Sequence[Row],
        revocations: int,
    ) -> int:
        """Store them, unless the episodes changed or something was taken back meanwhile."""
        with log.database.transaction() as tx:
            log.lock_stream(tx, stream)
            model = self._embedder.name
            now = tx.rows(ARCHIVE_SQL["without_vectors"], stream=stream, model=model, limit=_BATCH)
            if now[: len(rows)] != rows or len(log.revocations(tx, stream)) != revocations:
                return 0
            tx.many(ARCHIVE_SQL["insert_vector"], values)
        return len(rows)


def _keys(log: Log, reader: Reader, stream: str, row: Row) -> tuple[str, str]:
    first, last = int(row["first_n"] or 0), int(row["last_n"] or 0)
    turns = kept_turns(log, reader, stream, first - 1, last)
    return told(str(row["neutral"])), "\n".join(filter(None, map(verbatim, turns)))


def _written(vector: Sequence[float]) -> str:
    return b64encode(_unit(np.asarray(vector, dtype=_FLOAT)).tobytes()).decode()


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector


def _alike(rows: Sequence[Row], key: str, asked: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give how near each episode's key is to the question: -1 to 1, and -2 where it has none."""
    none = np.zeros_like(asked).tobytes()
    held = [b64decode(str(row[key])) for row in rows]
    matrix = np.frombuffer(b"".join(data or none for data in held), dtype=_FLOAT)
    near = matrix.reshape(len(rows), len(asked)) @ asked
    return np.where([bool(data) for data in held], near, np.float32(-2))

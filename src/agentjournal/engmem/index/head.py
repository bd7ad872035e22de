"""The part of an index that every search reads: counts, and where everything stands."""

from __future__ import annotations

from agentjournal.engmem.index.counts import Counts
from agentjournal.engmem.index.seal import Seal
from agentjournal.engmem.scan import Failure
from agentjournal.errors import DamagedError
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentjournal.engmem.index.tally import Tally

__all__ = ["Files", "Head", "Recent", "Seen", "head_of"]

Recent = tuple[int, int, str, bool]  # offset, length, id, whether it is a draft


@frozen
class Seen:
    """What stands around the documents: stray files, and why anything could not be listed.

    `synonyms` is what the store's own list says means the same, by phrase.
    """

    strays: tuple[str, ...] = ()
    stray_error: str | None = None
    scan_error: str | None = None
    failures: tuple[tuple[str, str], ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = {}
    synonyms_error: str | None = None


@frozen(kw_only=True)
class Files:
    """What an index was made for, and its other files; `end` is that of the records."""

    key: str = ""
    records: str = ""
    end: int = 0
    postings: str = ""
    seals: Mapping[str, Seal]


@frozen(kw_only=True)
class Head:
    """`documents`, `sections` and `words` count what is ranked: what is active or superseded.

    `recent` are documents that are not in the postings, `dead` the offsets of those that are and
    no longer count. `seals` are of all files of the index but this one.
    """

    key: str
    counts: Counts
    failures: tuple[Failure, ...]
    degraded: tuple[tuple[str, tuple[str, ...]], ...]
    seen: Seen
    documents: int
    sections: int
    words: int
    recent: tuple[Recent, ...]
    dead: tuple[int, ...]
    records: str
    end: int
    postings: str
    seals: Mapping[str, Seal]

    def values(self) -> dict[str, object]:
        """Give everything as plain values."""
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "counts": dict(vars(self.counts)),
            "failures": [(each.file, each.reason) for each in self.failures],
            "seen": dict(vars(self.seen)),
            "seals": {name: tuple(seal) for name, seal in self.seals.items()},
        }

    @classmethod
    def of(cls, values: object) -> Head:
        """Read it from those values.

        Raises:
            DamagedError: they are something else.
        """
        try:
            return cls(
                **{name: values[name] for name in _PLAIN},  # type: ignore[index]  # what does not fit is caught below
                counts=Counts(**values["counts"]),  # type: ignore[index]  # same
                failures=tuple(Failure(*each) for each in values["failures"]),  # type: ignore[index]  # same
                seen=Seen(**values["seen"]),  # type: ignore[index]  # same
                seals={name: Seal(*each) for name, each in values["seals"].items()},  # type: ignore[index]  # same
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise DamagedError("The head of the index is none of ours.") from error


_PLAIN = (
    *("key", "degraded", "documents", "sections", "words"),
    *("recent", "dead", "records", "end", "postings"),
)


def head_of(tally: Tally, *, seen: Seen, dead: Iterable[int], files: Files) -> Head:
    """Take from the counts what a search reads."""
    failures = [Failure(*each) for each in seen.failures]
    failures += [Failure(file, reason) for file, (reason, _) in tally.failed.items()]
    return Head(
        **vars(files),
        counts=_counts(tally, len(failures)),
        failures=tuple(sorted(failures, key=lambda each: each.file)),
        degraded=tuple(sorted(tally.degraded.items())),
        seen=seen,
        documents=tally.total - tally.kinds.get("draft", 0),
        sections=tally.sections,
        words=tally.words,
        recent=tuple(tally.recent.values()),
        dead=tuple(sorted(dead)),
    )


def _counts(tally: Tally, failed: int) -> Counts:
    return Counts(
        total=tally.total,
        drafts=tally.kinds.get("draft", 0),
        active=tally.kinds.get("active", 0),
        superseded=tally.kinds.get("superseded", 0),
        partial=tally.partial,
        degraded=len(tally.degraded),
        failed=failed,
        newest=max(tally.days, default=""),
    )

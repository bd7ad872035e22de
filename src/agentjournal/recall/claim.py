"""What `tried`, briefs and drafts speak in: one thing that was rejected, decided or learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.search.rank import Frequencies

__all__ = ["Candidates", "Claim", "Origin", "Source", "Standing", "Verdict"]

Verdict = Literal["rejected", "decided", "lesson"]
Standing = Literal["in force", "candidate", "superseded"]
Origin = Literal["log", "engmem", "harvest"]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One claim with its evidence: enough to judge it, and to find where it comes from.

    `scope` says of what it holds (project and task, document, repository), `evidence` where it
    stands (step, section, commit, path), `standing` whether anybody answers for it: a candidate
    was found by a program and accepted by nobody. `reopen_if` is the whole note that a reader is
    told, as `reopen if: library redis >= 8`.
    """

    id: str
    what: str
    verdict: Verdict
    why: str
    evidence: str
    scope: str
    source: Origin
    standing: Standing
    reopen_if: str | None = None
    actor: str | None = None
    revision: int | None = None


@dataclass(frozen=True)
class Candidates:
    """Claims that may answer a question, best first, and how common its words are here.

    The counts may stop at a bound that is high enough to tell rare from common.
    """

    claims: tuple[Claim, ...]
    frequencies: Frequencies


class Source(Protocol):
    """One kind of record as claims; superseded and retracted ones are never among them."""

    name: str

    def claims(self, stems: Sequence[str], limit: int) -> Candidates:
        """Give the claims that hold the rarest of these stems, at most `limit`."""
        ...

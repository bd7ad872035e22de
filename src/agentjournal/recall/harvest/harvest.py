"""Everything that a repository's own history says was rejected or decided, as candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.execution.plan.read import read_plan
from agentjournal.recall.claim import Claim
from agentjournal.recall.harvest.objects import read_commits, read_files
from agentjournal.recall.harvest.places import candidate_files, is_plan_name, is_record_name
from agentjournal.recall.harvest.record import Record, read_record
from agentjournal.recall.harvest.reverts import turned
from agentjournal.search.words import words
from agentjournal.text.redact import redact
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from agentjournal.recall.claim import Verdict
    from agentjournal.recall.harvest.objects import File
    from agentjournal.recall.harvest.reverts import Turn, Turned

__all__ = ["Harvest", "PlanFound", "harvest"]

COMMITS = 5_000
RECORDS = 2_000  # files opened
FILE_BYTES = 256 * 1024
CANDIDATES = 2_000
PLANS = 100
FEWEST_TASKS = 2

_WHAT = 240  # bytes
_WHY = 500
_SHORT = 10  # digits of a commit's id


@dataclass(frozen=True)
class PlanFound:
    """A file that holds tasks with ids: its path, its title, how many tasks, how many are ticked."""

    path: str
    title: str
    tasks: int
    done: int


@dataclass(frozen=True, kw_only=True)
class Harvest:
    """What was found: numbers by name, candidates, plans. Nothing of it is in force."""

    repository: str
    commits: int
    counts: Mapping[str, int]
    candidates: tuple[Claim, ...]
    plans: tuple[PlanFound, ...]


def harvest(root: Path, *, repository: str, commits: int = COMMITS) -> Harvest:
    """Read reverts, decision records and plans of the commit that is checked out in `root`.

    Only what is committed is read, through git and by object: no link is followed, nothing of the
    repository is run. `repository` is its name in the claims' scope.

    Raises:
        ForeignProgramError: git is missing or failed to end in time.
    """
    history = list(read_commits(root, commits))
    changes = [each for each in turned(history) if each.is_sensible]
    files = candidate_files(root)
    records = list(_records(root, [each for each in files if is_record_name(each.path)]))
    plans = list(_plans(root, [each for each in files if is_plan_name(each.path)]))
    claims = _Claims(repository)
    for change in changes:
        claims.turn(change)
    for path, record in reversed(records):  # the newest number first, as with commits
        claims.record(path, record)
    found = claims.distinct()
    return Harvest(
        repository=repository,
        commits=len(history),
        counts={
            "reverts": sum(each.is_out for each in changes),
            "reintroductions": sum(not each.is_out for each in changes),
            "decision records": len(records),
            "rejected options": sum(
                len(record.rejected) for _, record in records if record.standing == "accepted"
            ),
            "plans": len(plans),
            "left out": max(len(found) - CANDIDATES, 0),
        },
        candidates=tuple(found[:CANDIDATES]),
        plans=tuple(plans[:PLANS]),
    )


class _Claims:
    """Writes claims of one repository, each text cleared of secrets and of what does not show."""

    def __init__(self, repository: str) -> None:
        self._repository = repository
        self._found: list[Claim] = []

    def turn(self, change: Turned) -> None:
        """Add a change that was taken out, or brought back with a word why."""
        last = change.turns[-1]
        what = f"Moving away from {change.what}" if change.is_back_to else change.what
        evidence = f"commit {last.commit.id[:_SHORT]} ({last.commit.day})"
        if change.is_out:
            self._add(f"revert:{last.commit.id}", "rejected", what, _why_out(change), evidence)
        elif any(turn.reason for turn in change.turns):
            self._add(f"reapply:{last.commit.id}", "lesson", what, _why_back(change), evidence)

    def record(self, path: str, record: Record) -> None:
        """Add a record's decision and what it rejected; of a rejected one, that it was."""
        if record.standing == "rejected":
            self._add(f"record:{path}", "rejected", record.title, record.reason, path)
            return
        if record.chosen:
            what = f"{record.title}: {record.chosen}"
            self._add(f"record:{path}", "decided", what, record.reason, path)
        for number, option in enumerate(record.rejected, start=1):
            what, why = f"{option.what} (in: {record.title})", option.why or _instead(record)
            self._add(f"record:{path}#{number}", "rejected", what, why, path)

    def distinct(self) -> list[Claim]:
        """Give each claim once; of two that say the same thing the one that gives more reason."""
        kept: dict[tuple[str, ...], Claim] = {}
        for claim in self._found:
            key = (claim.verdict, *words(claim.what))
            known = kept.get(key)
            if known is None or len(known.why) < len(claim.why):
                kept[key] = claim
        return list(kept.values())

    def _add(self, id_: str, verdict: Verdict, what: str, why: str, evidence: str) -> None:
        self._found.append(
            Claim(
                id=id_,
                what=one_line(redact(what).text, _WHAT),
                verdict=verdict,
                why=one_line(redact(why).text, _WHY),
                evidence=one_line(redact(evidence).text, _WHAT),
                scope=self._repository,
                source="harvest",
                standing="candidate",
            )
        )


def _why_out(change: Turned) -> str:
    reasons = [
        turn.reason for turn in reversed(change.turns) if turn.kind == "revert" and turn.reason
    ]
    if reasons:
        return reasons[0]
    return f"The commit gives no reason. The change had said: {change.said}" if change.said else ""


def _why_back(change: Turned) -> str:
    return ". ".join(_told(turn) for turn in change.turns[-2:])


def _told(turn: Turn) -> str:
    done = "Taken out" if turn.kind == "revert" else "Brought back"
    reason = f": {turn.reason}" if turn.reason else ""
    return f"{done} in {turn.commit.id[:_SHORT]} ({turn.commit.day}){reason}"


def _instead(record: Record) -> str:
    if not record.chosen:
        return ""
    reason = f", because {record.reason}" if record.reason else ""
    return f"Chosen instead: {record.chosen}{reason}"


def _records(root: Path, files: Sequence[File]) -> Iterator[tuple[str, Record]]:
    for file, data in _by_path(root, files[:RECORDS]):
        record = read_record(file.path, data.decode("utf-8", "replace"))
        if record and record.standing in {"accepted", "rejected"}:
            yield file.path, record


def _plans(root: Path, files: Sequence[File]) -> Iterator[PlanFound]:
    for file, data in _by_path(root, files[:RECORDS]):
        plan = read_plan(data, file.path).plan
        tasks = [task for task in plan.tasks if not task.is_container] if plan else []
        if plan and len(tasks) >= FEWEST_TASKS:
            title = one_line(redact(plan.title).text, _WHAT)
            done = sum(task.is_done for task in tasks)
            yield PlanFound(one_line(file.path, _WHAT), title, len(tasks), done)


def _by_path(root: Path, files: Iterable[File]) -> list[tuple[File, bytes]]:
    return sorted(read_files(root, files, FILE_BYTES), key=lambda each: each[0].path)

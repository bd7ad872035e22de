"""Why it was done so: the decisions and ruled-out options of a project that hold given words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentjournal.errors import Fault, InputError
from agentjournal.execution.caps import CLAIMS
from agentjournal.execution.citation import cited, quoted_line
from agentjournal.execution.drift import drift_lines, is_drifted
from agentjournal.execution.layout import Item, Part, fill, left_out_line, with_last_line
from agentjournal.execution.observed import NOTHING_OBSERVED, Observed
from agentjournal.execution.quoted import decision_line
from agentjournal.execution.reopen_if import note
from agentjournal.execution.task import load_project
from agentjournal.search.words import read_words
from agentjournal.storage.statement import load_statements
from agentjournal.text.bounded import size
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from agentjournal.execution.layout import Composed
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader

__all__ = ["MOST", "why", "why_data"]

SQL = load_statements("agentjournal.execution", "sql/read_claims.sql")

MOST = 8  # claims
LOOKED_THROUGH = 2_000  # of the newest that hold the rarest word
ASKED_BYTES = 100


@dataclass(frozen=True)
class _Reasons:
    claims: tuple[dict[str, Any], ...]  # oldest first
    total: int
    drift: list[str]


def why(
    log: Log,
    slug: str,
    words: str,
    *,
    cap: int = CLAIMS.default,
    observed: Observed = NOTHING_OBSERVED,
) -> str:
    """Give the newest claims in force that hold all the words, oldest first, at most eight.

    The text has at most `cap` bytes (up to 8,000); each claim carries actor, step and revision.

    Raises:
        NotFoundError: there is no such project.
        InputError: there is no word to look for, or the cap lies outside of its bounds.
    """
    cap = CLAIMS.checked(cap)
    found = _load(log, slug, words, observed)
    asked = quoted_line(words, ASKED_BYTES)
    if not found.claims:
        nothing = (
            f"Nothing that was decided or ruled out in {slug} holds all of: {asked}. "
            f"In other words: agentjournal tried {asked}"
        )
        return "\n".join([*found.drift, nothing])
    told = f"Decided or ruled out in {slug}, oldest first. Brackets: actor, id, revision."
    head = "\n".join([told, *found.drift])
    newest = len(found.claims) - 1
    items = [
        Item(text=_line(claim), kind="claims", round=newest - at)
        for at, claim in enumerate(found.claims)
    ]
    part = Part(heading="", items=items, unread={"older claims": found.total - len(items)})

    def compose(reserved: int) -> Composed:
        filled = fill([part], cap - reserved - size(head))
        return [head, *filled.lines], filled.left_out

    more = f"a further word, or agentjournal why --project {slug} ... --bytes {CLAIMS.ceiling}"
    return with_last_line(compose, part.left_out, lambda left: left_out_line(left, more))


def why_data(
    log: Log, slug: str, words: str, *, observed: Observed = NOTHING_OBSERVED
) -> dict[str, object]:
    """Give the same claims as plain data.

    Raises:
        NotFoundError: there is no such project.
        InputError: there is no word to look for.
    """
    found = _load(log, slug, words, observed)
    return {
        "project": slug,
        "claims": list(found.claims),
        "left_out": found.total - len(found.claims),
        "is_drifted": bool(found.drift),
        "observed": observed.data,
    }


def _load(log: Log, slug: str, words: str, observed: Observed) -> _Reasons:
    stems = _stems(words)
    with log.database.snapshot() as reader:
        project = load_project(reader, slug)
        found = _holding(reader, slug, stems)
        now = observed.now or reader.now()
        newest = [_claim(reader, id_, observed, now) for id_ in found[:MOST]]
    drift = drift_lines(project["revision"], is_drifted=is_drifted(observed, project["sha256"]))
    return _Reasons(tuple(reversed(newest)), len(found), drift)


def _stems(words: str) -> list[str]:
    """Give the stems that all have to be there; of a compound its parts."""
    stems = {stem for word in read_words(words) for stem in word.stems[1:] or word.stems}
    if not stems:
        remedy = "Name what was decided: a library, a file, a way of doing it."
        fault = Fault(field="words", rule="hold a word", got=quoted_line(words, 40), remedy=remedy)
        raise InputError("There is no word to look for.", faults=(fault,), next=remedy)
    return sorted(stems)


def _holding(reader: Reader, slug: str, stems: list[str]) -> list[str]:
    """Give the ids of the claims that hold every stem, newest first."""

    def count(stem: str) -> int:
        return int(reader.rows(SQL["word_count"], word=stem, slug=slug)[0]["count"] or 0)

    rarest, *others = sorted(stems, key=lambda stem: (count(stem), stem))
    at = {"word": rarest, "slug": slug}
    rows = reader.rows(SQL["claims_with"], **at, limit=LOOKED_THROUGH)
    found = [str(row["claim"]) for row in rows]
    for other in others:
        rows = reader.rows(SQL["claims_with_both"], **at, other=other) if found else []
        both = {str(row["claim"]) for row in rows}
        found = [claim for claim in found if claim in both]
    return found


def _claim(reader: Reader, id_: str, observed: Observed, now: str) -> dict[str, Any]:
    for row in reader.rows(SQL["ruled_out"], id=id_):
        values: dict[str, Any] = dict(row)
        condition = note(values["reopen_if"], values.pop("observed"), observed, now)
        return {"verdict": "ruled out", **values, "note": condition}
    values = dict(reader.rows(SQL["decision"], id=id_)[0])
    return {"verdict": "decided", **values, "options": parse_json(values["options"])}


def _line(claim: dict[str, Any]) -> str:
    about = f" ({claim['task']})" if claim["task"] else ""
    cite = cited(claim["actor"], claim["id"], claim["revision"])
    if claim["verdict"] == "decided":
        gate = claim["would_gate"]
        asked = f" Would have asked: {quoted_line(gate)}" if gate else ""
        return f"- Decided{about}: {decision_line(claim)}{asked} {cite}"
    when = f"; {claim['note']}" if claim["note"] else ""
    said = f"{quoted_line(claim['what'])}: {quoted_line(claim['why'])}"
    return f"- Ruled out{about}: {said}{when} {cite}"

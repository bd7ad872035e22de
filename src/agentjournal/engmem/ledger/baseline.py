"""A client reports what its one call without memory took."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.cost import baseline_words
from agentjournal.engmem.ledger.cost_row import COST
from agentjournal.engmem.writing.ledger_line import append_line
from agentjournal.errors import InputError, NotFoundError, StoreUnavailableError
from agentjournal.text.bounded import clip
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.ledger.cost_row import Baseline
    from agentjournal.engmem.ledger.known import Known
    from agentjournal.engmem.ledger.stamp import Stamp

__all__ = ["CALL_ID", "record_baseline"]

CALL_ID = 200  # characters
_MOST = 2**53
_ID = 200


def record_baseline(root: Path, known: Known, baseline: Baseline, stamp: Stamp) -> str:
    """Append one report to the store's costs and say what was recorded.

    A later report of the same `call_id` replaces the earlier one when costs are summed up.

    Raises:
        InputError: no figure was given, one is not above zero, or the call's id is too long.
        NotFoundError: no document has the session's id.
        StoreUnavailableError: it could not be written.
    """
    session = baseline.session or ""
    if not (baseline.call_id or "").strip():
        baseline = replace(baseline, call_id=None)
    _refuse_figures(baseline.tokens, baseline.seconds, baseline.call_id)
    if known.header(session) is None:
        raise NotFoundError(
            f"no document with id {clip(session, _ID)!r} in the store: a baseline belongs to a session's"
            " document.",
            next="Create the draft first: engmem draft create ID",
        )
    if reason := append_line(root, COST, _line(baseline, stamp)):
        raise StoreUnavailableError(
            f"The baseline was not recorded ({reason}).", next="Check the store's permissions."
        )
    return f"recorded the baseline of {one_line(session, _ID)}: {baseline_words(baseline)}"


def _refuse_figures(tokens: int | None, seconds: float | None, call_id: str | None) -> None:
    if tokens is None and seconds is None:
        raise InputError(
            "There is nothing to record: neither tokens nor seconds were given.",
            next="Give --tokens, --seconds or both, as the client reported them.",
        )
    if tokens is not None and not 0 < tokens <= _MOST:
        raise InputError(
            f"tokens must be a whole number above zero (got {tokens}).",
            next="Leave it out where the client reported none.",
        )
    if seconds is not None and not (math.isfinite(seconds) and 0 < seconds <= _MOST):
        raise InputError(
            f"seconds must be a number above zero (got {seconds}).",
            next="Leave it out where the client reported none.",
        )
    if call_id is not None and len(call_id) > CALL_ID:
        raise InputError(
            f"The call's id has {len(call_id)} characters; at most {CALL_ID} are kept.",
            next="Give the shorter id: it is not cut, since it must stay the same.",
        )


def _line(baseline: Baseline, stamp: Stamp) -> dict[str, object]:
    return {
        "ts": stamp.ts,
        "engmem_version": stamp.version,
        "op_id": stamp.op_id,
        "op": "baseline",
        "session_id": baseline.session,
        "channel": stamp.channel,
        "tokens": baseline.tokens,
        "seconds": None if baseline.seconds is None else float(baseline.seconds),
        "call_id": baseline.call_id,
        "reported_by": "client",
    }

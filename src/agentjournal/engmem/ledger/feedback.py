"""A user's verdict on a find is recorded: only for what a search really showed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.assessment import FEEDBACK
from agentjournal.engmem.ledger.finds import read_finds
from agentjournal.engmem.writing.ledger_line import append_line
from agentjournal.errors import InputError, NotFoundError, StoreUnavailableError
from agentjournal.text.bounded import clip
from agentjournal.text.redact import redact
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.ledger.assessment import Assessment
    from agentjournal.engmem.ledger.known import Known
    from agentjournal.engmem.ledger.stamp import Stamp

__all__ = ["WORDS", "record_feedback"]

WORDS = 1000  # characters
_ID = 200  # bytes
_NAMED = 600  # bytes of the finds that a refusal names


def record_feedback(root: Path, known: Known, assessment: Assessment, stamp: Stamp) -> str:
    """Append a verdict to the store's feedback and say what was recorded; secrets are taken out.

    Raises:
        InputError: a text is too long, or no search of that session showed the document.
        NotFoundError: no document has the session's id.
        StoreUnavailableError: it could not be written.
    """
    session, document = assessment.session, assessment.document
    _refuse_long(assessment.decision, assessment.source)
    if known.header(session) is None:
        raise NotFoundError(
            f"no document with id {clip(session, _ID)!r} in the store: "
            "a verdict belongs to a session's document.",
            next="Give the id of the draft that the search was made for.",
        )
    _refuse_unseen(root, session, document)
    kept = replace(
        assessment,
        decision=_without_secrets(assessment.decision),
        source=_without_secrets(assessment.source),
    )
    if reason := append_line(root, FEEDBACK, kept.line(stamp)):
        raise StoreUnavailableError(
            f"The feedback was not recorded ({reason}).", next="Check the store's permissions."
        )
    return (
        f"recorded {kept.verdict} for {one_line(document, _ID)} in session"
        f" {one_line(session, _ID)}, as the user's assessment"
    )


def _refuse_long(decision: str | None, source: str | None) -> None:
    for name, text in (("decision", decision), ("source", source)):
        if text is not None and len(text) > WORDS:
            raise InputError(
                f"{name} has {len(text)} characters; at most {WORDS} are kept, and a user's words"
                " are not cut.",
                next="Shorten it.",
            )


def _refuse_unseen(root: Path, session: str, document: str) -> None:
    finds = read_finds(root, session).of(session)
    if document not in finds:
        named = one_line(", ".join(sorted(finds)), _NAMED) or "none"
        raise InputError(
            f"{clip(document, _ID)!r} was shown by no search of session {clip(session, _ID)!r}: "
            "only finds are assessed.",
            next=f"The finds of this session: {named}.",
        )


def _without_secrets(text: str | None) -> str | None:
    return None if text is None else redact(text).text

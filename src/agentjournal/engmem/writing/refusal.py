"""Why a write was refused: nothing was written, and what to do instead."""

from __future__ import annotations

import re

from agentjournal.errors import InputError

__all__ = ["WriteRefused", "changed_since", "checked_id", "place_of"]

LONGEST = 120  # characters of an id

_ID = re.compile("[a-z0-9]+(?:-[a-z0-9]+)+")
_SHOWN = 80


class WriteRefused(InputError):  # noqa: N818 - said as it is caught: the write was refused
    """Nothing was written; the message says why, and shows the current text where that helps."""

    kind = "write_refused"


def checked_id(text: str, name: str = "id") -> str:
    """Give the id back where a document may be written under it.

    Raises:
        WriteRefused: it is not of the form `<story-id>-<slug>` or `<YYYYMMDD>-<slug>`.
    """
    if _ID.fullmatch(text) and len(text) <= LONGEST:
        return text
    message = (
        f"invalid document {name} {text[:_SHOWN]!r}: it must be <story-id>-<slug> or "
        f"<YYYYMMDD>-<slug> of lowercase letters, digits and hyphens, at most {LONGEST} characters"
    )
    raise WriteRefused(message)


def place_of(id_: str) -> str:
    """Give where the document of an id stands, as answers name it."""
    return f"sessions/{id_}.md"


def changed_since(id_: str, given: str, current: bytes, current_version: str) -> WriteRefused:
    """Say that a document is no longer the one that was read, and show it as it is."""
    said = (
        f"it changed since you read it (you gave version {given[:_SHOWN]!r}"
        if given
        else ("no expected version was given (a write needs the version that was read")
    )
    text = current.decode("utf-8-sig", errors="replace")
    return WriteRefused(
        f"{place_of(id_)}: {said}, the current version is {current_version!r}) — nothing was "
        f"written. Carry your change into the text below, then give that version.\n"
        f"--- current {place_of(id_)} ---\n{text}"
    )

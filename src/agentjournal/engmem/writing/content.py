"""What a document must be before it is written: readable without a fault, and its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.document import read_document
from agentjournal.engmem.front_matter import Refusal
from agentjournal.engmem.store import BYTES
from agentjournal.engmem.writing.refusal import WriteRefused, place_of
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from agentjournal.engmem.document import Document, Status

__all__ = ["checked_content"]

_SHOWN = 80  # bytes of a value that a refusal repeats


def checked_content(id_: str, content: bytes, status: Status) -> Document:
    """Read what is to be written for an id, with the status that it must have.

    Raises:
        WriteRefused: it is empty, too large, does not parse, or says another id or status.
    """
    if not content.strip():
        raise WriteRefused("the content is empty: pass the whole document — nothing was written.")
    if len(content) > BYTES:
        message = f"the content has more than {BYTES // 1024**2} MB — nothing was written."
        raise WriteRefused(message)
    read = read_document(f"{id_}.md", content)
    if isinstance(read, Refusal):
        raise WriteRefused(f"{place_of(id_)} content does not parse: {read.reason}")
    if read.faults:
        raise WriteRefused(f"{place_of(id_)} content does not parse: {'; '.join(read.faults)}")
    if read.id != id_:
        told = one_line(read.id, _SHOWN)
        raise WriteRefused(f"the content's id is {told!r}, not {id_!r}: both must be the same.")
    if read.status != status:
        message = f"the content's status is {read.status!r}, and must be {status!r} here."
        raise WriteRefused(message)
    return read

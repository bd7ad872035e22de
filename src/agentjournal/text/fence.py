"""Quoted data in a prompt: a frame that what it holds can neither close nor imitate."""

from __future__ import annotations

import re

from agentjournal.text.canonical import sha256_hex
from agentjournal.text.visible import one_line, visible

__all__ = ["fence"]

_TAG = re.compile(r"<(?=/?quoted:)", re.IGNORECASE)


def fence(label: str, text: str) -> str:
    r"""Frame the text as data: `<quoted:DIGEST label>`, the text, `</quoted:DIGEST>`.

    The digest is 12 hex digits of the SHA-256 of label and text: same data, same bytes. Hidden
    characters are written out; a tag of this kind inside the text becomes `<\quoted:`.
    """
    name = _TAG.sub(r"<\\", one_line(label))
    body = _TAG.sub(r"<\\", visible(text))
    digest = sha256_hex(f"{name}\n{body}")[:12]
    return f"<quoted:{digest} {name}>\n{body}\n</quoted:{digest}>"

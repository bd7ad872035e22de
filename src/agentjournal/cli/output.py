"""Where a command's words go: results to stdout, narration to stderr, `--json` in one envelope."""

from __future__ import annotations

import json
import os
import sys

from agentjournal.frozen import frozen
from agentjournal.text.bounded import clip_lines
from agentjournal.text.visible import visible
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TextIO

    from agentjournal.errors import AgentJournalError

    Meaning = Literal["good", "bad", "wait", "quiet", "name", "plain"]

SCHEMA_VERSION = 1
LINE = 1_200  # bytes of a line of a refusal: a whole file may have been given as an argument
REFUSAL = 4_000  # bytes of what an agent reads of a refusal

# Six meanings; nothing else picks a colour. Readable on light and dark grounds.
_COLOURS: dict[Meaning, str | None] = {
    "good": "green",
    "bad": "red",
    "wait": "yellow",
    "quiet": "bright_black",
    "name": "cyan",
    "plain": None,
}


@frozen
class Output:
    """Print one command's answer as text or as JSON."""

    as_json: bool = False

    def result(self, text: str, data: object) -> None:
        """Print the answer on stdout: the text for a reader, the data for a program."""
        write(sys.stdout, self.shown(text, data))

    def shown(self, text: str, data: object) -> str:
        """Give what `result` prints, but for the line's end and what `visible` writes out."""
        return _json({"schema_version": SCHEMA_VERSION, "data": data}) if self.as_json else text

    def note(self, text: str) -> None:
        """Narrate on stderr; a program that reads stdout never sees it."""
        write(sys.stderr, text)

    def error(self, error: AgentJournalError) -> None:
        """Say what failed on stderr, or as the JSON envelope on stdout."""
        if self.as_json:
            write(sys.stdout, _json(error_envelope(error)))
        else:
            write(sys.stderr, ("error", "bad"), f": {clip_lines(str(error), LINE)}")


def error_envelope(error: AgentJournalError) -> Mapping[str, object]:
    """Give an error in the form that `--json` prints."""
    told = [clip_lines(each, LINE) for each in (error.message, error.next)]
    body: dict[str, object] = {"kind": error.kind, "message": told[0], "next": told[1]}
    faults = getattr(error, "faults", ())
    if faults:
        body["faults"] = [
            {"field": f.field, "rule": f.rule, "got": f.got, "remedy": f.remedy} for f in faults
        ]
    return {"schema_version": SCHEMA_VERSION, "error": body}


def _json(envelope: Mapping[str, object]) -> str:
    """Give plain ASCII: whatever was stored, a terminal sees escapes and a parser the text."""
    return json.dumps(envelope, sort_keys=True)


def write(stream: TextIO | None, *parts: str | tuple[str, Meaning]) -> None:
    """Write the parts and a newline; a part with a meaning is coloured, stored text cannot colour itself.

    A stream that was closed before the start is None, and takes nothing; what its encoding lacks
    is escaped.
    """
    if stream is None:
        return
    text = "".join(_painted(stream, part) for part in parts) + "\n"
    try:
        stream.write(text)
    except UnicodeEncodeError as error:
        stream.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding))
    stream.flush()


def _painted(stream: TextIO, part: str | tuple[str, Meaning]) -> str:
    if isinstance(part, str):
        return visible(part)
    text, meaning = part
    colour = _COLOURS[meaning] if _wants_colour(stream) else None
    if not colour:
        return visible(text)
    from click import style

    return style(visible(text), fg=colour)


def _wants_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

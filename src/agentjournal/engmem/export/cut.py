"""A text without what must not leave the store, and the list of what was taken out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.engmem.export.paths import local_paths
from agentjournal.engmem.export.references import links_and_citations
from agentjournal.engmem.export.reuse import reuse_logs
from agentjournal.engmem.export.span import merged
from agentjournal.text.redact import redact

if TYPE_CHECKING:
    from agentjournal.engmem.export.references import Others

__all__ = ["EXCLUDED", "Cutter", "Exclusion"]

EXCLUDED = "[excluded reference]"

_SECRET = re.compile(r"\[redacted:([a-z0-9-]{1,60})\]")


@dataclass(frozen=True)
class Exclusion:
    """What was taken out: where it stood, what kind of thing it is, and its text.

    The text of a secret is never kept.
    """

    where: str
    kind: str
    text: str = ""


@dataclass
class Cutter:
    """Takes references, local paths and secrets out of texts, and remembers each.

    `own` are folders of this machine that are taken out wherever they stand.
    """

    others: Others
    own: tuple[str, ...] = ()
    exclusions: list[Exclusion] = field(default_factory=list)

    def value(self, value: object, where: str) -> object:
        """Cut every text of a front matter's field."""
        match value:
            case str():
                return self._cut(self._without_secrets(value, where), where)
            case list():
                return [self.value(each, where) for each in value]
            case dict():
                return {
                    str(self.value(str(key), where)): self.value(each, where)
                    for key, each in value.items()
                }
            case other:
                return other

    def body(self, body: str, first_line: int) -> str:
        """Cut a body whose first line is that line of the file."""
        text = self._cut(self._without_secrets(body, None), None, first_line)
        self._tell_secrets(body, text, first_line)
        return text

    def _cut(self, text: str, where: str | None, first_line: int = 1) -> str:
        spans = merged(
            [
                *(() if where else reuse_logs(text)),
                *links_and_citations(text),
                *local_paths(text, self.own),
                *self.others.within(text),
            ]
        )
        parts: list[str] = []
        line, after = first_line, 0
        for span in spans:
            parts += [text[after : span.start], EXCLUDED]
            line += parts[-2].count("\n")
            place = where or f"line {line}"
            self.exclusions.append(Exclusion(place, span.kind, text[span.start : span.end]))
            after = span.end
        return "".join([*parts, text[after:]])

    def _without_secrets(self, text: str, where: str | None) -> str:
        redacted = redact(text)
        if where:
            self.exclusions += [Exclusion(where, f"secret ({kind})") for kind in redacted.kinds]
        return redacted.text

    def _tell_secrets(self, before: str, after: str, first_line: int) -> None:
        """Name each line of the file that held a secret."""
        stood = set(_SECRET.findall(before))
        for number, line in enumerate(after.split("\n"), first_line):
            self.exclusions += [
                Exclusion(f"line {number}", f"secret ({kind})")
                for kind in _SECRET.findall(line)
                if kind not in stood
            ]

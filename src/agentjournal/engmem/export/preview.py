"""One document as the file that somebody else would get, shown before it is written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import yaml

from agentjournal.engmem.document import version_of
from agentjournal.engmem.export.cut import Cutter, Exclusion
from agentjournal.engmem.export.references import Others
from agentjournal.engmem.front_matter import FrontMatter, read_front_matter
from agentjournal.engmem.reading.found import find_document
from agentjournal.errors import InputError
from agentjournal.text.bounded import fit
from agentjournal.text.visible import is_hidden, one_line, visible

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.reading.found import Found
    from agentjournal.engmem.reading.shelf import Shelf

__all__ = ["Preview", "preview"]

KEPT = (
    "id",
    "title",
    "date",
    "task_date",
    "status",
    "backfilled",
    "tags",
    "entities",
    "covers_files",
    "repos",
    "verified_at",
    "verified_at_commit",
    "author",
    "branch",
    "pr",
)
UNCUT = frozenset({"id", "date", "task_date", "status", "backfilled"})

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LIST = 16_000  # bytes of the exclusions that are listed
_SAID = 160  # bytes of what was excluded


@dataclass(frozen=True, kw_only=True)
class Preview:
    """The bytes of the file, what was left out of it, and what it is of."""

    found: Found
    data: bytes
    exclusions: tuple[Exclusion, ...]

    @property
    def fingerprint(self) -> str:
        """Give the first 16 hex digits of the SHA-256 of the file."""
        return version_of(self.data)

    def text(self) -> str:
        """Give the file between two lines that it cannot forge, then what was left out of it."""
        header, text = self.found.header, self.data.decode()
        id_ = visible(header.id, keep="")
        hidden = sum(map(is_hidden, text.replace("\n", "").replace("\t", "")))
        notes = ["note: it says that it is superseded, not by which one"] * (
            header.status == "superseded"
        )
        notes += [f"note: {hidden} hidden character(s) are written out in this preview"] * (
            hidden > 0
        )
        return "\n".join(
            [
                f"export of {id_} -- {one_line(header.title)} (status: {header.status})",
                *notes,
                "",
                f"===== export file {self.fingerprint} begins ({len(self.data)} bytes) =====",
                visible(text).removesuffix("\n"),
                f"===== export file {self.fingerprint} ends =====",
                "",
                *self._excluded(),
                f"fingerprint: {self.fingerprint}",
                f"to write it: engmem export {id_} --out FILE --confirm {self.fingerprint}",
                "nothing was written.",
            ]
        )

    def data_of(self) -> dict[str, object]:
        """Give the preview as plain values, for `--json`."""
        return {
            "id": self.found.header.id,
            "status": self.found.header.status,
            "bytes": len(self.data),
            "fingerprint": self.fingerprint,
            "text": self.data.decode(),
            "excluded": [
                {"where": each.where, "kind": each.kind, "text": each.text}
                for each in self.exclusions
            ],
        }

    def _excluded(self) -> list[str]:
        if not self.exclusions:
            return ["excluded: nothing"]
        told = [
            f"  {each.where}: {each.kind}"
            + (f": {one_line(each.text, _SAID)}" if each.text else "")
            for each in self.exclusions
        ]
        listed = fit(told, _LIST, lambda left: f"  ({left} more, all in --json)")
        return [f"excluded ({len(told)}), listed here and not in the file:", listed]


def preview(root: Path, shelf: Shelf, id_: str, own: tuple[str, ...] = ()) -> Preview:
    """Make the file of a published document; nothing is written.

    Its front matter keeps what describes it; what leads to the rest of the store, to folders of
    this machine (`own` are known ones), or is a secret, is taken out and listed.

    Raises:
        NotFoundError: there is no such document.
        InputError: it is a draft, or cannot be read.
    """
    found = find_document(root, shelf, id_)
    if found.header.status == "draft" or found.document.status == "draft":
        raise InputError(
            f"{id_!r} is a draft: only published documents are exported.",
            next="Finish it with /engmem.save first.",
        )
    fields = _stated(found)
    cutter = Cutter(Others.of(shelf.headers(), found.header), (str(root), *own))
    head = _front_matter(fields, cutter)
    body = cutter.body(found.document.body, head.count("\n") + 2) if found.document.body else ""
    text = f"{head}\n{body}\n" if body else head
    return Preview(found=found, data=text.encode(), exclusions=tuple(cutter.exclusions))


def _stated(found: Found) -> dict[str, object]:
    text = found.data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    block = read_front_matter(text)
    return dict(block.fields) if isinstance(block, FrontMatter) else {}


def _front_matter(fields: dict[str, object], cutter: Cutter) -> str:
    kept = {
        name: _plain(name, fields[name], cutter) for name in KEPT if fields.get(name) is not None
    }
    cutter.exclusions += [
        Exclusion(f"front matter {name}", "field left out", _told(value))
        for name, value in fields.items()
        if name not in KEPT and value
    ]
    if not kept:
        return ""
    block: str = yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=10**9)
    return f"---\n{block}---\n"


def _told(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _plain(name: str, value: object, cutter: Cutter) -> object:
    """Give a value as YAML would read it: dates, switches and numbers as such."""
    if name not in UNCUT:
        value = cutter.value(value, f"front matter {name}")
    if not isinstance(value, str):
        return value
    if name in {"date", "task_date"} and _DAY.fullmatch(value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return value
    if name == "backfilled" and value.casefold() in {"true", "false"}:
        return value.casefold() == "true"
    if name == "pr" and value.isascii() and value.isdigit() and str(int(value[:18])) == value:
        return int(value)
    return value

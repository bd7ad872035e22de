"""The draft that a task begins with: its header, and the plan made before anything was searched."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import InputError
from agentjournal.text.redact import redact
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.config.engmem import Mode

__all__ = ["PLAN", "WORDS", "Plan", "draft_id", "first_draft", "read_plan"]

PLAN = 16_000  # bytes; two or three lines are asked for
TITLE = 200
SLUG = 48  # characters
WORDS = 3  # below which nothing was planned

_OTHER = re.compile(r"[^a-z0-9]+")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,3}(?=[ \t])", re.MULTILINE)
_UNDERLINE = re.compile(
    r"^(?=[^\S\n]*-{3,}[^\S\n]*$)", re.MULTILINE
)  # would make its line a heading
_SOURCE = re.compile(r"^pre-reg source:.*$", re.MULTILINE)
_TOKENS = re.compile(r"^baseline_tokens:[ \t]*(\d{1,12})[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Plan:
    """A naive plan, and what the call that made it took, where it says so."""

    text: str
    tokens: int | None


def read_plan(data: bytes) -> Plan | None:
    """Read the plan that was given, None where nothing was planned; secrets are taken out of it.

    A heading in it is lowered, so that the plan stays one section.

    Raises:
        InputError: it is too long, or no UTF-8.
    """
    if len(data) > PLAN:
        raise InputError(
            f"The plan has more than {PLAN} bytes.", next="Give two or three lines: the approach."
        )
    try:
        text = data.decode().replace("\r\n", "\n").replace("\r", "\n").strip()
    except UnicodeDecodeError as error:
        raise InputError(
            f"The plan is not UTF-8 (byte {error.start}).", next="Encode it as UTF-8."
        ) from error
    told = _TOKENS.search(text)
    planned = _TOKENS.sub("", _SOURCE.sub("", text))
    if len(planned.split()) < WORDS:
        return None
    plain = _UNDERLINE.sub("\n", _HEADING.sub("####", redact(text).text))
    return Plan(plain, int(told[1]) if told else None)


def draft_id(task: str, day: str, number: int = 1) -> str:
    """Give the id of a task's draft: the day (`YYYY-MM-DD`) and its words; a second one is numbered."""
    plain = unicodedata.normalize("NFKD", redact(task).text).encode("ascii", "ignore").decode()
    words = _OTHER.sub("-", plain.lower()).strip("-")
    slug = words if len(words) <= SLUG else words[:SLUG].rpartition("-")[0] or words[:SLUG]
    return "-".join([day.replace("-", ""), slug or "task", *([str(number)] if number > 1 else [])])


def first_draft(  # noqa: PLR0913 - a document's fields
    id_: str,
    *,
    task: str,
    day: str,
    mode: Mode,
    repos: Sequence[str],
    plan: Plan | None,
    tokens: int | None = None,
    unavailable: str = "",
) -> bytes:
    """Write the draft; what is not known yet stays without a value.

    `unavailable` is why no plan could be made before a search.
    """
    stated = {
        "id": id_,
        "title": _quoted(one_line(redact(task).text, TITLE)),
        "date": day,
        "task_date": day,
        "status": "draft",
        "mode": mode,
        "superseded_by": "",
        "backfilled": "false",
        "tags": "[]",
        "entities": "[]",
        "related": "[]",
        "covers_files": "[]",
        "repos": f"[{', '.join(map(_quoted, repos))}]",
        "verified_at_commit": "",
        "capture_minutes": "",
    }
    if unavailable:
        stated["baseline_unavailable"] = _quoted(one_line(redact(unavailable).text, TITLE))
    lines = ["---", *(f"{name}: {value}".rstrip() for name, value in stated.items()), "---"]
    if plan:
        has_tokens = plan.tokens is not None or tokens is None
        baseline = [] if has_tokens else [f"baseline_tokens: {tokens}"]
        lines += ["", "## Pre-reg", "", plan.text, *baseline]
    return "\n".join([*lines, ""]).encode()


def _quoted(value: str) -> str:
    """Write a text as YAML and JSON both read it."""
    return json.dumps(value, ensure_ascii=False)

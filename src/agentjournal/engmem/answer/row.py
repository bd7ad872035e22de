"""What telemetry keeps of a search: what was asked, what was printed, what it cost to read."""

from __future__ import annotations

import math
import re

from agentjournal.engmem.answer.scope import scope_record
from agentjournal.text.redact import redact
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.answer.choice import Choice
    from agentjournal.engmem.answer.layout import Layout
    from agentjournal.engmem.answer.page import Page
    from agentjournal.engmem.ranking.rank import Hit

__all__ = ["HITS", "QUERY", "may_hold_secret", "search_row"]

QUERY = 1_000  # characters
HITS = 10
SCANNED = 20_000  # characters of a query that are looked through for secrets
BYTES_PER_TOKEN = 3.5

# A long run with a digit, a known beginning, or a name of secrets that is given a value: the rules
# themselves take a tenth of a second to load, and hardly any question needs them.
_LONG = re.compile(r"[A-Za-z0-9]{16,}")
_BEGINNINGS = re.compile(
    r"BEGIN|://|sk-|rk_|hf_|xox|aj-|npm_|_pat_|AIza|bearer|authorization|AccountKey", re.IGNORECASE
)
_NAMES = re.compile(r"pass|pwd|secret|token|key|contrase", re.IGNORECASE)
_GIVEN = re.compile(r"[:=]|--")


def search_row(layout: Layout, page: Page, shown: str) -> dict[str, object]:
    """Give the line of telemetry, its keys in the order in which other tools write them.

    `shown` is all that reaches whoever asked.
    """
    request, choice, occasion = layout.request, layout.choice, layout.occasion
    query, is_cut = _kept(request.query)
    surfaced = set(page.ids)
    named = [hit for hit in choice.hits if hit.header.id in surfaced]
    hits = named if request.role else choice.hits
    size = len(page.result.encode())
    is_weak = _is_weak_only(choice.hits, surfaced)
    return {
        "ts": occasion.now.isoformat(timespec="microseconds"),
        "engmem_version": occasion.program,
        "query": query,
        **({"query_truncated": True} if is_cut else {}),
        **({"role": request.role} if request.role else {}),
        "session_id": request.session,
        "channel": occasion.channel,
        "n_docs": layout.index.counts.total,
        "hits": [{"id": hit.header.id, "score": hit.score} for hit in hits[:HITS]],
        "surfaced": list(page.ids),
        "result": _result(choice, page),
        **({"weak_only": True} if is_weak else {}),
        "context_bytes": size,
        "context_tokens_estimate": math.ceil(size / BYTES_PER_TOKEN),
        "scope": scope_record(request.scope, layout.searched),
        "n_hits": len(choice.hits),
        "delivered_bytes": len(shown.encode()),
    }


def may_hold_secret(text: str) -> bool:
    """Say whether the rules for secrets have to look at a text: a no is certain."""
    return bool(
        any(any(map(str.isdigit, run)) for run in _LONG.findall(text))
        or _BEGINNINGS.search(text)
        or (_NAMES.search(text) and _GIVEN.search(text))
    )


def _kept(query: str) -> tuple[str, bool]:
    """Give what is kept of a query, and whether that is not all of it."""
    looked_at = query[:SCANNED]
    told = redact(looked_at).text if may_hold_secret(looked_at) else looked_at
    return told[:QUERY], len(told) > QUERY or len(query) > SCANNED


def _result(choice: Choice, page: Page) -> str:
    if any(each in choice.ambiguous for each in page.ids):
        return "ambiguous"
    return "hit" if page.ids else "miss"


def _is_weak_only(hits: Sequence[Hit], shown: set[str]) -> bool:
    weak = [hit.is_weak for hit in hits if hit.header.id in shown]
    return bool(weak) and all(weak)

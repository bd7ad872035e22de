"""An answer as plain values, for `--json`: the same documents that the text shows."""

from __future__ import annotations

from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.engmem.answer.layout import Layout
    from agentjournal.engmem.answer.page import Page
    from agentjournal.engmem.answer.redirect import Redirect
    from agentjournal.engmem.answer.related import Related
    from agentjournal.engmem.answer.request import Occasion
    from agentjournal.engmem.answer.shown import ShownHit

__all__ = ["answer_data"]


def answer_data(layout: Layout, page: Page) -> dict[str, object]:
    """Give the answer that a page prints as plain values."""
    index, printed = layout.index, set(page.ids)
    shown = [each for each in layout.hits if each.header.id in printed]
    counts = index.counts
    return {
        "is_reliable": any(not each.hit.is_weak for each in shown),
        "hits": [_hit(layout.occasion, each) for each in shown],
        "ambiguous": sorted(printed & layout.choice.ambiguous),
        "more": len(layout.choice.hits) - len(shown),
        "more_is_least": layout.choice.is_cut,
        "superseded": [
            _redirect(each) for each in layout.choice.redirects if each.header.id in printed
        ],
        "drafts": [each.id for each in layout.choice.drafts],
        "names": list(layout.request.names),
        "documents": counts.total,
        "newest": counts.newest,
        "degraded": {file: list(faults) for file, faults in index.degraded},
        "failed": {each.file: each.reason for each in index.failures},
        "scan_error": index.scan_error,
    }


def _hit(occasion: Occasion, shown: ShownHit) -> dict[str, object]:
    header, hit = shown.header, shown.hit
    return {
        "id": header.id,
        "title": header.title,
        "path": f"{occasion.root}/sessions/{header.file}",
        "file": header.file,
        "status": header.status,
        "superseded_by": header.superseded_by,
        "date": header.date,
        "version": header.version,
        "repos": list(header.repos),
        "tags": list(header.tags),
        "primer": header.primer,
        "snapshot": shown.snapshot,
        "sections": [
            {"locator": each.locator, "bytes": each.size, "role": each.role, "text": each.text}
            for each in shown.extracts
        ],
        "related": [_related(each) for each in shown.related],
        "score": round(hit.score, 4),
        "parts": {name: round(part, 4) + 0.0 for name, part in hit.parts.items()},
        "matched": {name: list(words) for name, words in hit.matched},
        "is_reliable": not hit.is_weak,
        "covered": list(hit.covered),
        "asked": list(hit.asked),
    }


def _related(related: Related) -> dict[str, object]:
    by = related.header.superseded_by if related.header else None
    return {"id": related.id, "state": related.state, "superseded_by": by}


def _redirect(redirect: Redirect) -> dict[str, object]:
    return {
        "id": redirect.header.id,
        "superseded_by": list(redirect.named),
        "ending": redirect.ending,
        "in_force": redirect.end.id if redirect.end else None,
    }

"""The answer to a search, from an index to the whole text and the line of telemetry."""

from __future__ import annotations

from agentjournal.engmem.answer.choice import choose
from agentjournal.engmem.answer.data import answer_data
from agentjournal.engmem.answer.layout import Layout
from agentjournal.engmem.answer.row import search_row
from agentjournal.engmem.answer.state import note
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.engmem.answer.request import Occasion, SearchRequest
    from agentjournal.engmem.answer.shown import ShownHit
    from agentjournal.engmem.index.store_index import StoreIndex

    Record = Callable[[Mapping[str, object]], str | None]

__all__ = ["CAP", "Answer", "answer"]

CAP = 4_096  # bytes of everything that is printed


@frozen(kw_only=True)
class Answer:
    """What is printed, which documents that shows, and what is kept of the search.

    `text` ends with a newline; `result` is the part of it that telemetry measures; `row` is the
    line of telemetry, `data` the same answer as plain values.
    """

    text: str
    result: str
    surfaced: tuple[str, ...]
    hits: tuple[ShownHit, ...]
    data: Mapping[str, object]
    row: Mapping[str, object]


def answer(
    index: StoreIndex,
    request: SearchRequest,
    occasion: Occasion,
    record: Record | None = None,
    cap: int = CAP,
) -> Answer:
    """Search a store and give the whole answer, at most 4,096 bytes.

    `record` writes the line of telemetry and gives the reason where it could not: a search never
    fails for that, and says it.
    """
    layout = Layout.of(index, request, occasion, choose(index, request))
    page = layout.page(cap)
    data = answer_data(layout, page)
    row = search_row(layout, page, occasion.shown(page.text, data))
    reason = record(row) if record else None
    if reason:
        page = layout.page(cap, [note(f"telemetry not recorded ({reason})")])
        data = answer_data(layout, page)
    return Answer(
        text=page.text,
        result=page.result,
        surfaced=page.ids,
        hits=tuple(hit for hit in layout.hits if hit.header.id in page.ids),
        data=data,
        row=row,
    )

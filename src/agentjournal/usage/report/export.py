"""Everything in the measurement file, one JSON object a line, for other programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.usage.call import Call
    from agentjournal.usage.measurements import Measurements
    from agentjournal.usage.report.price import Prices

__all__ = ["call_data", "export_lines"]


def export_lines(
    measurements: Measurements, prices: Prices, *, since: str = "", project: str | None = None
) -> Iterator[str]:
    """Give a line of format, then calls, breaks and touches, each kind in the order of time."""
    yield json.dumps({"format": "agentjournal-usage", "version": 1})
    for call in measurements.each_call(since=since, project=project):
        yield _line("call", call_data(call, prices))
    for found in measurements.each_break(since=since, project=project):
        fields = dict(vars(found))
        yield _line("break", {**vars(fields.pop("subject")), **fields})
    for row in measurements.each_touch(since=since, project=project):
        yield _line("touch", {**row, "touched": row["kind"]})


def call_data(call: Call, prices: Prices) -> dict[str, object]:
    """Give one call with its share and, where it is known, its cost in US dollars."""
    price = prices.of(call.model)
    return {
        "id": call.id,
        "at": call.at,
        "source": call.source,
        **vars(call.subject),
        **vars(call.usage),
        "model": call.model,
        "lane": call.lane,
        "ms": call.ms,
        "cached_share": call.usage.cached_share,
        "cost_usd": price.of(call.usage) if price else None,
    }


def _line(kind: str, values: Mapping[str, object]) -> str:
    return json.dumps({**values, "kind": kind}, ensure_ascii=False, sort_keys=True)

"""Documents as a team writes them, from a first one to one that cites it."""

from __future__ import annotations

from support.documents import document

FIRST = "20261001-retry-backoff"
SECOND = "20261020-export-queue"
CACHE = (
    "## 8. Decision Log\nRetries use jittered backoff; rejected fixed delays because exports pile up.",
    "## 11. Lessons Learned\nNever retry inside ExportWorker.",
    "## 13. Future LLM Context (cold-start primer)\nExportWorker retries with jittered backoff.",
)
NONE = "## 16. Reuse Log\nPrior docs used: none."
TRACE = "## Search Trace\nshell"


def first(status: str) -> str:
    return document(
        FIRST,
        *CACHE,
        NONE,
        TRACE,
        title="Backoff of retries",
        status=status,
        mode="daily",
        entities="[ExportWorker]",
        tags="[exports]",
        repos="[shop]",
        date="2026-10-01",
    )


def second(status: str, cited: str) -> str:
    row = f'| {cited} | "rejected fixed delays" | no fixed delay | reuse |'
    head = "| prior-doc | taken | impact | classification |\n|---|---|---|---|"
    return document(
        SECOND,
        "## 8. Decision Log\nThe ExportQueue keeps jitter; rejected polling because it costs 40 s.",
        f"## 16. Reuse Log\n{head}\n{row}",
        TRACE,
        title="Queue of exports",
        status=status,
        mode="daily",
        entities="[ExportQueue]",
        related=f"[{FIRST}]",
        date="2026-10-20",
    )

"""A review as one page that needs nothing else: no script, no font, no address is loaded."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from agentjournal.engmem.review.told import COLUMNS, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.engmem.review.review import Review

__all__ = ["page"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(found: Review, date: str) -> str:
    """Write the page, dated; everything that documents say is escaped."""
    told = tell(found)
    style = (files(__package__) / "page.css").read_text(encoding="utf-8")
    since = f" Searches and costs since {escape(found.since)}." if found.since else ""
    kind = found.endpoint.verdict.replace(" ", "-")
    parts = "".join(_part(heading, lines) for heading, lines in told.parts.items())
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>engmem review, {escape(date)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<h1>Did a past document change a decision?</h1>\n<p>Measured {escape(date)}.{since}</p>\n"
        f'<p class="verdict {kind}">Primary endpoint {escape(told.verdict)}</p>\n'
        f"{_table(told.table)}{parts}</body>\n</html>\n"
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return "<p>No Reuse Log has a row yet.</p>\n"
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in COLUMNS)
    body = "".join(_row(cells) for cells in rows)
    return (
        '<p id="rows">Every row of every Reuse Log. Where the last column is empty the row counts, '
        "and a person says whether it changed a decision.</p>\n"
        '<div class="scroll" tabindex="0" role="region" aria-labelledby="rows"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n"
    )


def _row(cells: Sequence[str]) -> str:
    kind = ' class="excluded"' if cells[-1] else ""
    return f"<tr{kind}>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>\n"


def _part(heading: str, lines: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>\n" for line in lines)
    return f"<h2>{escape(heading)}</h2>\n<ul>\n{items}</ul>\n"

from __future__ import annotations

import pytest

from agentjournal.engmem.answer.redirect import LONGEST, redirect
from agentjournal.engmem.header import Header


def header(id_, status="superseded", by=None):
    return Header(
        id=id_, file=f"{id_}.md", title=id_, date="", status=status, version="0", superseded_by=by
    )


def told(*headers):
    known = {each.id: each for each in headers}
    found = redirect(headers[0], known.get)
    return found.line, found.end.id if found.end else None


ACTIVE = header("z", "active")


@pytest.mark.parametrize(
    ("headers", "line", "end"),
    [
        ([header("x")], "x: superseded (no successor recorded)", None),
        ([header("x", by="y")], "x: superseded by y (successor not in store)", None),
        ([header("x", by="z"), ACTIVE], "x: superseded by z", "z"),
        ([header("x", by="y"), header("y", by="z"), ACTIVE], "x: superseded by y → z", "z"),
        ([header("x", by="x")], "x: superseded by x (the chain loops back to x)", None),
        (
            [header("x", by="y"), header("y", by="x")],
            "x: superseded by y (the chain loops back to x)",
            None,
        ),
        (
            [header("x", by="y"), header("y", by="q"), header("q", by="y")],
            "x: superseded by y → q (the chain loops back to y)",
            None,
        ),
        (
            [header("x", by="y"), header("y")],
            "x: superseded by y (itself superseded, no successor recorded)",
            None,
        ),
        (
            [header("x", by="y"), header("y", by="q")],
            "x: superseded by y → q (successor not in store)",
            None,
        ),
        (
            [header("x", by="y"), header("y", "draft")],
            "x: superseded by y (successor is still a draft)",
            None,
        ),
    ],
)
def test_every_end_of_a_chain_is_told(headers, line, end):
    assert told(*headers) == (line, end)


def test_a_chain_without_end_is_followed_for_a_while():
    line, end = told(*(header(str(n), by=str(n + 1)) for n in range(1_000)))
    assert line.endswith(f"{LONGEST} (the chain goes on)")
    assert end is None

from __future__ import annotations

from agentjournal.brief.elsewhere import render_elsewhere
from agentjournal.brief.task_part import Work
from agentjournal.recall.claim import Claim
from agentjournal.recall.kept import KeptClaims


def claim(number):
    return Claim(
        id=f"c{number}",
        what=f"Retry failed fetches, way {number} <quoted:x",
        verdict="decided",
        why="Because " + "it was measured " * 12,
        evidence="step 1",
        scope=f"other T-{number}",
        source="log",
        standing="in force",
    )


WORK = Work(slug="p", task="T-1", title="Retry failed fetches", body="", attempt=1, token=None)


def test_recall_fills_its_cap_with_whole_claims_and_never_passes_it():
    source = KeptClaims("kept", [claim(number) for number in range(9)])
    shown = 0
    for cap in range(600, 4_000, 7):
        text = render_elsewhere([source], WORK, cap)
        assert len(text.encode()) <= cap
        assert not text.splitlines()[-2].endswith("…")
        assert text.count("\n   from: ") >= shown
        shown = text.count("\n   from: ")
    assert shown == 8


def test_without_sources_or_answers_there_is_no_recall():
    assert render_elsewhere([], WORK, 2_000) == ""
    assert render_elsewhere([KeptClaims("kept", [])], WORK, 2_000) == ""

from __future__ import annotations

from agentjournal.brief.elsewhere import NOTHING, render_elsewhere
from agentjournal.brief.task_part import Work
from agentjournal.recall.claim import Claim
from agentjournal.recall.kept import KeptClaims


def claim(number, **more):
    given = {
        "id": f"c{number}",
        "what": f"Retry failed fetches, way {number} <quoted:x",
        "verdict": "decided",
        "why": "Because " + "it was measured " * 12,
        "evidence": "step 1",
        "scope": f"other T-{number}",
        "source": "log",
        "standing": "in force",
    }
    return Claim(**given | more)


WORK = Work(slug="p", task="T-1", title="Retry failed fetches", body="", attempt=1, token=None)


def test_recall_fills_its_cap_with_whole_claims_and_never_passes_it():
    source = KeptClaims("kept", [claim(number) for number in range(9)])
    shown = 0
    for cap in range(600, 4_000, 7):
        text = render_elsewhere([source], WORK, cap).text
        assert len(text.encode()) <= cap
        assert not text.splitlines()[-2].endswith("…")
        assert text.count("\n   from: ") >= shown
        shown = text.count("\n   from: ")
    assert shown == 8


def test_without_sources_or_answers_there_is_no_recall():
    assert render_elsewhere([], WORK, 2_000) == NOTHING
    assert render_elsewhere([KeptClaims("kept", [])], WORK, 2_000) == NOTHING


def test_documents_that_are_quoted_are_named_with_the_bytes_they_take():
    documents = [claim(n, source="engmem", scope=f"doc-{n % 2}") for n in range(2, 5)]
    source = KeptClaims("kept", [claim(1), *documents])
    found = render_elsewhere([source], WORK, 4_000)
    sizes = {each.document: each.bytes for each in found.served}
    assert set(sizes) == {"doc-0", "doc-1"}
    assert 2 * sizes["doc-1"] == sizes["doc-0"]
    assert sum(sizes.values()) < len(found.text.encode())


def test_a_document_that_had_no_room_is_not_said_to_be_quoted():
    source = KeptClaims("kept", [claim(n, source="engmem", scope=f"doc-{n}") for n in range(9)])
    found = render_elsewhere([source], WORK, 1_000)
    assert len(found.served) == found.text.count("\n   from: ") < 8

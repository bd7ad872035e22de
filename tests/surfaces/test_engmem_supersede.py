"""`engmem supersede`: the answer to the overturn question, for who has only a shell."""

from __future__ import annotations

from agentjournal.engmem.document import version_of
from support.documents import document, make_store


def test_a_document_leads_to_the_one_that_overturned_it_and_an_old_version_changes_nothing(
    shell, home
):
    names = ("2100-old-router", "2201-parcel-router")
    texts = {f"{name}.md": document(name, "## Decision Log\nBudget.") for name in names}
    store = make_store(home / "engmem", texts)
    old = store / "sessions" / "2100-old-router.md"
    before = old.read_bytes()
    refused = shell("supersede", *names, "--expected-version", "0" * 16, program="engmem")
    assert refused.code == 2
    assert "--- current sessions/2100-old-router.md ---" in refused.out
    assert old.read_bytes() == before
    done = shell("supersede", *names, "--expected-version", version_of(before), program="engmem")
    assert done.code == 0
    assert "superseded by 2201-parcel-router (status: active -> superseded)" in done.out
    assert "superseded_by: 2201-parcel-router" in old.read_text()

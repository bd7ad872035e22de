"""Whatever befalls an owner's journal: it extends, loses nothing, and is the same in every process."""

from __future__ import annotations

from support.lane_machine import run


def test_kept_journals_hold_their_laws(postgres_url):
    run(postgres_url, examples=20, steps=30)

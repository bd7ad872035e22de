"""Whatever befalls an owner's journal: it extends, loses nothing, and is the same in every process."""

from __future__ import annotations

import pytest

from support.lane_machine import run
from support.laws import examples


@pytest.mark.hypothesis
def test_kept_journals_hold_their_laws(postgres_url):
    run(postgres_url, examples=examples(20), steps=30)

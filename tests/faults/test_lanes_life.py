"""The laws of kept journals at full size."""

from __future__ import annotations

import pytest

from support.lane_machine import run

pytestmark = pytest.mark.faults


@pytest.mark.timeout(3600)
def test_kept_journals_hold_their_laws_over_ten_thousand_steps(postgres_url):
    run(postgres_url, examples=200, steps=50)

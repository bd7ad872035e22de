from __future__ import annotations

import pytest

from agentjournal import Journal
from agentjournal.journal.due import MemoryLimits, consolidation_due, pause_after

LIMITS = MemoryLimits(budget_tokens=10_000)


def lived(tokens, layout="v2"):
    journal = Journal("agent", layout=layout)
    epoch = 0
    while journal.token_estimate() < tokens:
        epoch += 1
        journal.record_turn(epoch, "x" * 396)
    return journal


@pytest.mark.parametrize("layout", ["v1", "v2"])
@pytest.mark.parametrize(
    ("tokens", "idle", "reason"),
    [
        (9_000, None, "budget"),
        (9_000, 10_000.0, "budget"),
        (8_800, None, None),
        (8_800, 300.0, None),
        (8_800, 301.0, "idle"),
        (5_000, 301.0, "idle"),
        (4_700, 301.0, None),
    ],
)
def test_the_budget_decides_and_a_cold_cache_decides_earlier(layout, tokens, idle, reason):
    assert consolidation_due(lived(tokens, layout), LIMITS, idle_seconds=idle) == reason


def test_the_soft_threshold_is_in_bytes_whatever_the_budget():
    wide = MemoryLimits(budget_tokens=10**9)
    assert consolidation_due(lived(32_000), wide) is None
    assert consolidation_due(lived(33_000), wide) == "soft"
    assert (
        consolidation_due(lived(1_000), MemoryLimits(budget_tokens=10**9, soft_bytes=2_000))
        == "soft"
    )


def test_nothing_is_due_where_nothing_can_be_split_off():
    journal = Journal("agent", layout="v2")
    for epoch in range(4):
        journal.record_turn(epoch, "x" * 40_000)
    assert consolidation_due(journal, LIMITS) is None
    assert consolidation_due(Journal("agent"), MemoryLimits(budget_tokens=0)) is None


def test_a_failing_model_is_not_asked_again_before_its_pause_is_over():
    journal = lived(9_500)
    assert consolidation_due(journal, LIMITS, failures=1, since_failure=59) is None
    assert consolidation_due(journal, LIMITS, failures=1, since_failure=60) == "budget"
    assert consolidation_due(journal, LIMITS, failures=3, since_failure=239) is None
    assert consolidation_due(journal, LIMITS, failures=3, since_failure=240) == "budget"


def test_pauses_double_up_to_an_hour():
    assert [pause_after(n) for n in range(8)] == [0, 60, 120, 240, 480, 960, 1920, 3600]
    assert pause_after(10**6) == 3600


def test_the_same_arguments_decide_the_same():
    journal = lived(9_500)
    assert {consolidation_due(journal, LIMITS, idle_seconds=1.0) for _ in range(5)} == {"budget"}

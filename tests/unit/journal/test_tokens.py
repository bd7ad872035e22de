from __future__ import annotations

import math

import pytest

from agentjournal import TokenLedger


@pytest.mark.parametrize(
    ("given", "ratio"),
    [(0, 4.0), (math.nan, 1.5), (1.49, 1.5), (-3, 1.5), (1.5, 1.5), (3, 3.0), (8, 8.0), (9, 8.0)],
)
def test_the_ratio_is_clamped_to_its_band(given, ratio):
    assert TokenLedger(given).chars_per_token == ratio


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 1), ("abc", 1), ("abcd", 2), ("éé", 2), ("a" * 400, 101)]
)
def test_an_estimate_counts_bytes_and_is_never_zero(text, tokens):
    assert TokenLedger().estimate(text) == tokens


@pytest.mark.parametrize(
    ("chars", "tokens", "counts"),
    [
        (150, 100, True),
        (800, 100, True),
        (149, 100, False),
        (801, 100, False),
        (0, 100, False),
        (100, 0, False),
        (-4, -1, False),
    ],
)
def test_a_sample_outside_of_the_band_is_ignored(chars, tokens, counts):
    ledger = TokenLedger()
    ledger.calibrate(chars, tokens)
    assert ledger.observations == counts
    assert (ledger.chars_per_token != 4.0) is counts


def test_twenty_samples_bring_the_ratio_near():
    ledger = TokenLedger()
    for _ in range(20):
        ledger.calibrate(200, 100)
    assert ledger.chars_per_token == pytest.approx(2.0, abs=0.05)

"""The examples in the docstrings of public names do what they say."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

import agentjournal

MODULES = sorted({home for home in agentjournal._HOMES if ".journal." in home})


@pytest.mark.parametrize("name", MODULES)
def test_an_example_does_what_it_says(name):
    assert doctest.testmod(import_module(name)).failed == 0


def test_the_main_names_have_an_example():
    with_example = [
        name
        for name in agentjournal.__all__
        if ">>>" in (getattr(agentjournal, name).__doc__ or "")
    ]
    assert {"Journal", "Prompt", "TokenLedger", "check_prefix_extension", "scan_volatile"} <= set(
        with_example
    )

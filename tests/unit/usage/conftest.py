"""A model's API on loopback, and an observer that keeps what it saw."""

from __future__ import annotations

import pytest

from agentjournal.usage import Observer
from support.model_server import model_server


@pytest.fixture
def server():
    with model_server() as running:
        yield running


@pytest.fixture
def calls():
    return []


@pytest.fixture
def observer(calls):
    return Observer(sinks=[calls.append])

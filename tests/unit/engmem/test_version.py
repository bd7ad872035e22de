from __future__ import annotations

from importlib.metadata import version

from agentjournal.engmem.version import PROGRAM


def test_ledgers_name_the_version_that_is_installed():
    assert f"agent-journal {version('agent-journal')}" == PROGRAM

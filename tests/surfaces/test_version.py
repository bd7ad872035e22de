"""Which versions the command names, and stores on file systems of the network."""

from __future__ import annotations

from importlib import metadata

import apsw
import pytest

from agentjournal.storage import sqlite_file


def test_the_version_names_the_linked_sqlite(shell):
    answer = shell("--version")
    assert answer.code == 0
    assert f"(SQLite {apsw.sqlite_lib_version()})" in answer.out


def test_engmem_names_the_version_of_the_package(shell):
    assert (
        shell("--version", program="engmem").out
        == f"engmem, version {metadata.version('agent-journal')}\n"
    )


@pytest.mark.parametrize("version", ["3.40.1", "3.51.2"])
def test_an_sqlite_with_the_fault_of_its_log_is_called_affected(shell, shop, monkeypatch, version):
    assert shell("state", shop).code == 0
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: version)
    assert f"SQLite {version}, affected" in shell("--version").out
    store = {each["check"]: each for each in shell("doctor", "--json").data}["store"]
    assert store["verdict"] == "warn"
    assert "update apsw" in store["next"].lower()


def test_a_network_file_system_is_refused_unless_it_is_allowed(shell, plan_file, monkeypatch):
    monkeypatch.setattr(sqlite_file, "network_type", lambda _path: "nfs")
    refused = shell("plan", "add", "shop", str(plan_file))
    assert refused.code == 1
    assert "postgresql://" in refused.err
    assert "--allow-network-fs" in refused.err
    assert shell("plan", "add", "shop", str(plan_file), "--allow-network-fs").code == 0
    facts = {e["check"]: e for e in shell("doctor", "--allow-network-fs", "--json").data}["store"]
    assert "journal_mode delete" in facts["detail"]

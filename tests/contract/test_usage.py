"""Whose attempt a token was is found on both engines, so that transcripts count for their task."""

from __future__ import annotations

from dataclasses import replace

from agentjournal.compose.services import Services
from agentjournal.compose.usage import measurements, measurements_path, task_of_token
from agentjournal.compose.world import this_world
from agentjournal.text.canonical import sha256_hex
from support.execution import SLUG, claim, project, token


def test_a_token_in_a_brief_leads_to_its_project_and_task(database, location, tmp_path):
    log = project(database)
    claim(log, 1)
    world = replace(
        this_world(),
        environment={"XDG_DATA_HOME": str(tmp_path / "data")},
        home=tmp_path,
        cwd=tmp_path,
    )
    with Services.of(world, flags={"database": location}) as services:
        find = task_of_token(services)
        assert find(sha256_hex(token(1))) == (SLUG, "T-1")
        assert find(sha256_hex(token(2))) is None
        with measurements(services) as store:
            assert store.calls() == []
        assert measurements_path(services.settings).is_file()


def test_without_a_log_no_log_is_made(tmp_path):
    world = replace(this_world(), environment={}, home=tmp_path, cwd=tmp_path)
    with Services.of(world, flags={"database": str(tmp_path / "log.db")}) as services:
        assert task_of_token(services)("0" * 64) is None
    assert not (tmp_path / "log.db").exists()

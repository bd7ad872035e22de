"""`agentjournal log`: whose word counts where two say something, and what is told when one is lost."""

from __future__ import annotations

import json
import re

import pytest

from agentjournal.cli.commands import log as command
from agentjournal.errors import OutcomeUnknownError

DONE = {"result": "success", "action": "Counted the stock", "current_state": "It is counted."}


def test_a_flag_says_more_than_the_form_and_the_form_more_than_the_folder(shell, shop, monkeypatch):
    monkeypatch.setenv("AGENTJOURNAL_PROJECT", "elsewhere")
    form = json.dumps({**DONE, "project_slug": shop, "plan_ref": "T-001"})
    refused = shell("log", "--task", "T-002", "--from", "-", "--json", stdin=form)
    assert [fault["field"] for fault in refused.error["faults"]] == ["result"]
    refused = shell("log", "--project", "nowhere", "--from", "-", "--json", stdin=form)
    assert [fault["got"] for fault in refused.error["faults"]] == ['"nowhere"']
    assert shell("log", "--from", "-", "--json", stdin=form).data["task"] == "T-001"


def test_a_step_whose_fate_is_open_is_told_by_its_id(shell, shop, monkeypatch):
    form = {**DONE, "project_slug": shop, "plan_ref": "T-001"}

    def lost(*_args, **_named):
        raise OutcomeUnknownError("The commit may be stored.", next="Retry with the same id.")

    with monkeypatch.context() as patch:
        patch.setattr(command, "log_step", lost)
        answer = shell("log", "--from", "-", stdin=json.dumps(form))
    assert answer.code == 1
    assert "The commit may be stored." in answer.err
    minted = re.search(r"`id: ([0-9a-f-]{36})`", answer.err)
    assert minted is not None
    again = json.dumps({**form, "id": minted[1]})
    assert shell("log", "--from", "-", stdin=again).out.strip() == minted[1]


@pytest.mark.parametrize("written", ["", "[]", "{", "a: &b c"])
def test_what_is_no_form_is_misuse_and_says_what_to_write(shell, shop, written):
    answer = shell("log", "--project", shop, "--from", "-", "--json", stdin=written)
    assert answer.code == 2
    assert answer.error["faults"][0]["remedy"]

"""What is printed stays within its cap, the line end included."""

from __future__ import annotations

import json

import pytest

FAILED = {
    "result": "failed",
    "action": "Tried it",
    "current_state": "s" * 1200,
    "next_step": "n" * 500,
}


@pytest.fixture
def crowded(shell, shop):
    """A task that failed often enough to overfill every read."""
    for number in range(12):
        items = [
            {"option": f"Way {number}.{at} of counting " + "é" * 60, "why": "w" * 300}
            for at in range(6)
        ]
        form = json.dumps({**FAILED, "project_slug": shop, "plan_ref": "T-001", "ruled_out": items})
        assert shell("log", "--from", "-", stdin=form).code == 0
        assert shell("resolve", shop, "T-001", "--retry", "--why", "again").code == 0
    return shop


def test_no_read_prints_more_than_its_cap(shell, crowded):
    reads = {
        ("context", crowded, "T-001"): 6000,
        ("context", crowded, "T-002"): 6000,
        ("state", crowded): 1600,
        ("history", crowded): 8000,
        ("why", "--project", crowded, "way"): 3000,
        ("tried", "counting", "way"): 3000,
    }
    for read, default in reads.items():
        assert len(shell(*read).out.encode()) <= default
        for cap in range(700, 760):
            assert len(shell(*read, "--bytes", str(cap)).out.encode()) <= cap, (read, cap)


def test_the_list_of_projects_stays_within_its_cap(shell, plan_file):
    for number in range(40):
        assert shell("plan", "add", f"shop-{number}", str(plan_file)).code == 0
    for cap in range(500, 560):
        answer = shell("state", "--bytes", str(cap))
        assert len(answer.out.encode()) <= cap
        assert "more.)" in answer.out


HUGE = ("x" * 60_000, "é\x1b[31m" * 20_000, "word " * 20_000)
REFUSED = {
    "agentjournal": (["{}"], ["--{}"], ["state", "{}"], ["log", "--from", "{}"], ["tried", "--bytes", "{}"]),
    "engmem": (
        *(["{}"], ["--{}"], ["feedback", "{}"], ["search", "x", "--since", "{}"]),
        *(["search", "x", "--limit", "{}"], ["read", "{}"], ["draft", "complete", "{}"]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("huge", HUGE, ids=("long", "hidden", "words"))
@pytest.mark.parametrize(
    ("program", "args"), [(name, args) for name, tried in REFUSED.items() for args in tried]
)
def test_a_refusal_names_what_was_given_and_repeats_no_more_of_it(shell, program, args, huge):
    answer = shell(*(each.format(huge) for each in args), program=program)
    assert answer.code != 0
    assert answer.err.strip()
    assert len(answer.out.encode()) <= 4_096
    assert len(answer.err.encode()) <= 6_000
    assert "\x1b" not in answer.out + answer.err

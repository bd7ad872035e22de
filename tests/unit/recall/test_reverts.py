from __future__ import annotations

import pytest

from agentjournal.recall.harvest.harvest import harvest
from agentjournal.recall.harvest.reason import named_commits, reason_of
from agentjournal.recall.harvest.subject import bare, is_noise, key_of, read_subject
from support.history import History


@pytest.fixture
def history(tmp_path):
    return History.begin(tmp_path / "shop")


def told(history):
    """Give each candidate as (verdict, what, why)."""
    found = harvest(history.root, repository="shop")
    return [(claim.verdict, claim.what, claim.why) for claim in found.candidates]


def test_a_revert_becomes_a_rejected_candidate_with_its_reason(history):
    first = history.commit("Poll the outbox table every second")
    revert = history.commit(
        'Revert "Poll the outbox table every second"',
        f"This reverts commit {first}.\n\nIt burned 12 % CPU on an idle\ndatabase.\n\n"
        "Signed-off-by: Ada <ada@example.org>",
    )
    (claim,) = harvest(history.root, repository="shop").candidates
    assert claim.verdict == "rejected"
    assert claim.what == "Poll the outbox table every second"
    assert claim.why == "It burned 12 % CPU on an idle database"
    assert claim.evidence == f"commit {revert[:10]} (2023-11-15)"
    assert (claim.scope, claim.source, claim.standing) == ("shop", "harvest", "candidate")


def test_a_revert_of_a_revert_is_a_lesson_with_both_reasons(history):
    first = history.commit("Cache parsed templates on disk")
    revert = history.commit(
        'Revert "Cache parsed templates on disk"', f"This reverts commit {first}.\n\nStale pages."
    )
    again = history.commit(
        'Revert "Revert "Cache parsed templates on disk""',
        f"This reverts commit {revert}.\n\nThe key holds the file's hash now.",
    )
    assert told(history) == [
        (
            "lesson",
            "Cache parsed templates on disk",
            (
                f"Taken out in {revert[:10]} (2023-11-15): Stale pages. "
                f"Brought back in {again[:10]} (2023-11-16): The key holds the file's hash now"
            ),
        )
    ]


def test_what_was_brought_back_and_taken_out_again_is_rejected(history):
    history.commit("Cache parsed templates on disk")
    history.commit('Revert "Cache parsed templates on disk"', "Stale pages.")
    history.commit('Reapply "Cache parsed templates on disk"')
    history.commit('Revert "Reapply "Cache parsed templates on disk""', "Stale again on NFS.")
    assert told(history) == [("rejected", "Cache parsed templates on disk", "Stale again on NFS")]


def test_the_change_is_named_by_the_commit_that_the_revert_names(history):
    first = history.commit("feat(queue): hand jobs out by LISTEN/NOTIFY (#12)")
    history.commit("Revert queue change", f"This reverts commit {first[:9]}: it lost wake-ups.")
    history.commit(f"Revert {first[:8]} for good", "")
    assert told(history) == [
        ("rejected", "queue: hand jobs out by LISTEN/NOTIFY", "it lost wake-ups")
    ]


def test_a_merged_request_is_named_by_its_title_or_its_branch(history):
    history.commit("Start")
    titled = history.merge("Merge pull request #7 from ada/lazy", "Load relations lazily", "lazy")
    plain = history.merge("Merge pull request #8 from ada/eager-joins-everywhere", "", "eager")
    for merge in (titled, plain):
        history.commit(
            'Revert "Merge pull request"',
            f"This reverts commit {merge}, reversing\nchanges made to {history.ids[0]}.\n\nSlow.",
        )
    assert [what for _, what, _ in told(history)] == [
        "eager joins everywhere",
        "Load relations lazily",
    ]


def test_a_revert_without_a_reason_says_what_the_change_had_said(history):
    first = history.commit("Sort rows in the browser", "Saves a round trip. And more.")
    history.commit('Revert "Sort rows in the browser"', f"This reverts commit {first}.")
    assert told(history) == [
        (
            "rejected",
            "Sort rows in the browser",
            "The commit gives no reason. The change had said: Saves a round trip",
        )
    ]


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Revert \"Merge branch 'stable' into main\"", "This was too early."),
        ('Revert "Fix typo in the reader\'s guide"', ""),
        ('Revert "Release 1.2.3"', "Wrong tag."),
        ('Revert "Bump version to 2.0"', ""),
        ('Revert "wip on the parser cache"', ""),
        ('Revert "Cache parsed templates on disk"', "Pushed to the wrong branch by mistake."),
        ('Revert "Fix tests"', "They fail."),
        ("Revert accidental change of the parser", ""),
        ("Revert 12ab34cd", "Broken."),
        ("Roll back the transaction on errors", "Otherwise rows stay locked."),
        ("Undo history for the editor", ""),
        ("Add a button that reverts all changes", "Users asked."),
        ("Reverse the order of the list", ""),
    ],
)
def test_what_is_no_idea_or_no_revert_is_left_out(history, subject, body):
    history.commit("Start")
    history.commit(subject, body)
    assert told(history) == []


def test_the_same_change_taken_out_on_two_branches_is_one_candidate(history):
    history.commit('Revert "Sort rows in the browser" (#4)', "Too slow on phones.")
    history.commit('[backport] Revert "Sort rows in the browser (#3)"')
    assert told(history) == [("rejected", "Sort rows in the browser", "Too slow on phones")]


def test_secrets_and_hidden_characters_do_not_leave_the_history(history):
    secret = "ghp_" + "a1B2" * 9
    history.commit('Revert "Log in \x1b[31mwith a token"', f"It printed {secret} in the log.")
    ((_, what, why),) = told(history)
    assert secret not in why
    assert "[redacted:" in why
    assert what == "Log in \\x1b[31mwith a token"


def test_messages_in_another_encoding_are_read(history):
    history.git("config", "i18n.commitEncoding", "ISO-8859-1")
    history.commit("Start")
    message = 'Revert "Zürich rounds the prices"\n\nÄrger.'.encode("latin-1")
    (history.root / "m").write_bytes(message)
    history.git("commit", "-q", "--allow-empty", "-F", "m")
    assert told(history) == [("rejected", "Zürich rounds the prices", "Ärger")]


def test_a_huge_message_and_a_long_subject_do_no_harm(history):
    history.commit("Revert " + '"Revert ' * 3_000 + "x")
    history.commit('Revert "Sort rows in the browser"', "word " * 20_000)
    history.commit('Revert "Sort columns in the browser"', "word " * 10_000)
    ((_, what, why),) = told(history)
    assert what == "Sort columns in the browser"
    assert len(why.encode()) <= 500


def test_only_the_last_commits_are_read(history):
    history.commit('Revert "Sort rows in the browser"', "Slow.")
    for number in range(3):
        history.commit(f"Work {number}")
    assert harvest(history.root, repository="shop", commits=3).candidates == ()


def test_a_repository_without_a_commit_gives_nothing(history):
    found = harvest(history.root, repository="shop")
    assert (found.commits, found.candidates, found.plans) == (0, (), ())


@pytest.mark.parametrize(
    ("subject", "kind", "what"),
    [
        ('Revert "Cache the parser"', "revert", "Cache the parser"),
        ("revert: feat(core): cache the parser", "revert", "core: cache the parser"),
        ('fix(core): revert "cache the parser (#3)" (#4)', "revert", "cache the parser"),
        ("net/http: revert “use HTTP/2”", "revert", "use HTTP/2"),
        ("KAFKA-123: Revert the buffer pool", "revert", "the buffer pool"),
        ("[Revert] Cache the parser", "revert", "Cache the parser"),
        ('Back out changeset 12ab34cd "Cache the parser"', "revert", "Cache the parser"),
        ("Reverted behaviour of the pool.", "revert", "behaviour of the pool"),
        ('Revert "Revert "Revert "Cache the parser"""', "revert", "Cache the parser"),
        ('Revert "Revert "Cache the parser""', "reapply", "Cache the parser"),
        ("Reland [core] Cache the parser", "reapply", "Cache the parser"),
        ("Re-introduce the parser cache", "reapply", "the parser cache"),
        ("Revert back to the old parser", "revert", "old parser"),
    ],
)
def test_a_subject_says_what_was_turned_and_how(subject, kind, what):
    read = read_subject(subject)
    assert (read.kind, bare(read.what)) == (kind, what)


def test_going_back_to_something_rejects_what_replaced_it(history):
    history.commit("Revert to using plain threads", "Green threads starved the event loop.")
    assert told(history) == [
        ("rejected", "Moving away from plain threads", "Green threads starved the event loop")
    ]


def test_subjects_of_one_change_have_one_key():
    assert key_of('"feat(core): Cache the parser." (#12)') == key_of("cache the parser")


def test_noise_is_told_from_ideas():
    assert is_noise("Merge pull request #3 from a/b")
    assert not is_noise("Merge adjacent cells of the table")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("This reverts commit 0123456789abcdef.\n\nSlow.", "Slow"),
        ("This reverts commit 0123456 because it was slow.", "because it was slow"),
        ("Reason for revert: broke the build\nBug: 12\nChange-Id: I1", "broke the build"),
        ("Reverts ada/shop#12\n\nIt was **too** slow.\n\n> quoted", "It was too slow"),
        ("Slow.\n\n# Conflicts:\n#\tsrc/a.py", "Slow"),
        (
            "Original change's description:\n> Add it\n\nFixes: #3\n(cherry picked from commit 1)",
            "",
        ),
        ("", ""),
    ],
)
def test_a_reason_is_what_a_person_wrote(body, reason):
    assert reason_of(body) == reason


def test_commits_are_named_whole_or_by_their_beginning():
    text = 'This reverts commit 0123456789.\nIt also reverts changeset "fedcba98", and no cafe.'
    assert named_commits(text) == ["0123456789", "fedcba98"]

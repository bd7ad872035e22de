"""When a ruled-out option may be looked at again: three forms, and free text left to the reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version as IndexVersion

from agentjournal.execution.glob import read_glob
from agentjournal.execution.lockfile import lock_versions
from agentjournal.execution.observed import NOTHING_OBSERVED, Observed
from agentjournal.execution.reopen_if import facts_to_keep, note, read_condition
from agentjournal.execution.version import read_version

NOW = "2026-01-31T09:00:00.000000Z"
LOCKED = Observed(lock_versions={"requests": "2.32.3", "numpy": "2.0.0rc1"})


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("library requests >= 2.32", True),
        ("library Requests>=2.32.3", True),
        ("library requests >= 2.100", False),  # by value, not by letter
        ("library numpy >= 2.0.0", False),  # a candidate comes before its release
        ("library numpy >= 1.26", True),
        ("library flask >= 0.1", False),  # not locked: not there
        ("date 2026-01-31", True),
        ("date 2026-02-01", False),
    ],
)
def test_a_condition_holds_or_it_does_not(condition, holds):
    said = note(condition, None, LOCKED, NOW)
    assert said == (f"may be reopened: {condition}" if holds else f"reopen if: {condition}")


@pytest.mark.parametrize("condition", ["library requests >= 2.32", "path src/** changes"])
def test_without_the_facts_it_is_not_evaluated(condition):
    said = note(condition, None, NOTHING_OBSERVED, NOW)
    assert said == f"reopen if: {condition} (not evaluated here)"


def test_a_path_condition_holds_once_a_matching_file_differs():
    before = {"src/a.py": "1", "src/deep/b.py": "2", "docs/c.md": "3"}
    condition = "path src/**/*.py changes"
    kept = facts_to_keep(condition, before)

    def said(blobs):
        return note(condition, kept, Observed(blobs=blobs), NOW)

    assert said(before) == f"reopen if: {condition}"
    assert said(before | {"docs/c.md": "9"}) == f"reopen if: {condition}"
    for changed in (
        before | {"src/deep/b.py": "9"},
        before | {"src/new.py": "4"},
        {"src/a.py": "1", "docs/c.md": "3"},
    ):
        assert said(changed) == f"may be reopened: {condition}"


def test_what_was_not_kept_cannot_be_evaluated():
    here = Observed(blobs={"src/a.py": "1"})
    assert "not evaluated here" in note("path src/** changes", None, here, NOW)


def test_facts_to_keep_do_not_grow_with_the_glob():
    many = {f"src/{n}.py": str(n) for n in range(1000)}
    assert len(facts_to_keep("path ** changes", many) or "") < 100


@pytest.mark.parametrize("text", ["date 2026-01-31", "when the api is fixed", "library x >= 1"])
def test_only_a_path_condition_has_facts_to_keep(text):
    assert facts_to_keep(text, {"a": "1"}) is None


@pytest.mark.parametrize(
    "text",
    [
        "when the vendor answers",
        "library requests >= next",
        "date 2026-02-30",
        "date tomorrow",
        "path changes",
        "library requests > 2",
    ],
)
def test_anything_else_is_free_text_and_shown_as_such(text):
    assert read_condition(text) is None
    assert note(text, None, LOCKED, NOW) == f"reopen if: {text}"


def test_nothing_said_is_nothing_shown():
    assert note(None, None, LOCKED, NOW) == ""
    assert note("", None, LOCKED, NOW) == ""


def test_stored_text_cannot_begin_a_line_of_its_own():
    assert note("never\n## Task\x1b[2J", None, LOCKED, NOW) == r"reopen if: never ## Task\x1b[2J"


RELEASES = st.lists(st.integers(0, 30), min_size=1, max_size=4).map(lambda n: ".".join(map(str, n)))
SUFFIXES = st.sampled_from(
    ["", "a1", "-alpha.2", "b3", ".rc4", "rc1", ".dev5", "a1.dev2", ".post6", "-7", "+local", "c2"]
)
VERSIONS = st.builds("{}{}{}".format, st.sampled_from(["", "v", "1!"]), RELEASES, SUFFIXES)


@given(VERSIONS, VERSIONS)
def test_versions_sort_as_the_package_index_sorts_them(first, second):
    ours = read_version(first), read_version(second)
    theirs = [IndexVersion(text.partition("+")[0]) for text in (first, second)]
    assert (ours[0] < ours[1]) == (theirs[0] < theirs[1])
    assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])


def test_an_unknown_word_after_the_numbers_comes_before_the_release():
    assert read_version("4.0.0-next.3") < read_version("4.0.0-next.10") < read_version("4.0.0")


@pytest.mark.parametrize("text", ["", "latest", "git+https://x", "1" * 5000])
def test_what_is_no_version_is_none(text):
    assert read_version(text) is None


def test_versions_are_read_from_the_lock_files_of_several_ecosystems():
    files = {
        "uv.lock": b'[[package]]\nname = "Typing_Extensions"\nversion = "4.12.2"\n',
        "Cargo.lock": b'[[package]]\nname = "serde"\nversion = "1.0.9"\n'
        b'[[package]]\nname = "serde"\nversion = "1.0.10"\n',
        "requirements-dev.txt": b"# pins\nflask[async] == 3.1.0 ; python_version > '3'\nnumpy>=2\n",
        "package-lock.json": b'{"packages": {"": {"version": "1.0.0"},'
        b' "node_modules/@a/b": {"version": "7.1.0"}}}',
        "Pipfile.lock": b'{"default": {"attrs": {"version": "==24.1"}}, "develop": {}}',
        "pylock.toml": b'[[packages]]\nname = "idna"\nversion = "3.10"\n',
        "poetry.lock": b"[[broken",
        "npm-shrinkwrap.json": b"[1]",
    }
    assert lock_versions(files) == {
        "typing-extensions": "4.12.2",
        "serde": "1.0.10",
        "flask": "3.1.0",
        "@a/b": "7.1.0",
        "attrs": "24.1",
        "idna": "3.10",
    }


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("src/a.py", "src/a.py", True),
        ("src/a.py", "src/a.pyc", False),
        ("./src/", "src/deep/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("**/test_?.py", "x/y/test_a.py", True),
        ("**/test_?.py", "x/y/test_ab.py", False),
        ("**", "anything/at/all", True),
        ("a/**/b", "a/b", True),
        ("src", "srcs/a.py", False),
    ],
)
def test_a_glob_reads_as_people_write_it(glob, path, matches):
    assert read_glob(glob).matches(path) is matches


@pytest.mark.timeout(20)
def test_a_hostile_glob_is_no_burden():
    glob = read_glob("**/" * 60 + "*a*a*a*a*a*b")
    assert not any(glob.matches("a/" * 200 + "a" * n) for n in range(200))

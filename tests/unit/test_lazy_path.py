from __future__ import annotations

import copy
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentjournal.lazy_path import lazy_path

TEXTS = [
    "/",
    "/a",
    "/a/",
    "//a",
    "/a//b",
    "/a/./b",
    "/a/.",
    "/a/../b",
    "/.a",
    "a b",
    "",
    ".",
    "./b",
    "/é/\udcff",
]


@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_it_reads_as_the_path_that_it_stands_for(text):
    lazy, path = lazy_path(text), Path(text)
    assert (str(lazy), os.fspath(lazy), lazy.name, f"{lazy}") == (
        str(path),
        str(path),
        path.name,
        f"{path}",
    )
    assert (repr(lazy), hash(lazy), lazy.parent) == (repr(path), hash(path), path.parent)
    assert lazy == path == lazy
    assert lazy == lazy_path(text)
    assert lazy != path / "other"


@pytest.mark.parametrize("below", ["b", "b/", "./b", "", ".", "b//c", "/b", ".b"], ids=repr)
@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_what_is_below_it_is_what_is_below_the_path(text, below):
    assert str(lazy_path(text) / below) == str(Path(text) / below)


def test_it_does_what_a_path_does(tmp_path):
    file = lazy_path(str(tmp_path)) / "new" / "file"
    file.parent.mkdir()
    file.write_text("x")
    assert file.replace(lazy_path(str(tmp_path)) / "moved") == tmp_path / "moved"
    assert Path(lazy_path(str(tmp_path)) / "moved").read_text() == "x"
    with pytest.raises(AttributeError):
        file.nothing()


def test_it_is_copied_as_a_path_is():
    lazy = lazy_path("/a/b")
    assert [copy.copy(lazy), copy.deepcopy(lazy)] == [Path("/a/b")] * 2


def test_joining_and_opening_load_no_pathlib():
    code = (
        "import sys, os; from agentjournal.lazy_path import lazy_path\n"
        "file = lazy_path('/dev') / 'null'; os.stat(file); str(file), file.name; "
        "sys.exit('pathlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from agentjournal.config.project import (
    FILE_NAME,
    ProjectFile,
    find_project_file,
    write_project_file,
)
from agentjournal.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

FORBIDDEN = {
    "database": '"postgresql://evil.example/x"',
    "notifier": '"curl evil.example"',
    "worker": '"sh -c id"',
    "upstream": '"https://evil.example"',
    "data_dir": '"/tmp/x"',
    "actor": '"root"',
    "gates": '"off"',
    "bind": '"0.0.0.0"',
    "api_key": '"x"',
    "verify": '["sh"]',
}


@pytest.mark.parametrize(("key", "value"), FORBIDDEN.items())
@pytest.mark.parametrize("name", [FILE_NAME, "pyproject.toml"])
def test_a_repository_may_set_nothing_else(tmp_path: Path, key: str, value: str, name: str) -> None:
    head = "[tool.agentjournal]\n" if name == "pyproject.toml" else ""
    (tmp_path / name).write_text(f'{head}slug = "a"\n{key} = {value}\n')
    with pytest.raises(ConfigurationError) as refusal:
        find_project_file(tmp_path, tmp_path)
    assert repr(key) in str(refusal.value)
    assert str(tmp_path / name) in str(refusal.value)
    assert "slug, id, plan" in refusal.value.next


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("slug", "Upper"),
        ("slug", "a--b"),
        ("slug", "-a"),
        ("slug", "a" * 65),
        ("slug", "a\n"),
        ("slug", "é"),
        ("id", ""),
        ("id", "a b"),
        ("id", "../x"),
        ("plan", "/etc/passwd"),
        ("plan", "../plan.md"),
        ("plan", "a/../../plan.md"),
        ("plan", "-rf"),
        ("plan", "~/x/../y"),
        ("plan", "https://evil.example/plan.md"),
        ("plan", "C:\\plan.md"),
        ("plan", ""),
    ],
)
def test_a_value_outside_its_rule_is_refused(tmp_path: Path, key: str, value: str) -> None:
    escaped = value.replace("\\", "\\\\").replace("\n", "\\n")
    (tmp_path / FILE_NAME).write_text(f'{key} = "{escaped}"\n')
    with pytest.raises(ConfigurationError) as refusal:
        find_project_file(tmp_path, tmp_path)
    assert repr(key) in str(refusal.value)
    assert str(tmp_path / FILE_NAME) in str(refusal.value)


def test_a_value_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("slug = 1\n")
    with pytest.raises(ConfigurationError, match="slug"):
        find_project_file(tmp_path, tmp_path)


def test_the_nearest_file_upwards_counts(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / FILE_NAME).write_text('slug = "far"\n')
    (tmp_path / "a" / "pyproject.toml").write_text(
        '[tool.agentjournal]\nslug = "near"\nplan = "docs/plan.md"\n'
    )
    found = find_project_file(below, tmp_path)
    path = tmp_path / "a" / "pyproject.toml"
    assert found == ProjectFile(path=path, slug="near", plan="docs/plan.md")


def test_the_search_ends_at_the_top_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('slug = "outside"\n')
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    assert find_project_file(tmp_path / "repository", tmp_path) is None


def test_the_search_ends_at_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('slug = "outside"\n')
    (tmp_path / "home" / "work").mkdir(parents=True)
    assert find_project_file(tmp_path / "home" / "work", tmp_path / "home") is None


def test_a_broken_pyproject_that_never_names_us_stands_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("<<<<<<< HEAD\n")
    assert find_project_file(tmp_path, tmp_path) is None


@pytest.mark.parametrize("text", ["slug = ", "a = " + "[" * 20_000, "slug = 'a'\nslug = 'b'"])
def test_a_broken_file_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    with pytest.raises(ConfigurationError, match="agentjournal"):
        find_project_file(tmp_path, tmp_path)


def test_a_file_that_is_a_pipe_a_link_or_huge_is_refused(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    os.mkfifo(path)
    with pytest.raises(ConfigurationError, match="regular"):
        find_project_file(tmp_path, tmp_path)
    path.unlink()
    path.symlink_to("/etc/passwd")
    with pytest.raises(ConfigurationError, match="opened"):
        find_project_file(tmp_path, tmp_path)
    path.unlink()
    path.write_bytes(b"#" * 70_000)
    with pytest.raises(ConfigurationError, match="larger"):
        find_project_file(tmp_path, tmp_path)


def test_a_written_file_is_found_with_its_values(tmp_path: Path) -> None:
    path = write_project_file(tmp_path, "my-project", "0190-abc")
    assert find_project_file(tmp_path, tmp_path) == ProjectFile(
        path=path, slug="my-project", id="0190-abc"
    )
    assert path.read_text() == 'slug = "my-project"\nid = "0190-abc"\n'
    assert write_project_file(tmp_path, "my-project", "0190-abc") == path


def test_another_file_in_its_place_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('slug = "other"\n')
    with pytest.raises(ConfigurationError, match="there already"):
        write_project_file(tmp_path, "mine", "1")
    assert (tmp_path / FILE_NAME).read_text() == 'slug = "other"\n'


def test_a_bad_name_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="slug"):
        write_project_file(tmp_path, 'x"\ndatabase = "y', "1")
    assert not (tmp_path / FILE_NAME).exists()


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        write_project_file(tmp_path / "nowhere", "a", "1")

from __future__ import annotations

from pathlib import Path

import pytest

from agentjournal.config.settings import Settings, load_settings
from agentjournal.errors import ConfigurationError


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home" / "work").mkdir(parents=True)
    return tmp_path / "home"


def load(
    home: Path, *, flags=None, login: str = "ada", platform: str = "linux", **environment: str
) -> Settings:
    return load_settings(
        environment=environment,
        cwd=home / "work",
        home=home,
        flags=flags or {},
        login=login,
        platform=platform,
    )


def write_user_file(home: Path, text: str) -> Path:
    path = home / ".config" / "agentjournal" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_defaults_lie_in_the_users_own_folders(home: Path) -> None:
    settings = load(home)
    data = home / ".local" / "share" / "agentjournal"
    assert settings.data_dir == data
    assert settings.database == str(data / "log.db")
    assert settings.cache_dir == home / ".cache" / "agentjournal"
    assert settings.config_file == home / ".config" / "agentjournal" / "config.toml"
    assert settings.engmem_store == home / "Developer" / "engmem"
    assert (settings.schema, settings.actor) == ("agentjournal", "ada")
    assert (settings.lease_seconds, settings.heartbeat_seconds) == (900, 60)
    limits = (settings.max_attempts, settings.max_contracts_missing, settings.max_crashes)
    assert limits == (3, 2, 2)
    assert (settings.timeout_seconds, settings.busy_wait_seconds) == (1800, 10)
    assert (settings.brief_bytes, settings.allow_network_fs) == (20_000, False)
    assert settings.project_file is settings.project_slug is settings.attempt_token is None
    assert set(settings.origins.values()) == {"default"}


def test_a_mac_has_its_own_folders_unless_xdg_names_others(home: Path) -> None:
    library = home / "Library"
    settings = load(home, platform="darwin")
    assert settings.data_dir == library / "Application Support" / "agentjournal"
    assert settings.cache_dir == library / "Caches" / "agentjournal"
    settings = load(home, platform="darwin", XDG_DATA_HOME="/d", XDG_CACHE_HOME="/c")
    assert (settings.data_dir, settings.cache_dir) == (
        Path("/d/agentjournal"),
        Path("/c/agentjournal"),
    )


def test_a_relative_xdg_folder_does_not_count(home: Path) -> None:
    assert load(home, XDG_DATA_HOME="relative").data_dir == load(home).data_dir


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("database", "/flag.db", "/flag.db"),
        ("actor", "flag", "flag"),
        ("schema", "flag_1", "flag_1"),
        ("lease_seconds", "7", 7),
        ("max_crashes", "5", 5),
        ("brief_bytes", "15000", 15000),
        ("allow_network_fs", "yes", True),
        ("cache_dir", "/x", Path("/x")),
    ],
)
def test_a_flag_beats_the_environment_beats_the_users_file_beats_the_default(
    home: Path, name: str, given: str, value: object
) -> None:
    variable = f"AGENTJOURNAL_{name.upper()}"
    flag = f"--{name.replace('_', '-')}"
    default = getattr(load(home), name)
    path = write_user_file(home, f"{name} = {given if given.isdigit() else repr(given)}\n")
    sources = [
        (load(home), str(path)),
        (load(home, **{variable: given}), variable),
        (load(home, **{variable: given}, flags={name: given}), flag),
    ]
    for settings, origin in sources:
        assert (getattr(settings, name), settings.origins[name]) == (value, origin)
    assert default != value
    blank = load(home, **{variable: " "}, flags={name: ""})
    assert blank.origins[name] == str(path)


def test_the_higher_source_wins_with_its_own_value(home: Path) -> None:
    write_user_file(home, "max_attempts = 4\n")
    assert load(home).max_attempts == 4
    assert load(home, AGENTJOURNAL_MAX_ATTEMPTS="5").max_attempts == 5
    settings = load(home, AGENTJOURNAL_MAX_ATTEMPTS="5", flags={"max_attempts": "6"})
    assert settings.max_attempts == 6


def test_relative_paths_start_where_they_were_written(home: Path) -> None:
    write_user_file(home, 'database = "mine.db"\n')
    assert load(home).database == str(home / ".config" / "agentjournal" / "mine.db")
    assert load(home, AGENTJOURNAL_DATABASE="../x.db").database == str(home / "x.db")
    assert load(home, flags={"database": "~/y.db"}).database == str(home / "y.db")


@pytest.mark.parametrize(
    "url", ["postgresql://u:p@h/d?sslmode=require", "postgres:///d", ":memory:"]
)
def test_a_url_and_a_store_in_memory_stay_as_they_are(home: Path, url: str) -> None:
    assert load(home, AGENTJOURNAL_DATABASE=url).database == url


def test_another_url_is_refused_without_its_password(home: Path) -> None:
    with pytest.raises(ConfigurationError, match="postgresql://") as refusal:
        load(home, AGENTJOURNAL_DATABASE="mysql://u:hunter2@h/d")
    assert "hunter2" not in str(refusal.value)


def test_passwords_and_tokens_are_in_no_repr(home: Path) -> None:
    settings = load(
        home, AGENTJOURNAL_DATABASE="postgresql://u:hunter2@h/d", AGENTJOURNAL_ATTEMPT="aj-token"
    )
    assert settings.attempt_token == "aj-token"  # noqa: S105 - made up
    assert "hunter2" not in repr(settings)
    assert "aj-token" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lease_seconds", "0"),
        ("lease_seconds", "-5"),
        ("lease_seconds", "1.5"),
        ("lease_seconds", "9" * 30),
        ("max_attempts", "many"),
        ("max_attempts", "٣"),
        ("brief_bytes", "13999"),
        ("schema", "Bad"),
        ("schema", 'x"; drop'),
        ("schema", "a" * 64),
        ("actor", "two words"),
        ("actor", "a" * 65),
        ("allow_network_fs", "maybe"),
        ("database", "a\0b"),
        ("slot", "a b"),
    ],
)
def test_a_bad_value_is_refused_with_its_name_and_origin(home: Path, name: str, value: str) -> None:
    variable = f"AGENTJOURNAL_{name.upper()}"
    extra = {"AGENTJOURNAL_ATTEMPT": "aj-x"} if name == "slot" else {}
    with pytest.raises(ConfigurationError, match=variable) as refusal:
        load(home, **{variable: value}, **extra)
    assert refusal.value.next


def test_a_wrong_type_in_the_users_file_is_refused_with_key_and_file(home: Path) -> None:
    path = write_user_file(home, "lease_seconds = true\n")
    with pytest.raises(ConfigurationError, match="lease_seconds") as refusal:
        load(home)
    assert str(path) in str(refusal.value)


def test_an_unknown_key_in_the_users_file_is_refused_with_key_and_file(home: Path) -> None:
    path = write_user_file(home, 'databse = "x"\n')
    with pytest.raises(ConfigurationError, match="databse") as refusal:
        load(home)
    assert str(path) in str(refusal.value)
    assert "database" in refusal.value.next


def test_the_users_file_may_be_a_link(home: Path) -> None:
    path = write_user_file(home, "")
    (home / "dotfile").write_text("max_attempts = 9\n")
    path.unlink()
    path.symlink_to(home / "dotfile")
    assert load(home).max_attempts == 9


def test_a_users_file_that_was_named_must_exist(home: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        load(home, AGENTJOURNAL_CONFIG="nowhere.toml")


def test_a_project_file_gives_name_id_plan_and_root(home: Path) -> None:
    path = home / "work" / ".agentjournal.toml"
    path.write_text('slug = "shop"\nid = "0190"\nplan = "docs/plan.md"\n')
    settings = load(home)
    assert (settings.project_slug, settings.project_id) == ("shop", "0190")
    assert (settings.project_plan, settings.project_file) == ("docs/plan.md", path)
    assert settings.project_root == home / "work"
    assert settings.origins["project_slug"] == str(path)


def test_a_project_named_by_a_workers_environment_beats_the_file(home: Path) -> None:
    (home / "work" / ".agentjournal.toml").write_text('slug = "shop"\n')
    assert load(home, AGENTJOURNAL_PROJECT="other").project_slug == "other"
    with pytest.raises(ConfigurationError, match="AGENTJOURNAL_PROJECT"):
        load(home, AGENTJOURNAL_PROJECT="No Slug")


def test_a_worker_is_named_after_its_slot_unless_it_is_named_itself(home: Path) -> None:
    assert load(home, AGENTJOURNAL_ATTEMPT="aj-x").actor == "worker-1"
    assert load(home, AGENTJOURNAL_ATTEMPT="aj-x", AGENTJOURNAL_SLOT="3").actor == "worker-3"
    named = load(home, AGENTJOURNAL_ATTEMPT="aj-x", AGENTJOURNAL_ACTOR="ci")
    assert named.actor == "ci"
    assert load(home, AGENTJOURNAL_SLOT="3").actor == "ada"


@pytest.mark.parametrize(
    ("login", "actor"), [("DOMAIN\\ada", "DOMAIN-ada"), ("", "unknown"), ("a" * 70, "a" * 64)]
)
def test_a_login_name_is_made_to_fit(home: Path, login: str, actor: str) -> None:
    assert load(home, login=login).actor == actor


def test_the_store_is_found_by_flag_environment_and_saved_choice(home: Path) -> None:
    saved = home / ".config" / "engmem" / "store"
    saved.parent.mkdir(parents=True)
    saved.write_text("~/kept\n")
    assert load(home).engmem_store == home / "kept"
    assert load(home).origins["engmem_store"] == str(saved)
    assert load(home, ENGMEM_HOME="~/env").engmem_store == home / "env"
    assert load(home, ENGMEM_HOME="  ").engmem_store == home / "kept"
    assert load(home, ENGMEM_HOME="env", flags={"store": "x"}).engmem_store == home / "work" / "x"


@pytest.mark.parametrize("text", ["", "\n", "relative\n", "/a\n/b\n", "/a\0b\n"])
def test_a_broken_saved_choice_stops_and_never_falls_back(home: Path, text: str) -> None:
    saved = home / ".config" / "engmem" / "store"
    saved.parent.mkdir(parents=True)
    saved.write_text(text)
    with pytest.raises(ConfigurationError, match="store"):
        load(home)
    assert load(home, ENGMEM_HOME="/elsewhere").engmem_store == Path("/elsewhere")


def test_a_saved_choice_that_leads_nowhere_stops(home: Path) -> None:
    saved = home / ".config" / "engmem" / "store"
    saved.parent.mkdir(parents=True)
    saved.symlink_to(home / "gone")
    with pytest.raises(ConfigurationError, match="missing"):
        load(home)

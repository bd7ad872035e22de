from __future__ import annotations

import subprocess
import sys

import pytest
from detect_secrets.plugins.private_key import PrivateKeyDetector
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.text.redact import redact, redact_value

LETTERS = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzAbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
KEY_LINES = "\n".join((LETTERS * 2)[n : n + 64] for n in range(6))


def made(head: str, length: int, tail: str = "") -> str:
    """Put a secret together here, so that no scanner of this repository finds one."""
    return head + (LETTERS * 4)[:length] + tail


SECRETS = {
    "aws-access-key": "AKIA" + "IOSFODNN7EXAMPLE",
    "github-token": made("ghp" + "_", 36),
    "gitlab-token": made("glpat" + "-", 20),
    "slack-token": "xoxb" + "-123456789012-123456789012-" + LETTERS[:24],
    "stripe-access-key": made("sk" + "_live_", 24),
    "json-web-token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9." + LETTERS[:43],
    "openai-token": made("sk" + "-proj-", 48),
    "anthropic-key": made("sk" + "-ant-api03-", 90),
    "google-api-key": made("AIza", 35),
    "sendgrid-api-key": made("SG" + ".", 22, ".") + (LETTERS * 2)[:43],
    "npm-token": made("npm" + "_", 36),
    "hugging-face-token": "hf" + "_" + "abcdefghijklmnopqrstuvwxyzabcdefgh",
    "pypi-token": made("pypi" + "-AgEIcHlwaS5vcmc", 75),
    "telegram-bot-token": "123456789:" + LETTERS[:35],
    "azure-storage-account-access-key": "AccountKey=" + (LETTERS * 2)[:86] + "==",
    "attempt-token": "aj-" + "abcdefghijklmnopqrstuvwxyz",
}
ASSIGNMENTS = (  # the secret stands between two bars
    'password = "|hunter2|"',
    "password = '|swordfish|'",
    "DB_PASSWORD=|s3cr3t!x|",
    "db_pass=|s3cr3t!x|",
    "export API_KEY=|abc123def456|",
    '{"api_key": "|4f2a-99xy|"}',
    "api-key: |4f2a99xyz|",
    "passwd := `|opensesame1|`",
    "client_secret: |Zx81kkQ9|",
    "the command was run with --password |hunter22| on the host",
    "--db-password=|hunter22|",
    "curl 'https://example.com/?secret=|abc123def|&page=2'",
    f"token = |{LETTERS[:32]}|",
    f'API_KEY_PRODUCTION = "|{LETTERS[:40]}|"',
    'if password == "|hunter2|":',
    "secret => '|abc123|'",
    "PASSWORD='|p@ssw.rd|'",
    f'aws_secret_access_key = "|{LETTERS[:40]}|"',
)
HARMLESS = """\
password = get_password()
password: str
password: str | None = None
api_key = os.environ["API_KEY"]
api_key=settings.api_key
api_key = config.keys.api_key2
secret = self._secrets[name]
password=password
password = password1
def login(user, password="", token=None): ...
secret_key: Optional[str] = None
{"password": "string", "token": "required"}
password = ${DB_PASSWORD}
password: <your password here>
PWD=/home/me/work/project2
"password": "Passwort"
The password: ask a person, never write it down.
We decided that the secret stays in the vault; the token is rotated weekly.
password hashing: argon2id, 19456 KiB, two passes
secret: sha256 of the body
token_sha256=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
max_tokens=4096, cache_read_tokens: 120000, output_tokens=812
token = tokens[position]
next_token = tokenizer.next(token)
for token in tokenize("a = 1"):
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
password_field = "user_password"
secret_name = "db-credentials"
api_key_header = "X-Api-Key"
keyword = "reserved12"
commit 5f2c1d9e8b7a6c5d4e3f2a1b0c9d8e7f6a5b4c3d
Merge 3f2a9c1 into main (5f2c1d9e8b7a6c5d4e3f2a1b0c9d8e7f6a5b4c3d)
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
id 018f3a5b-7c1d-7e2f-8a3b-4c5d6e7f8a9b
src/agentjournal/execution/plan/task_context_for_worker_1234567890.py
/usr/lib/python3.11/site-packages/detect_secrets/plugins/high_entropy_strings.py
https://github.com/example/project/commit/5f2c1d9e8b7a6c5d4e3f2a1b0c9d8e7f6a5b4c3d
https://example.com/token?id=018f3a5b-7c1d-7e2f-8a3b-4c5d6e7f8a9b
test_the_secret_stays_secret_when_the_log_is_exported_to_another_engine
NotificationServiceTestCaseBase.helper.test_it_sends_each_mail_once
raise ConfigurationError("api_key must be set: see docs/configuration.md")
ssh://git@example.com:22/project.git
http://localhost:8080/@me and postgresql://localhost/log
user@example.com, "Ada <ada@example.com>:"
git clone git@example.com:project/sk-learn-tools.git
sk-learn, aj-v1, ghp_short, AKIA, xoxb-
a file that holds -----BEGIN RSA PRIVATE KEY----- is refused
T-042 success (attempt 2, worker-3): Add retry. Ruled out: polling; busy_timeout
Authorization: Bearer <token>
the bearer authenticates-with-a-certificate
2026-01-31T09:05:00.000000Z 127.0.0.1:54321 "GET /token HTTP/1.1" 200
""".splitlines()


@pytest.mark.parametrize(("kind", "secret"), SECRETS.items())
@pytest.mark.parametrize("around", ["{}", "used {} there.", '"{}"', "x={}\n", "a {}, b"])
def test_a_token_is_replaced_whole_and_named(kind: str, secret: str, around: str) -> None:
    redacted = redact(around.format(secret))
    assert redacted.text == around.format(f"[redacted:{kind}]")
    assert redacted.kinds == (kind,)


def test_a_token_longer_than_its_rule_is_replaced_whole() -> None:
    assert redact(SECRETS["github-token"] + "AndMore123").text == "[redacted:github-token]"


@pytest.mark.parametrize("line", ASSIGNMENTS)
def test_an_assigned_secret_is_replaced_and_its_name_stays(line: str) -> None:
    before, secret, after = line.split("|")
    redacted = redact(f"{before}{secret}{after}")
    (kind,) = redacted.kinds
    assert redacted.text == f"{before}[redacted:{kind}]{after}"
    assert kind in {"secret-keyword", "aws-access-key"}


def test_the_password_of_an_address_is_replaced_and_the_rest_stays() -> None:
    redacted = redact("postgresql://ada:hunter2@db.example.com/log")
    assert redacted.text == (
        "postgresql://ada:[redacted:basic-auth-credentials]@db.example.com/log"
    )


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_the_credentials_of_a_request_are_replaced(scheme: str) -> None:
    line = f"Authorization: {scheme} {LETTERS[:30]}"
    assert redact(line).text == f"Authorization: {scheme} [redacted:authorization]"
    assert "dXNlcj" not in redact('"Authorization": "Basic dXNlcjpwYXNzd29yZA=="').text


@pytest.mark.parametrize("line", HARMLESS)
def test_ordinary_engineering_text_stays_as_it_is(line: str) -> None:
    assert redact(line).text == line


def test_the_harmless_lines_stay_harmless_together() -> None:
    assert redact("\n".join(HARMLESS)).kinds == ()


def headers() -> list[str]:
    return [rule.pattern for rule in PrivateKeyDetector.denylist if "PuTTY" not in rule.pattern]


@pytest.mark.parametrize("header", headers())
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\\n", "\n    ", "\n> "])
def test_a_private_key_is_replaced_from_its_first_to_its_last_line(
    header: str, line_end: str
) -> None:
    lines = [
        f"-----{header}-----",
        *KEY_LINES.splitlines(),
        f"-----{header.replace('BEGIN', 'END')}-----",
    ]
    redacted = redact(f"before {line_end.join(lines)} after")
    assert redacted.text == "before [redacted:private-key] after"
    assert redacted.kinds == ("private-key",)


def test_an_encrypted_key_with_headers_is_replaced_whole() -> None:
    text = (
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n"
        f"{KEY_LINES}\nshort==\n-----END RSA PRIVATE KEY-----\n"
    )
    assert redact(text).text == "[redacted:private-key]\n"


def test_a_putty_key_is_replaced_whole() -> None:
    text = (
        f"PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 6\n{KEY_LINES}\nPrivate-MAC: 0a1b2c\nend"
    )
    assert redact(text).text == "[redacted:private-key]\nend"


def test_a_key_that_was_cut_off_is_replaced_as_far_as_it_goes() -> None:
    text = f"-----BEGIN PRIVATE KEY-----\n{KEY_LINES}\nabc==\nThen the worker went on."
    assert redact(text).text == "[redacted:private-key]\nThen the worker went on."


def test_two_keys_leave_the_text_between_them() -> None:
    key = f"-----BEGIN PRIVATE KEY-----\n{KEY_LINES}\n-----END PRIVATE KEY-----"
    assert redact(f"{key} and {key}").text == "[redacted:private-key] and [redacted:private-key]"


def test_kinds_are_sorted_and_each_once() -> None:
    text = f"{SECRETS['slack-token']} {SECRETS['github-token']} {SECRETS['github-token']}"
    assert redact(text).kinds == ("github-token", "slack-token")


FRAGMENTS = (
    *(line.replace("|", "") for line in ASSIGNMENTS),
    *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "[redacted:x]", "[redacted:"),
    *("password=", "token: ", "secret", "--", "://a:", "@", "Bearer ", "aws key ", '"', "\n", " "),
)
PIECES = st.lists(
    st.sampled_from([*SECRETS.values(), *HARMLESS, *KEY_LINES.splitlines(), *FRAGMENTS])
    | st.text(max_size=4),
    max_size=8,
).map("".join)


@given(PIECES)
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    twice = redact(once.text)
    assert twice.text == once.text
    assert twice.kinds == ()


@given(st.text(st.characters(exclude_characters="=:-_.@"), max_size=200))
def test_text_without_signs_of_a_secret_stays_as_it_is(text: str) -> None:
    assert redact(text).kinds == ()


def test_texts_inside_a_value_are_redacted_and_all_else_is_kept() -> None:
    token = SECRETS["github-token"]
    value = {"a": [token, 1, None, True, {"b": "plain"}], "c": ("x", 'password = "hunter2"')}
    redacted, kinds = redact_value(value)
    assert redacted == {
        "a": ["[redacted:github-token]", 1, None, True, {"b": "plain"}],
        "c": ("x", 'password = "[redacted:secret-keyword]"'),
    }
    assert kinds == ("github-token", "secret-keyword")


HOSTILE = {
    "names": "secret",
    "tokens": "eyJ",
    "quotes": '"a"',
    "dashes": "-",
    "addresses": "://a:",
    "first lines": "-----BEGIN PRIVATE KEY-----\n",
    "first lines with keys": "-----BEGIN PRIVATE KEY-----\n" + "A" * 60,
    "options": "--token ",
    "spaces": "password" + " " * 40,
    "values": "password=v1.",
    "one run": "A",
}


@pytest.mark.timeout(60)  # a rule that goes back and forth would need many minutes
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_long_hostile_text_comes_to_an_end(piece: str) -> None:
    text = piece * (262_144 // len(piece))
    assert redact(text).text


def test_the_rules_are_loaded_with_the_first_text_only() -> None:
    script = (
        "import sys, agentjournal.text.redact as r; assert 'detect_secrets' not in sys.modules;"
        "r.redact('x'); assert 'detect_secrets' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)

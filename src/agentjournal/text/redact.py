"""Secrets are taken out of a text before anything of it is kept.

Token shapes and names of secrets come from the rules of detect-secrets (docs/adr/0003 says which
and why). Nothing is looked up or verified, and randomness alone is no sign: commits and ids stay.
"""

from __future__ import annotations

import functools
import re

from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Redacted", "redact", "redact_value"]

_PLUGINS = (  # plugin, class, whether the shape must end where its token ends
    ("aws", "AWSKeyDetector", False),
    ("azure_storage_key", "AzureStorageKeyDetector", False),
    ("basic_auth", "BasicAuthDetector", False),
    ("discord", "DiscordBotTokenDetector", True),
    ("github_token", "GitHubTokenDetector", False),
    ("gitlab_token", "GitLabTokenDetector", False),
    ("mailchimp", "MailchimpDetector", True),
    ("openai", "OpenAIDetector", False),
    ("pypi_token", "PypiTokenDetector", False),
    ("sendgrid", "SendGridDetector", False),
    ("slack", "SlackDetector", False),
    ("square_oauth", "SquareOAuthDetector", False),
    ("stripe", "StripeDetector", False),
    ("telegram_token", "TelegramBotTokenDetector", True),
    ("twilio", "TwilioKeyDetector", True),
)
_KNOWN_BY_SURROUNDINGS = frozenset({"AWSKeyDetector", "BasicAuthDetector"})
_OWN_SHAPES = (  # younger than the rules, or there in a form that takes more than linear time
    ("anthropic-key", r"sk-ant-[\w-]{20,400}"),
    ("attempt-token", r"aj-[a-z2-7]{26}(?![\w-])"),
    ("authorization", r"(?i:bearer)[ \t]{1,4}(?=[^\d\s]{0,200}\d)(?P<value>[\w.~+/=-]{16,4000})"),
    ("authorization", r"(?i:authorization)[\"']?: ?[\"']?(?i:basic) (?P<value>[\w+/=-]{8,4000})"),
    ("github-token", r"github_pat_\w{22,255}"),
    ("google-api-key", r"AIza[\w-]{35}"),
    ("hugging-face-token", r"hf_[A-Za-z]{30,40}"),
    ("json-web-token", r"eyJ[\w-]{10,4000}+\.eyJ[\w-]{10,8000}+(?:\.[\w-]{0,4000})?"),
    ("npm-token", r"npm_[A-Za-z0-9]{36}"),
    ("openai-token", r"sk-(?:admin|proj|svcacct)-[\w-]{20,400}"),
    ("stripe-access-key", r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20,250}"),
)
_STARTS = r"(?<![A-Za-z0-9_-])"  # one try for each token: this is what keeps every shape linear
_TOKEN_ENDS = re.compile(r"(?![A-Za-z0-9_-])")
_MOST_PASSES = 8


@frozen
class _Shape:
    """What one kind of secret looks like, and which group of the rule is the secret."""

    kind: str
    rule: re.Pattern[str]
    group: int | str

    @classmethod
    def of(cls, kind: str, pattern: str, flags: int = 0) -> _Shape:
        rule = re.compile(_STARTS + pattern, flags)
        return cls(kind, rule, "value" if "value" in rule.groupindex else 0)


@frozen
class Redacted:
    """A text without its secrets, and the kinds that were found, sorted, each once."""

    text: str
    kinds: tuple[str, ...]


def redact(text: str) -> Redacted:
    """Replace each secret by `[redacted:<kind>]`; what is redacted already stays as it is."""
    kinds: set[str] = set()
    for _ in range(_MOST_PASSES):
        spans = _merged(_found(text))
        if not spans:
            break
        kinds.update(kind for _, _, kind in spans)
        text = _replaced(text, spans)
    return Redacted(text, tuple(sorted(kinds)))


def redact_value(value: object) -> tuple[object, tuple[str, ...]]:
    """Redact every text inside dicts, lists and tuples (not their keys); give value and kinds."""
    kinds: set[str] = set()

    def inside(item: object) -> object:
        match item:
            case str():
                redacted = redact(item)
                kinds.update(redacted.kinds)
                return redacted.text
            case dict():
                return {key: inside(part) for key, part in item.items()}
            case list():
                return [inside(part) for part in item]
            case tuple():
                return tuple(inside(part) for part in item)
            case _:
                return item

    return inside(value), tuple(sorted(kinds))


def _found(text: str) -> Iterator[tuple[int, int, str]]:
    """Give start, end and kind of every secret, in no order and with overlaps."""
    from agentjournal.text.assignment import assigned_secrets
    from agentjournal.text.private_key import private_keys

    shapes, assignments = _rules()
    for start, end in private_keys(text):
        yield start, end, "private-key"
    for shape in shapes:
        for match in shape.rule.finditer(text):
            start, end = match.span(shape.group)
            yield start, _end_of_token(text, end), shape.kind
    for start, end in assigned_secrets(assignments, text):
        yield start, end, "secret-keyword"


def _end_of_token(text: str, place: int) -> int:
    """Give where the token that reaches over this place ends: a shape may know only its head."""
    ends = _TOKEN_ENDS.search(text, place)
    return ends.start() if ends else len(text)


def _merged(spans: Iterator[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Join spans that overlap into one, of the kind of the first."""
    merged: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(spans):
        if merged and start < merged[-1][1]:
            first, last, known = merged[-1]
            merged[-1] = (first, max(last, end), known)
        else:
            merged.append((start, end, kind))
    return merged


def _replaced(text: str, spans: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    after = 0
    for start, end, kind in spans:
        parts += [text[after:start], f"[redacted:{kind}]"]
        after = end
    return "".join([*parts, text[after:]])


@functools.cache
def _rules() -> tuple[tuple[_Shape, ...], re.Pattern[str]]:
    """Load the rules once, with the first text: the import takes about a tenth of a second."""
    from importlib import import_module

    from agentjournal.text.assignment import assignment_rule

    shapes = [
        shape
        for module, name, is_exact in _PLUGINS
        for shape in _plugin_shapes(module, name, is_exact=is_exact)
    ]
    own = [_Shape.of(kind, pattern) for kind, pattern in _OWN_SHAPES]
    names = import_module("detect_secrets.plugins.keyword").DENYLIST
    return tuple(shapes + own), assignment_rule(names)


def _plugin_shapes(module: str, name: str, *, is_exact: bool) -> Iterator[_Shape]:
    """Take over a detector's patterns; what it knows by its surroundings is its group 1."""
    from importlib import import_module

    detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
    kind = re.sub(r"[^a-z0-9]+", "-", detector.secret_type.lower())
    for pattern in detector.denylist:
        if name in _KNOWN_BY_SURROUNDINGS and pattern.groups:
            yield _Shape(kind, pattern, 1)
        else:
            end = r"(?![\w-])" if is_exact else ""
            yield _Shape.of(kind, f"(?:{pattern.pattern}){end}", pattern.flags)

"""The ritual's templates as each agent reads them: renamed, rewritten, stamped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.text.canonical import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "WORKFLOW",
    "Stamp",
    "digest_of",
    "for_codex",
    "for_copilot_cli",
    "is_unedited",
    "skill",
    "stamp_of",
    "stamped",
]

WORKFLOW = 1  # goes up when installed templates no longer fit the commands
_STAMP = re.compile(
    r"^<!-- engmem-template: (?P<name>\S+) v(?P<version>\S+) workflow (?P<workflow>\d+)"
    r" sha256:(?P<digest>[0-9a-f]{16}) -->$",
    re.MULTILINE,
)
_COMMAND = re.compile(r"(?<![\w./~-])/engmem(?P<rest>(?:\.save(?:\.quick)?)?)(?![\w/-]|\.\w)")
_ARGUMENTS = "the task that the user gave with this skill"


@dataclass(frozen=True, kw_only=True)
class Stamp:
    """What a template says of itself: its source, the version that wrote it, and the digest it had."""

    name: str
    version: str
    workflow: int
    digest: str


def stamped(text: str, name: str, version: str) -> str:
    """Put the stamp right behind the front matter."""
    line = f"<!-- engmem-template: {name} v{version} workflow {WORKFLOW} sha256:{digest_of(text)} -->\n"
    end = text.index("\n---\n") + len("\n---\n")
    return text[:end] + line + text[end:]


def stamp_of(text: str) -> Stamp | None:
    """Read a template's stamp; None where it has none."""
    found = _STAMP.search(text.replace("\r\n", "\n"))
    if found is None:
        return None
    name, version, workflow, digest = found.groups()
    return Stamp(name=name, version=version, workflow=int(workflow), digest=digest)


def digest_of(text: str) -> str:
    """Give the first 16 hex digits of the text's SHA-256 without its stamp and with plain line ends."""
    plain = text.replace("\r\n", "\n")
    found = _STAMP.search(plain)
    return sha256_hex(plain[: found.start()] + plain[found.end() + 1 :] if found else plain)[:16]


def is_unedited(data: bytes) -> bool:
    """Say whether the file is what some version of the tool wrote there."""
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        return False
    stamp = stamp_of(text)
    return stamp is not None and stamp.digest == digest_of(text)


def skill(text: str, name: str, rewrite: Callable[[str], str]) -> str:
    """Make a skill of a template: it names itself, and calls its siblings as its agent does."""
    kept = re.sub(r"^argument-hint:.*\n", "", text, count=1, flags=re.MULTILINE)
    return rewrite(kept).replace("---\n", f"---\nname: {name}\n", 1)


def for_copilot_cli(text: str) -> str:
    """Write the commands with hyphens: a dot is not allowed in a skill's name."""
    return text.replace("/engmem.save.quick", "/engmem-save-quick").replace(
        "/engmem.save", "/engmem-save"
    )


def for_codex(text: str) -> str:
    """Write the commands as Codex calls skills, and the arguments in words, since none are passed."""
    named = _COMMAND.sub(lambda found: "$engmem" + found["rest"].replace(".", "-"), text)
    return named.replace('"$ARGUMENTS"', _ARGUMENTS).replace("$ARGUMENTS", _ARGUMENTS)

"""Where a text gives a secret a value: `password=...`, `"api_key": "..."`, `--token ...`.

The names come from a maintained list; the values are judged here, because a text about code is full
of lines such as `password = get_password()` that give nothing away.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["assigned_secrets", "assignment_rule"]

_OWN_NAMES = ("access_?key", "passphrase", "token")
_VALUE = (
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\s\"'`]{4,4000}+)(?P=quote)"
    r"|(?P<bare>[^\s\"'`,;&(){}\[\]<>$|\\]{6,4000}+)(?![(\[{$\\]))"
)
_MIXED = re.compile(r"(?=[^A-Za-z]*[A-Za-z])(?=[^0-9]*[0-9]).*", re.DOTALL)
_UNUSUAL = re.compile(r".*[0-9!@#%^&+=~?]", re.DOTALL)
_REFERENCE = re.compile(
    r"[<{\[$%*(].*|.*://.*|[./~].*"  # a placeholder, an address, a path
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"  # a name with dots
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # an id
    r"|(?:sha|md|utf|base|argon|bcrypt|uuid|aes|hmac|rs|hs|es|int|str|float|v)[-_]?[\d.]+\w{0,8}",
    re.DOTALL | re.IGNORECASE,
)
_WORD = re.compile(
    r"bool(?:ean)?|bytes|false|file|hidden|int(?:eger)?|none|null|number|optional|required|str(?:ing)?"
    r"|text|true|undefined|value",
    re.IGNORECASE,
)
_ABOUT_SECRETS = re.compile(r"[a-z_]*(?:pass|pwd|secret|token|key)[\w-]*", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]+", re.IGNORECASE)
_STRONG = 16


def assignment_rule(names: Sequence[str]) -> re.Pattern[str]:
    """Make the rule for these names (patterns, in which `_?` may also be a dash)."""
    known = "|".join(re.sub("pass$", "pass(?:word|wd)?", name) for name in (*names, *_OWN_NAMES))
    known = known.replace("_?", "[_-]?")
    return re.compile(
        rf"(?P<option>(?<![\w-])--[\w-]{{0,40}}?)?(?P<name>{known})(?P<rest>[\w-]{{0,40}})[\"'\]]{{0,2}}"
        rf"(?:[ \t]{{0,3}}(?P<sign>:=|=>|={{1,3}}|:)[ \t]{{0,3}}|(?(option)[ \t]+|(?!)))@?{_VALUE}",
        re.IGNORECASE,
    )


def assigned_secrets(rule: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Give start and end of each value that looks like a secret."""
    for found in rule.finditer(text):
        group = "quoted" if found["quoted"] is not None else "bare"
        if _is_secret(found, found[group]):
            yield found.span(group)


def _is_secret(found: re.Match[str], value: str) -> bool:
    """Judge the value: the less its name says, the more it has to look like a secret itself."""
    name, is_mixed = found["name"].lower(), bool(_MIXED.match(value))
    if _REFERENCE.fullmatch(value) or _WORD.fullmatch(value):
        return False
    if _ABOUT_SECRETS.fullmatch(value) and (found["bare"] or not is_mixed):
        return False  # another variable, a field's name, a label
    if found["rest"] or name == "token":
        return len(value) >= _STRONG and is_mixed and not _HEX.fullmatch(value)
    if found["bare"]:
        return is_mixed
    is_set = found["sign"] != ":" and ("pass" in name or "pwd" in name)
    return is_set or bool(_UNUSUAL.match(value))

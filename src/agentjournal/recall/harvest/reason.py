"""The reason that a commit's message gives, without what programs and templates put there."""

from __future__ import annotations

import re

from agentjournal.recall.prose import plain
from agentjournal.text.bounded import clip

__all__ = ["REASON_BYTES", "named_commits", "reason_of"]

REASON_BYTES = 500
LONGEST = 8_000  # characters of a body that are looked at

_ID = r"[0-9a-f]{7,40}"
_NAMED = re.compile(
    rf"\b(?:revert(?:s|ed|ing)?|re-?appl(?:y|ies)|re-?lands?|back(?:s|ed|ing)? out)\b"
    rf"(?: (?:the|this|partially|following))*(?: (?:commits?|changesets?|change|revision))?:? +"
    rf"\(?[\"'`]?({_ID})\b",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    rf"this (?:partially |effectively |also )?reverts? (?:the )?(?:commits?|changesets?|merge)\s+"
    rf"{_ID}(?:(?:,| and|, and| \+)\s+{_ID})*(?:,? reversing\s+changes\s+made\s+to\s+{_ID})?"
    rf"(?: \([^)\n]{{0,200}}\))?[.,:;]?"
    r"|^reverts? [\w.-]+/[\w.-]+#\d+\.?$"
    r"|^reverts? (?:pull request )?#\d+\.?$"
    r"|^original (?:commit|change)(?:'s| message| description)[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_TRAILER = re.compile(
    r"(?:signed-off|reviewed|acked|tested|co-authored|reported|suggested|approved|committed|merged"
    r"|helped|authored|author|pair(?:ed)?|commit-queue|change-id|cc|bug|br|test|tests|tracking|issue"
    r"|piperorigin-revid|git-svn-id|differential revision|pull-request|pull-request-sha|reviewed-on"
    r"|reviewed-by|auto-submit|run-trybot|trybot-result|presubmit|no-try|no-presubmit|no-tree-checks"
    r"|cr-commit-position|cr-original[\w-]*|cherry-picked|\(cherry picked|conflicts|release note"
    r"|fixes|closes|fix|close|resolves|resolved|ref|refs|see also|link|backport|branch|pr|summary"
    r"|test plan|tags|subscribers|reviewers|differential)"
    r"(?:-by)?(?::|=| from commit| #\d| https?://)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:reason(?:s)?(?: for(?: the)? (?:revert|reverting|rollback|reland))?|why|motivation|rationale)"
    r"[:?]\s*",
    re.IGNORECASE,
)
_CUT = re.compile(r"^(?:conflicts:|# conflicts|-{3,}$|diff --git |changed files:)", re.IGNORECASE)
_RULE = re.compile(r"[-=*_~#\s]*")


def reason_of(body: str) -> str:
    """Give what a person wrote, on one line, at most 500 bytes; empty where nobody did."""
    text = _BOILERPLATE.sub(" ", body[:LONGEST].replace("\r", ""))
    kept: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        if _CUT.match(bare):
            break
        if bare.startswith(">") or _TRAILER.match(bare) or _RULE.fullmatch(bare):
            continue
        kept.append(_LEAD.sub("", bare, count=1).lstrip("#").strip())
    return clip(plain(" ".join(kept)).strip(" .,;:-"), REASON_BYTES)


def named_commits(text: str) -> list[str]:
    """Give the ids, whole or begun, of the commits that a message says it takes back."""
    return [found[1] for found in _NAMED.finditer(text[:LONGEST])]

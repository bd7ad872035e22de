"""The candidates of one repository, kept as one file in the cache: rebuilt at will, never truth."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from agentjournal.errors import InputError, NotFoundError
from agentjournal.recall.claim import Claim
from agentjournal.recall.kept import KeptClaims
from agentjournal.system.files import private_folder, read_inside, write_atomically
from agentjournal.text.canonical import canonical_json, parse_json, sha256_hex

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.recall.harvest.harvest import Harvest

__all__ = ["CANDIDATES", "harvested_claims", "index_path", "write_index"]

CANDIDATES = "candidates"
FORMAT = "agentjournal-harvest"
VERSION = 1
BYTES = 8 * 1024 * 1024

_TEXTS = ("id", "what", "verdict", "why", "evidence", "scope")


def index_path(cache: Path, root: Path) -> Path:
    """Say where the candidates of the repository at `root` are kept."""
    return cache / "harvest" / f"{sha256_hex(str(root.resolve()))[:32]}.json"


def write_index(path: Path, found: Harvest) -> None:
    """Keep a harvest, whole or not at all, in place of the one before.

    Raises:
        StoreError: it cannot be written there.
    """
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "repository": found.repository,
        "counts": dict(found.counts),
        "candidates": [
            {name: getattr(claim, name) for name in _TEXTS} for claim in found.candidates
        ],
        "plans": [asdict(plan) for plan in found.plans],
    }
    private_folder(path.parent)
    write_atomically(path, canonical_json(whole).encode() + b"\n")


def harvested_claims(path: Path) -> KeptClaims:
    """Give a source over a kept harvest; one that is missing or unreadable has no claims."""
    return KeptClaims(CANDIDATES, _read(path))


def _read(path: Path) -> list[Claim]:
    try:
        whole = parse_json(read_inside(path.parent, path.name, BYTES).decode())
    except (NotFoundError, InputError, UnicodeDecodeError):
        return []
    if not isinstance(whole, dict) or (whole.get("format"), whole.get("version")) != (
        FORMAT,
        VERSION,
    ):
        return []
    listed = whole.get("candidates")
    return [claim for each in listed if (claim := _claim(each))] if isinstance(listed, list) else []


def _claim(value: object) -> Claim | None:
    texts = {name: value.get(name) for name in _TEXTS} if isinstance(value, dict) else {}
    match texts:
        case {
            "id": str(id_),
            "what": str(what),
            "verdict": "rejected" | "decided" | "lesson" as verdict,
            "why": str(why),
            "evidence": str(evidence),
            "scope": str(scope),
        }:
            return Claim(
                id=id_,
                what=what,
                verdict=verdict,
                why=why,
                evidence=evidence,
                scope=scope,
                source="harvest",
                standing="candidate",
            )
        case _:
            return None

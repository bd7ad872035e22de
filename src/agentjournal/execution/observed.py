"""Facts of the world that a read may use: passed in, never looked up, None where nobody looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NOTHING_OBSERVED", "Observed"]


@dataclass(frozen=True, kw_only=True)
class Observed:
    """What the caller saw of the world; the same data and the same facts give the same bytes.

    `now` stays None outside of tests: a read then takes the database's clock, in its own snapshot.
    `lock_versions` maps a library, as `lockfile.library_name` spells it, to its locked version;
    `blobs` each path of the working tree to the hash of its content; `plan_sha256` is that of the
    plan's file as it lies on disk.
    """

    now: str | None = None
    commit: str | None = None
    lock_versions: Mapping[str, str] | None = None
    blobs: Mapping[str, str] | None = None
    plan_sha256: str | None = None

    @property
    def data(self) -> dict[str, object]:
        """Say which facts there were, for a reading program."""
        return {
            "commit": self.commit,
            "plan_sha256": self.plan_sha256,
            "lock_versions": self.lock_versions is not None,
            "working_tree": self.blobs is not None,
        }


NOTHING_OBSERVED = Observed()

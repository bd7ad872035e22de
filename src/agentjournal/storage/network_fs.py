"""Whether a path lies on a file system whose locks and shared memory cannot be relied on."""

from __future__ import annotations

from pathlib import Path

__all__ = ["network_type"]

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph", "afs", "fuse", "fuseblk"}
_ESCAPES = {r"\040": " ", r"\011": "\t", r"\012": "\n", r"\134": "\\"}


def network_type(path: Path, mounts: Path | None = None) -> str | None:
    """Name the network file system that the absolute path lies on, if any (Linux only)."""
    mounts = mounts or _MOUNTS
    if not mounts.exists():
        return None
    kind, depth = "", 0
    for line in mounts.read_text().splitlines():
        _, point, found, *_ = line.split(" ")
        folder = Path(_unescaped(point))
        if len(folder.parts) >= depth and path.is_relative_to(folder):
            kind, depth = found, len(folder.parts)
    return kind if kind in _NETWORK or kind.startswith("fuse.") else None


def _unescaped(point: str) -> str:
    for escape, character in _ESCAPES.items():
        point = point.replace(escape, character)
    return point

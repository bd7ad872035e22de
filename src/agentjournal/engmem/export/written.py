"""The file that a preview showed, written once, outside the store."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agentjournal.errors import InputError
from agentjournal.system.files import store_error, sync_file

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.export.preview import Preview

__all__ = ["write_export"]


def write_export(preview: Preview, root: Path, target: Path, confirm: str) -> str:
    """Write the previewed bytes to a new file and say so; `target` is absolute.

    Raises:
        InputError: the fingerprint is another one, the folder is missing or in the store, or
            something is there already.
        StoreUnavailableError: it cannot be written; nothing is left of it.
    """
    if confirm != preview.fingerprint:
        raise InputError(
            f"The export is not the one previewed as {confirm!r}: the document or the store has"
            " changed, or the fingerprint is mistyped.",
            next=f"Look again: engmem export {preview.found.header.id}",
        )
    folder = target.parent.resolve()
    if not folder.is_dir():
        raise InputError(
            f"{target.parent} is no folder: none is made.", next="Name one that exists."
        )
    if folder.is_relative_to(root.resolve()):
        raise InputError(
            f"{target} is inside the store {root}: an export is for somebody else.",
            next="Name a file outside.",
        )
    path = folder / target.name
    _write_new(path, preview.data)
    return (
        f"engmem export: wrote {path} ({len(preview.data)} bytes, fingerprint {preview.fingerprint})"
        " -- the file the preview showed; the store is unchanged"
    )


def _write_new(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o644)
    except FileExistsError as error:
        raise InputError(
            f"{path} already exists: no file is replaced.", next="Name a new one."
        ) from error
    except OSError as error:
        raise store_error(error, path) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            sync_file(descriptor)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise store_error(error, path) from error

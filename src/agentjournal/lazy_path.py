"""Paths for what a search on the command line loads: `pathlib` takes a tenth of its time."""

from __future__ import annotations

import os

from agentjournal.typed import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["lazy_path"]


def lazy_path(text: str) -> Path:
    """Give a path that loads `pathlib` once it is asked for more than its name and what is below.

    One that is not absolute loads it at once.

    >>> file = lazy_path("/store") / "sessions"
    >>> str(file), file.name, file.parent
    ('/store/sessions', 'sessions', PosixPath('/store'))
    """
    return cast("Path", _LazyPath(text)) if text.startswith("/") else _path(text)


class _LazyPath:
    """A path that is a `Path` to whoever asks more of it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        is_plain = "//" not in text and "/./" not in text and not text.endswith(("/", "/."))
        self._text = text if is_plain else str(_path(text))

    def __str__(self) -> str:
        return self._text

    __fspath__ = __str__

    def __repr__(self) -> str:
        return repr(_path(self._text))

    def __reduce__(self) -> tuple[object, ...]:
        return lazy_path, (
            self._text,
        )  # made field by field, a copy would ask for `_text` for ever

    def __hash__(self) -> int:
        return hash(_path(self._text))

    def __eq__(self, other: object) -> bool:
        return bool(
            _path(self._text) == (_path(str(other)) if isinstance(other, _LazyPath) else other)
        )

    def __truediv__(self, below: str) -> _LazyPath:
        return _LazyPath(os.path.join(self._text, below))  # noqa: PTH118 - it stands for a Path

    @property
    def name(self) -> str:
        return os.path.basename(self._text)  # noqa: PTH119 - as above

    def __getattr__(self, name: str) -> object:
        return getattr(_path(self._text), name)


def _path(text: str) -> Path:
    from pathlib import Path

    return Path(text)

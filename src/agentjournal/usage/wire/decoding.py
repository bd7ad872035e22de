"""Undoes a body's content encoding, chunk by chunk, for our own look at it."""

from __future__ import annotations

import zlib
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Unreadable", "decoder_of"]

_PIECE = 1 << 20
_SIP = 64  # bytes of zstd at once: so few are 16 blocks at most, and unpack to 2 MiB


class Unreadable(Exception):  # noqa: N818 - it never leaves this package
    """A body whose encoding we cannot undo: its call counts as unmeasured."""


class Decoder(Protocol):
    """Gives the plain bytes of the next chunk, in pieces of bounded size."""

    def __call__(self, chunk: bytes, /) -> Iterator[bytes]:
        """Decode one chunk."""
        ...


def decoder_of(encoding: str) -> Decoder:
    """Give what undoes this `Content-Encoding`.

    Raises:
        Unreadable: it is none that we know, or the package for it is not installed.
    """
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return _plain
    if name in {"gzip", "x-gzip", "deflate"}:
        return _Inflating()
    if name in _FOREIGN:
        return _FOREIGN[name]()
    raise Unreadable(name)


def _plain(chunk: bytes) -> Iterator[bytes]:
    yield chunk


class _Inflating:
    """Reads gzip and zlib by their headers, and deflate without one."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._is_fresh = True

    def __call__(self, chunk: bytes) -> Iterator[bytes]:
        rest = chunk
        while rest and not self._inflate.eof:  # what stands behind the end is nobody's
            try:
                yield self._inflate.decompress(rest, _PIECE)
            except zlib.error as error:
                if not self._is_fresh:
                    raise Unreadable(str(error)) from error
                self._inflate, self._is_fresh = zlib.decompressobj(-zlib.MAX_WBITS), False
                continue
            self._is_fresh = False
            rest = self._inflate.unconsumed_tail


def _brotli() -> Decoder:
    """Use the package that the client itself needs; one that cannot be given a limit is not used."""
    for module in ("brotli", "brotlicffi"):
        try:
            made = import_module(module).Decompressor()
        except ImportError:
            continue
        if hasattr(made, "can_accept_more_data"):  # since 1.2, with the limit
            return _limited(made)
    raise Unreadable("brotli 1.2 or brotlicffi 1.2")


def _limited(decompressor: Any) -> Decoder:  # noqa: ANN401 - of a foreign package
    def pieces(chunk: bytes) -> Iterator[bytes]:
        yield decompressor.process(chunk, output_buffer_limit=_PIECE)
        while not decompressor.can_accept_more_data():
            yield decompressor.process(b"", output_buffer_limit=_PIECE)

    return pieces


def _zstd() -> Decoder:
    """Use the package that the client itself needs; it knows no limit, so it gets little at once."""
    try:
        decode = import_module("zstandard").ZstdDecompressor().decompressobj().decompress
    except ImportError as error:
        raise Unreadable("zstandard") from error

    def pieces(chunk: bytes) -> Iterator[bytes]:
        piece = bytearray()
        for at in range(0, len(chunk), _SIP):
            piece += decode(chunk[at : at + _SIP])
            if len(piece) >= _PIECE:
                yield bytes(piece)
                piece.clear()
        yield bytes(piece)

    return pieces


_FOREIGN = {"br": _brotli, "zstd": _zstd}

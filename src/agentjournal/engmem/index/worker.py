"""A program that reads files for the index of another one, until nobody asks any more.

It is asked on standard input and answers on standard output, both pipes, and writes nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from agentjournal.engmem.index.frames import receive, send
from agentjournal.engmem.index.reading import Reader
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import IO

__all__ = ["main", "serve"]


def serve(root: Path, asked: IO[bytes], answers: IO[bytes]) -> None:
    """Answer each list of files, with what is known of them, by the list of what they hold."""
    reader = Reader(root, is_posting=True)
    while (files := receive(asked)) is not None:
        found = [reader(file, known) for file, known in files]  # type: ignore[attr-defined]  # `Readers` asks so
        send(answers, [(signature, tuple(entry), *rest) for signature, entry, *rest in found])


def main() -> None:
    """Read the files of the store that is named as the only argument."""
    serve(Path(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()

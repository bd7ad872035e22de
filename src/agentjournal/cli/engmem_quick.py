"""The program `engmem`: answers a plain search by itself, and leaves all else to the commands.

An agent searches before every plan. What parses and documents commands costs more than such a
search, so a command line of the usual options is read in `engmem_plain`; whatever is unusual, and
every failure, is read and told by the commands, which give the same answer.
"""

from __future__ import annotations

import gc
import os
import sys

__all__ = ["main"]

INTERRUPTED = 130


def main() -> None:
    """Run `engmem` and leave with its exit code."""
    gc.disable()  # a search ends before anything is worth collecting
    args = sys.argv[1:]
    if args[:1] != ["search"] or "_ENGMEM_COMPLETE" in os.environ or not _is_answered(args):
        gc.enable()
        from agentjournal.cli.engmem import main as commands

        commands()
    os._exit(0)  # all is written: taking the interpreter down would cost as much as the search


def _is_answered(args: list[str]) -> bool:
    try:
        from agentjournal.cli.engmem_plain import answered

        return answered(args)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        return True  # the reader left: nothing is lost


if __name__ == "__main__":
    main()

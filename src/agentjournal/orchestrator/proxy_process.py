"""Starts the proxy that measures a loop's workers: a process of its own, which ends with ours."""

from __future__ import annotations

import contextlib
import json
import subprocess
from typing import IO, TYPE_CHECKING, cast

from agentjournal.errors import ForeignProgramError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["running_proxy"]

_GOODBYE_SECONDS = 15


@contextlib.contextmanager
def running_proxy(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[str]:
    """Run the command for a block and give the URL under which it listens.

    It says so in one line of JSON. It ends when its standard input closes: the kernel sees to that,
    however we end. What it has to tell goes to our standard error.

    Raises:
        ForeignProgramError: it does not come up.
    """
    with subprocess.Popen(  # noqa: S603 - our own command, never a shell
        list(command),
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield _url(cast("IO[bytes]", process.stdout).readline())
        finally:
            cast("IO[bytes]", process.stdin).close()
            try:
                process.wait(_GOODBYE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _url(line: bytes) -> str:
    try:
        said = json.loads(line)
    except ValueError:
        said = {}
    if "data" in said:
        return str(said["data"]["url"])
    error = said.get("error", {})
    raise ForeignProgramError(
        f"The proxy did not start: {error.get('message', 'it said nothing')}",
        next=error.get("next", "Run `agentjournal proxy` by hand to see why."),
    )

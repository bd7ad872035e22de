"""A pytest plugin: holds the prompts that a consumer assembles to the contract of prefix caches."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import PrefixBroken
from agentjournal.journal.prefix import check_prefix_extension
from agentjournal.journal.volatile import scan_volatile as scan

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.journal.prefix import Prefixed

__all__ = ["PrefixContract", "prefix_contract", "scan_volatile"]


class PrefixContract:
    """Call it with each prompt, in the order of their sending; the first that rewrites fails.

    A prompt is a text, bytes, a `Prompt`, a brief, or a request body as sent: of the latter ones
    what stands above the boundary counts. A turn that adds nothing is fine.
    """

    def __init__(self) -> None:
        self.consolidations = 0
        self.prompts = 0
        self._earlier: Prefixed | None = None

    def __call__(self, prompt: Prefixed) -> None:
        """Assert that this prompt equals or extends the one before.

        Raises:
            PrefixBroken: it does not; says where, by block, turn or JSON path.
        """
        __tracebackhide__ = True
        earlier, self.prompts = self._earlier, self.prompts + 1
        # A body that its owner goes on filling would otherwise always equal itself.
        self._earlier = deepcopy(prompt) if isinstance(prompt, Mapping) else prompt
        if earlier is not None:
            _check(earlier, self._earlier)

    def consolidated(self) -> None:
        """Announce that the next prompt begins anew; count how often."""
        self.consolidations += 1
        self._earlier = None


@pytest.fixture
def prefix_contract() -> PrefixContract:
    """Hold a life's prompts to the contract: `prefix_contract(prompt)` for each, in order."""
    return PrefixContract()


@pytest.fixture
def scan_volatile() -> Callable[..., object]:
    """Find what should not stand above a boundary; assert that it finds nothing in a preamble."""
    return scan


def _check(earlier: Prefixed, later: Prefixed) -> None:
    __tracebackhide__ = True
    try:
        check_prefix_extension(earlier, later)
    except PrefixBroken as error:
        if not error.cache_safe:
            raise error.with_traceback(None) from None  # the failure stands at the caller's line

"""Asking a store and printing the answer, for whoever has read the command line."""

from __future__ import annotations

from agentjournal.compose.asking import ask
from agentjournal.engmem.answer.warned import warnings
from agentjournal.frozen import replace
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.cli.output import Output
    from agentjournal.engmem.answer.request import Occasion, SearchRequest
    from agentjournal.engmem.index.store_index import StoreIndex

__all__ = ["searched"]


def searched(index: StoreIndex, request: SearchRequest, when: Occasion, output: Output) -> None:
    """Search, record that, and print: warnings to stderr, the answer to stdout."""

    def shown(text: str, data: object) -> str:
        return output.shown(text.removesuffix("\n"), data) + "\n"

    answer = ask(index, request, replace(when, shown=shown))
    for line in warnings(index, when.root, [hit.header for hit in answer.hits]):
        output.note(line)
    output.result(answer.text.removesuffix("\n"), answer.data)

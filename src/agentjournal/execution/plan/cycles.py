"""Find tasks that would wait for themselves."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agentjournal.execution.plan.order import Ordered

    Node = str | tuple[str, str]  # a task or container; what stands before a container's children
    Edges = Mapping[Node, Sequence[Node]]

__all__ = ["find_cycles"]

_ROOT = ""  # no task's id; leads to every node


def find_cycles(tasks: Sequence[Ordered]) -> list[list[str]]:
    """Give one circle for each knot of tasks that depend on one another, in the plan's order.

    A container depends on its required children, and they on what it depends on. The order of the
    plan closes no circle (`order.waits`).
    """
    edges: dict[Node, list[Node]] = {task.id: [] for task in tasks}
    optional = {task.id for task in tasks if task.is_optional}
    for task in tasks:
        node: Node = ("before", task.id) if task.is_container else task.id
        edges.setdefault(node, []).extend(name for name in task.depends if name in edges)
        if task.parent in edges:
            edges[node].append(("before", task.parent))
            edges[task.parent].extend(() if task.id in optional else (task.id,))
    places = {name: place for place, name in enumerate(edges)}
    circles = [_circle(edges, knot, places) for knot in _knots(edges)]
    return sorted(circles, key=lambda circle: places[circle[0]])


def _circle(edges: Edges, knot: Sequence[Node], places: Mapping[Node, int]) -> list[str]:
    """Give the shortest way from the first task of the knot back to it."""
    inside = set(knot)
    start = min((node for node in knot if isinstance(node, str)), key=places.__getitem__)
    came: dict[Node, Node] = {}
    queue: deque[Node] = deque([start])
    while start not in came:
        node = queue.popleft()
        for other in edges.get(node, ()):
            if other in inside and other not in came:
                came[other] = node
                queue.append(other)
    way: list[Node] = [came[start]]
    while way[-1] != start:
        way.append(came[way[-1]])
    return [node for node in reversed(way) if isinstance(node, str)]


def _knots(edges: Edges) -> Iterator[Sequence[Node]]:
    """Give the strongly connected parts that hold a circle (Tarjan's way, without recursion)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    work: list[tuple[Node, Iterator[Node]]] = [(_ROOT, iter(edges))]
    while work:
        node, others = work[-1]
        if node not in index:
            index[node] = low[node] = len(index)
            path.append(node)
            on_path.add(node)
        deeper = next((other for other in others if other not in index or other in on_path), None)
        if deeper is not None and deeper not in index:
            work.append((deeper, iter(edges.get(deeper, ()))))
        elif deeper is not None:
            low[node] = min(low[node], index[deeper])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                knot = _cut_off(path, node)
                on_path.difference_update(knot)
                if len(knot) > 1 or node in edges.get(node, ()):
                    yield knot


def _cut_off(path: list[Node], node: Node) -> Sequence[Node]:
    """Take the end of the path, from the node on."""
    knot = [path.pop()]
    while knot[-1] != node:
        knot.append(path.pop())
    return knot

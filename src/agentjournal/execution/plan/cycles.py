"""Find tasks that would wait for themselves, by their dependencies or by their order."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from agentjournal.execution.plan.order import WHOLE, ranks_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from agentjournal.execution.plan.order import Ordered, Place

    Node = str | Place | tuple[str, str]  # a task; a rank or section; the gate of a container
    Edges = Mapping[Node, Sequence[Node]]

__all__ = ["find_cycles", "find_order_cycles"]

_ROOT = ""  # no task's id; leads to every node


def find_cycles(tasks: Sequence[Ordered]) -> list[list[str]]:
    """Give one circle for each knot of explicit dependencies, in the plan's order."""
    known = {task.id for task in tasks}
    edges: dict[Node, list[Node]] = {}
    for task in tasks:
        edges[task.id] = [name for name in task.depends if name in known]
    return _circles(edges)


def find_order_cycles(tasks: Sequence[Ordered]) -> list[list[str]]:
    """Give one circle for each knot that closes through the order of the plan.

    `T2 depends on T3`, and T3, which stands behind T2 and has no dependency of its own, waits for
    T2: neither could ever start.
    """
    return _circles(_waiting(tasks))


def _circles(edges: Edges) -> list[list[str]]:
    places = {node: place for place, node in enumerate(edges)}
    found = []
    for knot in _knots(edges):
        first = min((node for node in knot if isinstance(node, str)), key=places.__getitem__)
        circle = _circle(edges, frozenset(knot), first)
        found.append([node for node in circle if isinstance(node, str)])
    return sorted(found, key=lambda circle: places[circle[0]])


def _waiting(tasks: Sequence[Ordered]) -> Edges:
    """Draw who waits for whom, with a node for each rank, section and gate: linear in size."""
    by_id = {task.id: task for task in tasks}
    edges: dict[Node, list[Node]] = {task.id: [] for task in tasks}
    held: set[Place] = set()
    for task in tasks:
        if not (task.is_optional or task.is_container):
            place = (task.section_place, task.rank)
            if place not in held:
                edges.setdefault((task.section_place, WHOLE), []).append(place)
            held.add(place)
            edges.setdefault(place, []).append(task.id)
    before = ranks_before({(task.section_place, task.rank) for task in tasks}, held)
    for task in tasks:
        needs: list[Node] = [n for n in task.depends if n in by_id and not by_id[n].is_optional]
        place_before = before[task.section_place, task.rank]
        if not task.depends and place_before and not task.is_container:
            needs = [place_before]
        waiting: Node = ("gate", task.id) if task.is_container else task.id
        edges.setdefault(waiting, []).extend(needs)
        if task.parent in by_id:
            edges[waiting].append(("gate", task.parent))
            if not task.is_optional:
                edges[task.parent].append(task.id)
    return edges


def _circle(edges: Edges, inside: AbstractSet[Node], start: Node) -> Sequence[Node]:
    """Give the shortest way from a task back to it."""
    came: dict[Node, Node] = {}
    queue: deque[Node] = deque([start])
    while start not in came:
        node = queue.popleft()
        for other in edges.get(node, ()):
            if other in inside and other not in came:
                came[other] = node
                queue.append(other)
    way = [start]
    while (node := came[way[-1]]) != start:
        way.append(node)
    return [start, *reversed(way[1:])]


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

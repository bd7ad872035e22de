"""Frozen values whose classes cost nothing to make: for what a search on the command line loads.

`dataclasses` writes and compiles code for each class, half a millisecond, and loads `inspect` for
it: together more than half of what such a search may cost. This reads the same annotations and
sets the fields in one loop; type checkers take it for a dataclass.
"""

from __future__ import annotations

from agentjournal.typed import TYPE_CHECKING, dataclass_transform, overload

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

__all__ = ["frozen", "replace"]


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True)
def frozen(
    cls: type[T] | None = None,
    /,
    *,
    kw_only: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class of the fields that it annotates: equal by value, and never changed.

    >>> @frozen
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), replace(Point(1), y=2) == Point(1, 2)
    (Point(x=1, y=0), True)
    """

    def made(cls: type[T]) -> type[T]:
        inherited = (vars(each).get("__annotations__", {}) for each in reversed(cls.__mro__))
        names = tuple(dict.fromkeys(name for each in inherited for name in each))
        return _equipped(cls, names, () if kw_only else names)

    return made if cls is None else made(cls)


def replace(value: T, **changes: object) -> T:
    """Give the same value with other fields."""
    return type(value)(**{**{name: getattr(value, name) for name in _names(value)}, **changes})


def _names(value: object) -> tuple[str, ...]:
    names: tuple[str, ...] = type(value).__fields__  # type: ignore[attr-defined]  # set by `_equipped`
    return names


def _equipped(cls: type[T], names: tuple[str, ...], positional: tuple[str, ...]) -> type[T]:
    wanted = frozenset(names)
    defaults = {name: getattr(cls, name) for name in names if hasattr(cls, name)}

    def init(self: object, /, *args: object, **kwargs: object) -> None:
        held = self.__dict__
        if len(kwargs) < len(wanted):  # most values are made of all their fields
            held.update(defaults)
            held.update(zip(positional, args, strict=False))
        held.update(kwargs)
        if held.keys() != wanted or len(args) > len(positional):
            raise TypeError(_misfit(cls, names, held))

    special = {"__init__": init, "__fields__": names, "__match_args__": positional}
    for name, value in (special | _METHODS).items():
        if name not in vars(cls):
            setattr(cls, name, value)
    return cls


def _misfit(cls: type, names: tuple[str, ...], given: dict[str, object]) -> str:
    missing = [name for name in names if name not in given]
    unknown = [name for name in given if name not in names]
    return f"{cls.__name__}: missing {missing}, unknown {unknown}, or too many values"


def _eq(self: object, other: object) -> object:
    if type(other) is not type(self):
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in _names(self))


def _hash(self: object) -> int:
    return hash((type(self), *(getattr(self, name) for name in _names(self))))


def _repr(self: object) -> str:
    told = ", ".join(f"{name}={getattr(self, name)!r}" for name in _names(self))
    return f"{type(self).__name__}({told})"


def _refuse(self: object, name: str, *_: object) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} is fixed: make another with replace()")


_METHODS: dict[str, Any] = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
}

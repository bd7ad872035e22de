"""What a search on the command line needs of `typing`, which takes a tenth of its time to load.

Type checkers read these as the names of `typing`. Modules on the path of a search import them from
here, and everything else that `typing` has only under `if TYPE_CHECKING`.
"""

from __future__ import annotations

from collections import namedtuple

__all__ = ["TYPE_CHECKING", "NamedTuple", "NewType", "cast", "dataclass_transform", "overload"]

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NamedTuple, NewType, cast, dataclass_transform, overload
else:

    class _Maker(type):
        """Makes a named tuple of what a class annotates, and gives it the rest of its body."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body["__annotations__"])
            made = namedtuple(  # noqa: PYI024 - this is what makes those of `typing`
                name, fields, defaults=[body[each] for each in fields if each in body]
            )
            for key, value in body.items():
                if key not in fields:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """Make a class below this one a tuple whose values have names."""

    def NewType(_name, held):  # noqa: N802 - its name in `typing`
        """Let values be of the type that holds them."""
        return held

    def cast(_type, value):
        """Give the value as it is."""
        return value

    def overload(function):
        """Leave the function as it is."""
        return function

    def dataclass_transform(**_):
        """Leave the function as it is."""
        return overload

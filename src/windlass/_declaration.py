"""What declarations are checked for where they are made: names, parameters and annotations.

Each check answers whether something is a mistake for certain. What cannot be known counts as right, such as
an annotation with a name that is imported for type checkers alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable
from datetime import timedelta
from functools import partial
from types import FunctionType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

if TYPE_CHECKING:
    from collections.abc import Iterable

UNKNOWN: Any = object()
"""An annotation that is absent, or cannot be resolved."""


def hint(name: str, names: Iterable[str]) -> str:
    """Return which name to write instead of one that does not exist, as a part of a message."""
    from difflib import get_close_matches  # only for those who err

    known = sorted(names)
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


def check_words(owner: str, name: str, words: object, example: str) -> None:
    """See that an option is a tuple of texts.

    Raises:
        TypeError: it is not, such as a text alone, which Python takes for a sequence of letters.
    """
    if not isinstance(words, tuple | list) or not all(isinstance(each, str) for each in words):
        raise TypeError(
            f"{owner}: {name} is {words!r}, which is no tuple of texts: write {name}=({example!r},)"
        )


def check_choice(owner: str, name: str, value: object, known: tuple[str, ...]) -> None:
    """See that an option is one of a few texts.

    Raises:
        ValueError: it is another one.
    """
    if value not in known:
        raise ValueError(f"{owner}: {name} is {value!r}; {hint(str(value), known)}")


def check_counts(owner: str, options: object, *names: str) -> None:
    """See that options are whole numbers.

    Raises:
        TypeError: one is not.
    """
    for name in names:
        value = getattr(options, name)
        if not isinstance(value, int):
            raise TypeError(f"{owner}: {name} is {value!r}: write a number, as in {name}=10")


def check_durations(owner: str, options: object, *names: str) -> None:
    """See that options are durations.

    Raises:
        TypeError: one is not.
    """
    for name in names:
        value = getattr(options, name)
        if not isinstance(value, timedelta):
            seconds = value if isinstance(value, int | float) else 10
            raise TypeError(f"{owner}: {name} is {value!r}: write {name}=timedelta(seconds={seconds})")


def takes(function: object, count: int) -> bool:
    """Whether a function can be called with so many positional arguments.

    That of a class is taken for a method, which has `self` besides unless it is a `staticmethod`.
    """
    try:
        signature = inspect.signature(function)  # type: ignore[arg-type] # raises for what is not callable
        signature.bind(*[None] * count)
    except ValueError:  # written in C, without a signature
        return True
    except TypeError:
        return not callable(function)
    return True


def method_takes(method: object, count: int) -> bool:
    """Whether a method, as it stands in the namespace of its class, takes so many arguments beside `self`."""
    if isinstance(method, staticmethod):
        return takes(method.__func__, count)
    if isinstance(method, classmethod):
        return takes(method.__func__, count + 1)
    return takes(method, count + isinstance(method, FunctionType))


def is_sync(name: str, method: object) -> bool:
    """Whether the result of a method can surely not be awaited: a plain `def`, or a generator.

    One that only passes on what an `async def` returns says so by its return annotation.
    """
    inner = innermost(method)
    if inspect.isgeneratorfunction(inner) or inspect.isasyncgenfunction(inner):
        return True
    if inspect.iscoroutinefunction(inner) or not isinstance(inner, FunctionType) or inner.__name__ != name:
        return False
    said = _annotations(inner).get("return")
    returned = annotation(inner, "return")
    if returned is UNKNOWN:
        return said is None or str(said).startswith("Result")
    return not any(_may_be(each, Awaitable) for each in branches(returned))


def innermost(function: object) -> object:
    """Return what is below `staticmethod`, `partial` and decorators that use `functools.wraps`."""
    while True:
        if isinstance(function, staticmethod | classmethod):
            function = function.__func__
        elif isinstance(function, partial):
            function = function.func
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        else:
            return function


def annotation(function: object, name: str) -> Any:
    """Return the type that a parameter, or `return`, is annotated with, or `UNKNOWN`."""
    said = _annotations(function).get(name, UNKNOWN)
    if not isinstance(said, str):
        return said
    try:
        return eval(said, getattr(function, "__globals__", {}))  # noqa: S307 - the function's own annotation
    except (NameError, AttributeError, TypeError, SyntaxError, ImportError):
        return UNKNOWN


def parameter(function: object, position: int) -> Any:
    """Return the type that a positional parameter is annotated with, or `UNKNOWN`."""
    code = getattr(function, "__code__", None)
    if code is None or position >= code.co_argcount:
        return UNKNOWN
    return annotation(function, code.co_varnames[position])


def branches(said: Any) -> tuple[Any, ...]:
    """Return the branches of a union; of another annotation, itself."""
    return get_args(said) if get_origin(said) in (Union, UnionType) else (said,)


def returns_another(function: object, *wanted: type) -> bool:
    """Whether what a function is annotated to return is surely of none of these classes."""
    returned = annotation(function, "return")
    return returned is not UNKNOWN and not all(
        any(_may_be(each, one) for one in wanted) for each in branches(returned)
    )


def _may_be(said: Any, wanted: type) -> bool:
    """Whether a value that is annotated like this can be of a class."""
    if said is None or said is type(None):
        return False
    if said is Any:  # a class since Python 3.11
        return True
    origin = get_origin(said) or said
    try:
        return not isinstance(origin, type) or issubclass(origin, wanted) or issubclass(wanted, origin)
    except TypeError:  # a Protocol that is not for `issubclass`
        return True


def _annotations(function: object) -> dict[str, Any]:
    try:
        return getattr(function, "__annotations__", None) or {}
    except NameError:  # they are evaluated when they are read since Python 3.14
        return {}

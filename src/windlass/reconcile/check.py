"""Mistakes in what a reconciler declares, each with the line to write instead."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass._declaration import takes
from windlass.api import Resource

if TYPE_CHECKING:
    from collections.abc import Callable

SOONEST = timedelta(milliseconds=100)
"""How soon something may be asked for again and again: a remainder that rounds to nothing must not spin."""


def check_sequence(owner: object, attribute: str, fits: Callable[[Any], bool], example: str) -> None:
    """See that an attribute of a class, or of an instance, is a tuple of what belongs there.

    Raises:
        TypeError: it is not; the message has the line to write.
    """
    value, name = getattr(owner, attribute), class_name(owner)
    if not isinstance(value, tuple | list):
        raise TypeError(
            f"{name}.{attribute} is not a tuple but {_named(value)}: "
            f"say {attribute} = ({example},), with the comma"
        )
    for each in value:
        if not fits(each):
            raise TypeError(
                f"{_named(each)} does not belong into {name}.{attribute}: say {attribute} = ({example},)"
            )


def check_kind(owner: str, kind: object) -> None:
    """See that something is a kind, as a class.

    Raises:
        TypeError: it is not.
    """
    if not is_kind(kind):
        raise TypeError(f"{owner}({_named(kind)}): say {owner}(Secret), with the class of a kind")


def check_function(where: str, function: object) -> None:
    """See that something is a function of one argument, or left out.

    Raises:
        TypeError: it is not.
    """
    if function is not None and not (callable(function) and takes(function, 1)):
        raise TypeError(
            f"{where} is {_named(function)}, which is no function of one object: write lambda app: …"
        )


def check_managers(owner: str, kind: type[Resource], managers: object) -> None:
    """See that something is a tuple of field managers.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(managers, tuple) or not all(isinstance(each, str) and each for each in managers):
        raise TypeError(f'{owner}({kind.__name__}, managers={managers!r}): say managers=("helm",)')


def check_period(owner: str, period: timedelta) -> None:
    """See that something that happens again and again lets others have their turn.

    Raises:
        ValueError: it does not.
    """
    if period < SOONEST:
        raise ValueError(f"{owner}({period}): the period has to be at least {SOONEST}, or nobody ever rests")


def class_name(owner: object) -> str:
    """The name of a class, or of that of an instance."""
    return owner.__name__ if isinstance(owner, type) else type(owner).__name__


def is_kind(value: object) -> bool:
    """Whether something is the class of a kind."""
    return isinstance(value, type) and issubclass(value, Resource) and hasattr(value, "__kind__")


def _named(value: object) -> str:
    return value.__name__ if isinstance(value, type) else repr(value)

"""Why an object cannot be converted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from windlass.controller import plain_message
from windlass.errors import ConversionError, UndecodableError
from windlass.schema import Fault

_LONGEST: Final = 1024
REFUSALS: Final = (ConversionError, UndecodableError, ValueError)
"""What a function raises to refuse an object, and what is raised where it does not fit a type."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The words for it, in one line; `causes` are the fields, where the exception has some.

    `is_fault`: the function failed by accident.
    """

    message: str
    causes: tuple[Fault, ...] = ()
    is_fault: bool = False

    @classmethod
    def of(cls, error: Exception) -> Refusal:
        """What an exception says; `ValueError(Fault.invalid("spec.size", 3, "must be even"))` has a cause."""
        if not isinstance(error, REFUSALS):
            return cls(_short(f"{type(error).__name__}: {error}"), is_fault=True)
        if isinstance(error, ValidationError):
            found = error.errors(include_url=False, include_context=False, include_input=False)
            said = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found)
            return cls(_short("; ".join(said)))
        causes = tuple(each for each in error.args if isinstance(each, Fault))
        message = ", ".join(map(str, causes)) if causes else str(error)
        return cls(_short(message or type(error).__name__), causes)


def _short(text: str) -> str:
    text = plain_message(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

"""Checks of what a request sets: each says what is wrong with a value, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.operators.pagerduty.simulator.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from windlass.api import Json

    Check = Callable[[Any], str | None]


def text(*, longest: int = 1024, blank: bool = True) -> Check:
    """A text, perhaps not an empty one."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return "must be a string"
        if not blank and not value.strip():
            return "can't be blank"
        return f"is too long (maximum is {longest} characters)" if len(value) > longest else None

    return check


def choice(*allowed: str | int) -> Check:
    """One of a few."""

    def check(value: Any) -> str | None:
        return None if value in allowed and not isinstance(value, bool) else "is not included in the list"

    return check


def whole(least: int, most: int | None = None) -> Check:
    """A whole number in a range."""

    def check(value: Any) -> str | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return "must be an integer"
        if value < least:
            return f"must be greater than or equal to {least}"
        return f"must be less than or equal to {most}" if most is not None and value > most else None

    return check


def flag(value: Any) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else "must be true or false"


def optional(check: Check) -> Check:
    """Null is as good."""
    return lambda value: None if value is None else check(value)


def items(check: Check) -> Check:
    """A list, and every item as it should be."""

    def check_all(value: Any) -> str | None:
        if not isinstance(value, list):
            return "must be an array"
        return next((wrong for item in value if (wrong := check(item)) is not None), None)

    return check_all


def shaped(rules: Mapping[str, Check], *required: str) -> Check:
    """An object whose fields are as they should be; others are ignored."""

    def check(value: Any) -> str | None:
        if not isinstance(value, dict):
            return "must be an object"
        wrong = faults(rules, value, required)
        return f"is invalid: {wrong[0]}" if wrong else None

    return check


def faults(rules: Mapping[str, Check], given: Json, required: Collection[str] = ()) -> list[str]:
    """Everything that is wrong, in the words that PagerDuty uses: `Name can't be blank`."""
    missing = [f"{_spoken(name)} can't be blank" for name in required if given.get(name) is None]
    wrong = [
        f"{_spoken(name)} {said}"
        for name, check in rules.items()
        if name in given
        and not (given[name] is None and name in required)
        and (said := check(given[name])) is not None
    ]
    return missing + wrong


def accepted(rules: Mapping[str, Check], given: Json, required: Collection[str] = ()) -> Json:
    """The fields that may be set, as they were given; what nobody knows or may set is ignored.

    Raises:
        Refusal: with everything that is wrong.
    """
    wrong = faults(rules, given, required)
    if wrong:
        raise Refusal.invalid(*wrong)
    return {name: given[name] for name in rules if name in given}


def _spoken(name: str) -> str:
    return name.replace("_", " ").capitalize()

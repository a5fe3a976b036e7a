"""Conditions that a request must meet before anybody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.apiserver.admission.policy.budget import OF_CONDITIONS, Budget, Inputs, OutOfBudget
from windlass.apiserver.admission.policy.inputs import inputs_of
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.apiserver.admission.policy.expression import Expression
    from windlass.apiserver.admission.review import Review


class Undecided(WindlassError):
    """Conditions of which none is false, but some have no value."""


def conditions_hold(conditions: Sequence[Expression], review: Review) -> bool:
    """Whether all conditions hold for a request.

    Raises:
        Undecided: that cannot be said.
    """
    return all_hold(conditions, Inputs(inputs_of(review)))


def all_hold(conditions: Iterable[Expression], inputs: Inputs) -> bool:
    """Whether all conditions hold: one that is false decides it, whatever is wrong with others.

    Raises:
        Undecided: that cannot be said.
    """
    budget, errors = Budget(OF_CONDITIONS), []
    try:
        found = [budget.evaluate(condition, inputs) for condition in conditions]
    except OutOfBudget as error:
        raise Undecided(str(error)) from error
    for each in found:
        if each.error:
            errors.append(each.error)
        elif each.value is False:
            return False
    if errors:
        raise Undecided(errors[0] if len(errors) == 1 else f"[{', '.join(dict.fromkeys(errors))}]")
    return True

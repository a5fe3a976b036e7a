"""The conditions under which a webhook wants to be asked."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.admission.policy import Expression
    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.admission.webhook.hook import Hook


def is_wanted(hook: Hook, review: Review) -> bool:
    """Whether every condition holds, which is so without any.

    Raises:
        Refusal: 403, one of them has no value, and the webhook must not be passed by.
    """
    return not hook.conditions or _hold(hook, review)


def _hold(hook: Hook, review: Review) -> bool:
    from windlass.apiserver.admission.policy import Undecided, conditions_hold

    try:
        return conditions_hold([_compiled(each["expression"]) for each in hook.conditions], review)
    except Undecided as undecided:
        if hook.ignores_failure:
            return False
        route = review.operation.route
        raise Refusal.forbidden(route.group, route.plural, review.name, str(undecided)) from undecided


@lru_cache(maxsize=256)
def _compiled(text: str) -> Expression:
    from windlass.apiserver.admission.policy import Expressions
    from windlass.schema.cel import BOOL

    return Expressions(params=False).compiled(text, (BOOL,))

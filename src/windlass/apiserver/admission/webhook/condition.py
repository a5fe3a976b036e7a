"""The conditions under which a webhook wants to be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.admission.webhook.hook import Hook


def is_wanted(hook: Hook, review: Review) -> bool:
    """Whether every condition holds, which is so without any.

    Raises:
        Refusal: 403, one of them has no value, and the webhook must not be passed by.
    """
    return not hook.conditions or _hold(hook, review)


def _hold(hook: Hook, review: Review) -> bool:
    raise NotImplementedError  # CEL

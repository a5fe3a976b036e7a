from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windlass.apiserver.admission.webhook.call import (
    CallFailed,
    HookCall,
    check_dry_run,
    failure_of,
    refusal_of,
)
from windlass.apiserver.admission.webhook.condition import is_wanted
from windlass.apiserver.admission.webhook.hook import hooks_of
from windlass.apiserver.patch import json_patched
from windlass.apiserver.refusal import Refusal
from windlass.schema import alike, copied

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.admission.webhook.hook import Hook
    from windlass.apiserver.store import Collection

Object = dict[str, Any]


def admit(review: Review, configurations: Collection, again: Callable[[], None]) -> None:
    """Let the webhooks that want to change an object do so, in place.

    If one of them does, the server's own admission sees the object `again`, and after it those of the
    webhooks that were asked before the last change and want to know of it.

    Raises:
        Refusal: one of them refuses, or cannot be asked.
        Unanswered: one of them is to be asked first.
    """
    hooks = hooks_of(configurations)
    first = _Round(review, 0)
    for hook in hooks:
        first.invite(hook)
    if not first.changed:
        return
    left = copied(review.obj)
    again()
    reinvoked = first.reinvoked
    if not alike(left, review.obj):
        reinvoked |= first.satisfied
    second = _Round(review, 1)
    for hook in hooks:
        if hook.uid in reinvoked:
            second.invite(hook)
        reinvoked |= second.reinvoked


class _Round:
    """One turn of all webhooks.

    `satisfied` are those that want to know of changes after theirs and have seen all of them, `reinvoked`
    those that have not.
    """

    def __init__(self, review: Review, number: int) -> None:
        self._review = review
        self._number = number
        self.changed = False
        self.satisfied: set[str] = set()
        self.reinvoked: set[str] = set()

    def invite(self, hook: Hook) -> None:
        """Ask a webhook, if it wants to be asked."""
        version = hook.match.version(self._review)
        if version is None:
            return
        seen = self._review.seen_in(version)
        if not is_wanted(hook, seen):
            return
        check_dry_run(hook, self._review)
        changed = self._asked(hook, seen)
        if changed:
            self.changed = True
            self.reinvoked |= self.satisfied
            self.satisfied = set()
        if hook.reinvoked:
            self.satisfied.add(hook.uid)

    def _asked(self, hook: Hook, seen: Review) -> bool:
        """What a webhook makes of an object: whether it has changed."""
        call = self._review.operation.call
        (verdict,) = call.answers.of(HookCall(hook, seen, mutating=True, turn=self._number))
        if isinstance(verdict, CallFailed):
            if hook.ignores_failure:
                return False
            raise failure_of(hook, verdict)
        for text in verdict.warnings:
            call.warn(text)
        if not verdict.allowed:
            raise refusal_of(hook, verdict)
        return bool(verdict.patch) and _patch(self._review, seen, hook, verdict.patch)


def _patch(review: Review, seen: Review, hook: Hook, patch: bytes) -> bool:
    """Change an object, in place, by the patch of a webhook that saw it in some version."""
    if seen.obj is None or review.obj is None:
        why = "attempted to modify the object, which is not supported for this operation"
        raise Refusal.internal(f'admission webhook "{hook.name}" {why}')
    operation = review.operation
    try:
        outcome = json_patched(copied(seen.obj), patch, checked=False)
        resource = seen.resource
        new = resource.traits.patched(resource, outcome, operation.call, "Ignore")
    except Refusal as refusal:
        raise Refusal.internal(refusal.message) from refusal
    if alike(new, seen.obj):
        return False
    back = replace(seen, obj=new, old=None).seen_in(review.version).obj
    assert back is not None  # noqa: S101 - for the type checker
    review.obj.clear()
    review.obj.update(back)
    return True

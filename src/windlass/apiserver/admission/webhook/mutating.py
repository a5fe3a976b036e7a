from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.admission.reinvocation import Audience
from windlass.apiserver.admission.reread import keep, reread, settle
from windlass.apiserver.admission.review import check_convertible
from windlass.apiserver.admission.webhook.call import (
    CallFailed,
    HookCall,
    check_dry_run,
    failure_of,
    refusal_of,
    seen_in,
    tell,
)
from windlass.apiserver.admission.webhook.condition import is_wanted
from windlass.apiserver.admission.webhook.hook import hooks_of
from windlass.apiserver.crd.form import CustomForm
from windlass.apiserver.number import settle_numbers
from windlass.apiserver.patch import Rejected, Unusable, carried_out, json_operations
from windlass.apiserver.refusal import Refusal
from windlass.schema import alike, copied

if TYPE_CHECKING:
    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.admission.webhook.call import Verdict
    from windlass.apiserver.admission.webhook.hook import Hook
    from windlass.apiserver.patch import Operations
    from windlass.apiserver.store import Collection

Object = dict[str, Any]

_JSON_PATCH: Final = "JSONPatch"
_MUTATION: Final = "mutation.webhook.admission.k8s.io/"


class Webhooks:
    """The webhooks that may change an object, in the turns that they have."""

    def __init__(self, review: Review, configurations: Collection) -> None:
        self._review = review
        self._hooks = hooks_of(configurations)
        self._audience = Audience(review)

    def __call__(self, turn: int) -> bool:
        """Ask those who want to change the object, which they do in place: whether one of them has.

        In a later turn, only those are asked who were asked before, and want to know of later changes.

        Raises:
            Refusal: one of them refuses, or cannot be asked.
            Unanswered: one of them is to be asked first.
        """
        self._audience.enter()
        changed = False
        for index, hook in enumerate(self._hooks):
            if not turn or self._audience.lags(hook.uid):
                changed |= self._invite(hook, index, turn)
        if changed:
            settle(self._review)
        self._audience.leave()
        return changed

    def _invite(self, hook: Hook, index: int, turn: int) -> bool:
        """Ask a webhook, which is one of several, if it wants to be asked: whether it changed the object."""
        version = hook.match.version(self._review)
        seen = None if version is None else seen_in(self._review, version, mutating=True)
        if seen is None or not is_wanted(hook, seen):
            return False
        place = f"round_{turn}_index_{index}"
        changed = False
        try:
            check_dry_run(hook, self._review)
            changed = self._asked(hook, _told(seen), turn, place)
        finally:
            mutated = {"configuration": hook.configuration, "webhook": hook.name, "mutated": changed}
            self._review.operation.call.annotate(f"{_MUTATION}{place}", orjson.dumps(mutated).decode())
        if changed:
            self._audience.outdate()
        if hook.reinvoked:
            self._audience.inform(hook.uid)
        return changed

    def _asked(self, hook: Hook, seen: Review, turn: int, place: str) -> bool:
        """What a webhook makes of an object: whether it has changed."""
        call = self._review.operation.call
        (verdict,) = call.answers.of(HookCall(hook, seen, mutating=True, turn=turn))
        try:
            if isinstance(verdict, CallFailed):
                raise verdict
            tell(self._review, hook, verdict)
            if not verdict.allowed:
                raise refusal_of(hook, verdict)
            return bool(verdict.patch) and _patch(self._review, seen, hook, verdict)
        except CallFailed as failed:
            if not hook.ignores_failure:
                raise failure_of(hook, failed) from failed
            self._review.operation.call.annotate(f"failed-open.{_MUTATION}{place}", hook.name)
            return False


def _told(seen: Review) -> Review:
    """A review as webhooks are told it: what was not decoded into a type is written as Go writes it."""
    if seen.obj is None or not isinstance(seen.resource.traits, CustomForm):
        return seen
    check_convertible(seen.obj, seen.kind)
    obj = {**copied(seen.obj), "kind": seen.kind.name, "apiVersion": seen.kind.api_version}
    settle_numbers(obj)
    return replace(seen, obj=obj)


def _patch(review: Review, seen: Review, hook: Hook, verdict: Verdict) -> bool:
    """Change an object, in place, by the patch of a webhook that saw it in some version.

    Raises:
        CallFailed: it is no patch.
        Refusal: it cannot be carried out, or leaves no object of the kind.
    """
    try:
        operations = json_operations(verdict.patch, checked=False)
    except Refusal as refusal:
        raise CallFailed(f"received undecodable patch in webhook response: {refusal.message}") from refusal
    if not operations:
        return False
    if seen.obj is None or review.obj is None:
        why = "attempted to modify the object, which is not supported for this operation"
        raise Refusal.internal(f'admission webhook "{hook.name}" {why}')
    if verdict.patch_type != _JSON_PATCH:
        raise CallFailed(f'unsupported patch type "{verdict.patch_type}"')
    new = _patched(seen, operations)
    if alike(new, seen.obj):
        return False
    keep(review, replace(seen, obj=new))
    return True


def _patched(seen: Review, operations: Operations) -> Object:
    """An object as operations leave it, with the defaults of its kind.

    Raises:
        Refusal: 500, they cannot be carried out, or leave no object of the kind.
    """
    assert seen.obj is not None  # noqa: S101 - for the type checker
    try:
        found = carried_out(copied(seen.obj), operations)
    except (Rejected, Unusable) as error:
        raise Refusal.internal(error.why) from error
    return reread(seen, found, "Ignore")

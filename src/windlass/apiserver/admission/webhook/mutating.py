from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.admission.webhook.call import (
    CallFailed,
    HookCall,
    check_dry_run,
    failure_of,
    refusal_of,
    tell,
)
from windlass.apiserver.admission.webhook.condition import is_wanted
from windlass.apiserver.admission.webhook.hook import hooks_of
from windlass.apiserver.patch import Patched, Rejected, Unusable, carried_out, json_operations
from windlass.apiserver.refusal import Refusal
from windlass.schema import alike, copied

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.admission.webhook.call import Verdict
    from windlass.apiserver.admission.webhook.hook import Hook
    from windlass.apiserver.patch import Operations
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Collection

Object = dict[str, Any]

_JSON_PATCH: Final = "JSONPatch"
_MUTATION: Final = "mutation.webhook.admission.k8s.io/"
_ANOTHER_KIND: Final = "converting ("


def admit(review: Review, configurations: Collection, again: Callable[[], None]) -> None:
    """Let the webhooks that want to change an object do so, in place.

    If one of them does, the server's own admission sees the object `again`, and after it those of the
    webhooks that were asked before the last change and want to know of it.

    Raises:
        Refusal: one of them refuses, or cannot be asked.
        Unanswered: one of them is to be asked first.
    """
    hooks = hooks_of(configurations)
    asking = _Asking(review)
    for index, hook in enumerate(hooks):
        asking.invite(hook, index)
    if not asking.changed:
        return
    left = copied(review.obj)
    again()
    if not alike(left, review.obj):
        asking.outdate()
    asking.turn = 1
    for index, hook in enumerate(hooks):
        if hook.uid in asking.outdated:
            asking.invite(hook, index)


class _Asking:
    """Both turns of the webhooks.

    `informed` are those that want to know of changes after theirs and have seen all of them, `outdated` those
    that have not.
    """

    def __init__(self, review: Review) -> None:
        self._review = review
        self.turn = 0
        self.changed = False
        self.informed: set[str] = set()
        self.outdated: set[str] = set()

    def invite(self, hook: Hook, index: int) -> None:
        """Ask a webhook, which is one of several, if it wants to be asked."""
        version = hook.match.version(self._review)
        seen = None if version is None else self._review.seen_in(version)
        if seen is None or not is_wanted(hook, seen):
            return
        place = f"round_{self.turn}_index_{index}"
        changed = False
        try:
            check_dry_run(hook, self._review)
            changed = self._asked(hook, seen, place)
        finally:
            mutated = {"configuration": hook.configuration, "webhook": hook.name, "mutated": changed}
            self._review.operation.call.annotate(f"{_MUTATION}{place}", orjson.dumps(mutated).decode())
        if changed:
            self.changed = True
            self.outdate()
        if hook.reinvoked:
            self.informed.add(hook.uid)

    def outdate(self) -> None:
        """The object is not any more what those have seen who want to know."""
        self.outdated |= self.informed
        self.informed = set()

    def _asked(self, hook: Hook, seen: Review, place: str) -> bool:
        """What a webhook makes of an object: whether it has changed."""
        call = self._review.operation.call
        (verdict,) = call.answers.of(HookCall(hook, seen, mutating=True, turn=self.turn))
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
    if seen is not review:
        back = replace(seen, obj=new, old=None).seen_in(review.version).obj
        assert back is not None  # noqa: S101 - for the type checker
        new = review.resource.traits.finished(review.resource, back)
    review.obj.clear()
    review.obj.update(new)
    return True


def _patched(seen: Review, operations: Operations) -> Object:
    """An object as operations leave it, with the defaults of its kind.

    Raises:
        Refusal: 500, they cannot be carried out, or leave no object of the kind.
    """
    assert seen.obj is not None  # noqa: S101 - for the type checker
    resource = seen.resource
    try:
        outcome = Patched(carried_out(copied(seen.obj), operations))
        if resource.custom:
            _check_version(outcome.document, resource)
            outcome.check_kind()
        new = resource.traits.patched(resource, outcome, seen.operation.call, "Ignore")
    except (Rejected, Unusable) as error:
        if error.why.startswith(_ANOTHER_KIND):
            raise Refusal(500, error.why, "") from error
        raise Refusal.internal(error.why) from error
    new.setdefault("metadata", {})
    return new


def _check_version(new: Object, resource: Resource) -> None:
    """Refuse a custom resource that does not say its version any more, or says one that there is not.

    Raises:
        Refusal: 500.
    """
    said, kind = new.get("apiVersion"), new.get("kind")
    if said in (None, "") and kind:
        wanted = f'"{resource.kind.api_version}"'
        why = f"/, Kind={kind} is unstructured and is not suitable for converting to {wanted}"
        raise Refusal(500, why, "")
    group, _, version = str(said).rpartition("/")
    if group == resource.kind.group and version not in (resource.kind.version, ""):
        raise Refusal(500, f"request to convert CR from an invalid group/version: {said}", "")

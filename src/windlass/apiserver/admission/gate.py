"""What every object passes on its way in, and some on their way out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Kind
    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.world import World

Object = dict[str, Any]

_RBAC: Final = "rbac.authorization.k8s.io"
_SECURITY: Final = "pod-security.kubernetes.io/"
"""How the labels begin by which a namespace names security standards."""
_RUNNING: Final = frozenset(
    {
        *("/pods", "/podtemplates", "/replicationcontrollers", "batch/cronjobs", "batch/jobs"),
        *("apps/daemonsets", "apps/deployments", "apps/replicasets", "apps/statefulsets"),
    }
)
"""Pods, and what makes them."""
_MUTATING: Final = "admissionregistration.k8s.io/mutatingwebhookconfigurations"
_VALIDATING: Final = "admissionregistration.k8s.io/validatingwebhookconfigurations"
_BINDINGS: Final = "admissionregistration.k8s.io/validatingadmissionpolicybindings"
_MUTATING_BINDINGS: Final = "admissionregistration.k8s.io/mutatingadmissionpolicybindings"
_IMMORTAL: Final = frozenset({"default", "kube-system", "kube-public"})


def mutate(operation: Operation, obj: Object, old: Object | None) -> None:
    """Add to an object what admission adds, and refuse what it refuses.

    Raises:
        Refusal: 403 or 404, or what a webhook says.
        Unanswered: somebody is to be asked first.
    """
    _mutate_alone(operation, obj, old)
    if operation.judge is None and _is_changed(operation.world):
        _invite(operation, obj, old)
    drop_repeated_owners(operation, obj, when=" after mutating admission happens")
    if operation.resource.kind.group == _RBAC:
        from windlass.apiserver.access.escalation import check_grant

        check_grant(operation, obj, old)


def validate(operation: Operation, obj: Object, old: Object | None) -> None:
    """Judge an object that is known to be valid and is about to be stored; others judge it too.

    Raises:
        Refusal: 403, its namespace does not allow it, or what a webhook says; 422, the labels of a namespace
            name no security standard.
        Unanswered: somebody is to be asked first.
    """
    if operation.judge is not None:
        operation.judge(obj, old)
        return
    if _is_secured(operation, obj):
        from windlass.apiserver import podsecurity

        podsecurity.hold(operation, obj, old)
    if _is_judged(operation.world):
        _judge(_review(operation, obj, old))


def _mutate_alone(operation: Operation, obj: Object, old: Object | None) -> None:
    """What the server's own admission does."""
    if old is None:
        _check_namespace(operation, obj)
    part = operation.route.subresource
    if part:
        operation.resource.traits.admit_part(part, obj, old, operation.world)
    else:
        operation.resource.traits.admit(obj, old, operation.world)


def _invite(operation: Operation, obj: Object, old: Object | None) -> None:
    """Let others change an object."""
    from windlass.apiserver.admission.match import is_exempt
    from windlass.apiserver.admission.owner import keep_owners
    from windlass.apiserver.admission.reread import drop_unknown, say_kind
    from windlass.apiserver.verb.identity import place

    def again() -> None:
        place(operation, obj)
        _mutate_alone(operation, obj, old)

    review = _review(operation, obj, old)
    if not is_exempt(review):
        before = obj["metadata"].get("managedFields")
        say_kind(review)
        _change(review, again)
        drop_unknown(review)
        keep_owners(operation.call, obj, before)
        place(operation, obj)


def _change(review: Review, again: Callable[[], None]) -> None:
    """Let policies, and after them webhooks, change an object in place."""
    from windlass.apiserver.admission.reinvocation import take_turns

    store = review.operation.world.store
    parties: list[Callable[[int], bool]] = []
    if store.collection(_MUTATING_BINDINGS):
        from windlass.apiserver.admission.policy import MutatingPolicies

        parties.append(MutatingPolicies(review))
    if hooks := store.collection(_MUTATING):
        from windlass.apiserver.admission.webhook import Webhooks

        parties.append(Webhooks(review, hooks))
    take_turns(parties, again)


def _review(operation: Operation, obj: Object, old: Object | None) -> Review:
    from windlass.apiserver.admission.review import Review

    return Review.of(operation, obj, old)


def _is_changed(world: World) -> bool:
    return bool(world.store.collection(_MUTATING) or world.store.collection(_MUTATING_BINDINGS))


def _is_judged(world: World) -> bool:
    return bool(world.store.collection(_VALIDATING) or world.store.collection(_BINDINGS))


def _judge(review: Review) -> None:
    """Let policies and webhooks judge an object."""
    from windlass.apiserver.admission.match import is_exempt

    if is_exempt(review):
        return
    store = review.operation.world.store
    if store.collection(_BINDINGS):
        from windlass.apiserver.admission import policy

        policy.validate(review)
    hooks = store.collection(_VALIDATING)
    if hooks:
        from windlass.apiserver.admission import webhook

        webhook.validate(review, hooks)


def charge(operation: Operation, obj: Object, old: Object | None, *, dry_run: bool) -> None:
    """Take what a valid write uses from the quotas of its namespace, if there are any.

    Raises:
        Refusal: 403, it would be too much.
    """
    if len(operation.world.store.collection("/resourcequotas")):
        from windlass.apiserver import quota

        quota.charge(operation, obj, old, dry_run=dry_run)


def drop_repeated_owners(operation: Operation, obj: Object, when: str = "") -> None:
    """Keep each owner once, and warn of those that came more often."""
    owners = obj["metadata"].get("ownerReferences")
    if not owners or len(owners) == 1:
        return
    kept: list[Object] = []
    repeated: list[str] = []
    for owner in owners:
        if owner in kept:
            repeated.append(owner["uid"])
        else:
            kept.append(owner)
    if repeated:
        obj["metadata"]["ownerReferences"] = kept
        operation.call.warn(
            f".metadata.ownerReferences contains duplicate entries{when}; API server dedups owner references "
            "in 1.20+, and may reject such requests as early as 1.24; please fix your requests; "
            f"duplicate UID(s) observed: {', '.join(repeated)}"
        )


def check_mortal(operation: Operation, name: str) -> None:
    """Refuse the deletion of what a cluster cannot be without.

    Raises:
        Refusal: 403.
    """
    kind = operation.resource.kind
    if kind.plural == "namespaces" and not kind.group and name in _IMMORTAL:
        raise Refusal.forbidden("", "namespaces", name, "this namespace may not be deleted")


def is_reviewed(operation: Operation) -> bool:
    """Whether anybody wants to see any request at all."""
    return _is_changed(operation.world) or _is_judged(operation.world)


def deleting(operation: Operation, old: Object, options: Object) -> None:
    """Let others judge the deletion of an object.

    Raises:
        Refusal: what a webhook says.
        Unanswered: somebody is to be asked first.
    """
    from windlass.apiserver.admission.review import Review

    _ask(Review.of_deletion(operation, old, options))


def connecting(operation: Operation, kind: Kind, obj: Object) -> None:
    """Let others judge a connection to an object, which is told by an object of a kind of its own.

    Raises:
        Refusal: what a webhook says.
        Unanswered: somebody is to be asked first.
    """
    if is_reviewed(operation):
        from windlass.apiserver.admission.review import Review

        form = operation._replace(resource=replace(operation.resource, kind=kind))
        _ask(Review.of_connection(form, obj))


def reviewing(operation: Operation, obj: Object) -> None:
    """Let others see an object that is answered and not stored, whatever becomes of its namespace.

    Raises:
        Refusal: what a webhook says.
        Unanswered: somebody is to be asked first.
    """
    if is_reviewed(operation):
        _ask(_review(operation, obj, None))


def _ask(review: Review) -> None:
    """Ask all those who change objects, then all those who judge them."""
    from windlass.apiserver.admission.match import is_exempt

    if not is_exempt(review):
        _change(review, lambda: None)
        _judge(review)


def _is_secured(operation: Operation, obj: Object) -> bool:
    """Whether security standards may have something to say, which they mostly have not."""
    kind = operation.resource.kind
    if not kind.group and kind.plural == "namespaces":
        return any(label.startswith(_SECURITY) for label in obj["metadata"].get("labels") or ())
    if f"{kind.group}/{kind.plural}" not in _RUNNING:
        return False
    record = operation.world.store.collection("/namespaces").get(operation.route.namespace)
    return record is not None and _SECURITY.encode() in record.body


def _check_namespace(operation: Operation, obj: Object) -> None:
    kind = operation.resource.kind
    if not kind.namespaced:
        return
    namespace = operation.route.namespace
    record = operation.world.store.collection("/namespaces").get(namespace)
    if record is None:
        raise Refusal.not_found("", "namespaces", namespace)
    if not record.mentions("deletionTimestamp") or "deletionTimestamp" not in record.object()["metadata"]:
        return
    meta, route = obj["metadata"], operation.route
    name = route.name or meta.get("name") or meta.get("generateName") or "Unknown"
    refusal = Refusal.forbidden(
        route.group,
        route.plural,
        name,
        f"unable to create new content in namespace {namespace} because it is being terminated",
    )
    cause = {
        "reason": "NamespaceTerminating",
        "message": f"namespace {namespace} is being terminated",
        "field": "metadata.namespace",
    }
    raise Refusal(403, refusal.message, details={**(refusal.details or {}), "causes": [cause]})

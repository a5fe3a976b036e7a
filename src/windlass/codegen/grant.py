"""The rules that follow from what reconcilers declare: each verb is one that the runtime does use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from windlass.api import Untyped
from windlass.codegen.crd import has_status
from windlass.codegen.scope import limited
from windlass.reconcile import READ, Owns, Rule, check_reconciler, is_of_objects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.api import Resource, Selection
    from windlass.reconcile import Reconciler, Reconciles

_BUILT_IN = "windlass.kinds."
_APPLY = ("create", "patch")
_EVENTS = Rule(groups=("events.k8s.io",), resources=("events",), verbs=("create", "patch"))
REVIEWS = (
    Rule(groups=("authentication.k8s.io",), resources=("tokenreviews",), verbs=("create",)),
    Rule(groups=("authorization.k8s.io",), resources=("subjectaccessreviews",), verbs=("create",)),
)
"""What it takes to ask the API server who reads metrics, and whether they may."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How an operator is run, as far as it decides what the operator may do.

    `namespaces`: the only ones that it looks at; none means all.
    `lease`: the name of the lease that it stands for election with, in `lease_namespace`; empty for none.
    `secured_metrics`: it asks the API server who may read them.
    """

    namespaces: tuple[str, ...] = ()
    lease: str = ""
    lease_namespace: str = ""
    secured_metrics: bool = False


def operator_rules(reconcilers: Iterable[Reconciles], setting: Setting | None = None) -> list[Rule]:
    """What an operator needs to run these reconcilers, and nothing more; `manager_roles` makes roles of it.

    - Every kind that is reconciled, owned or read: get, list and watch.
    - The kind that is reconciled: patch of its status; of the object itself where there is a finalizer, or
      no status subresource.
    - Kinds that are owned: create and patch, which server-side apply needs, and delete; and update of the
      owner's finalizers, which servers ask for that check `blockOwnerDeletion`.
    - Events: create and patch.
    - A lease: create, and get and update of the one that is named.

    What a reconcile does beyond its declarations, by `ctx.patch`, `ctx.live` or `ctx.watch`, it says in its
    `rules`: they hold in the namespaces of the setting, as far as they are about namespaced resources. A
    built-in kind that is reconciled has somebody else's status.
    """
    setting = setting or Setting()
    reconcilers = list(reconcilers)
    rules = [rule for each in reconcilers for rule in _needed(each, setting)]
    rules += _placed(_EVENTS, setting.namespaces)
    if setting.namespaces:
        rules += events_in_default(reconcilers)
    if setting.lease:
        rules += _lease_rules(setting)
    if setting.secured_metrics:
        rules += REVIEWS
    return list(dict.fromkeys(rules))


def _needed(reconciler: Reconciles, setting: Setting) -> Iterator[Rule]:
    check_reconciler(reconciler)
    if is_of_objects(reconciler):
        for rule in _of_own_kind(reconciler):
            yield from _placed(rule, _places(reconciler.of, reconciler.selection, setting))
        for owns in Owns.all(reconciler.owns):
            rule = Rule.on(owns.kind, *READ, *_APPLY, "delete")
            yield from _placed(rule, _places(owns.kind, owns.selection, setting))
    for watch in reconciler.reads:
        yield from _placed(Rule.on(watch.kind, *READ), _places(watch.kind, watch.selection, setting))
    yield from limited(reconciler.rules, setting.namespaces)


def _of_own_kind(reconciler: type[Reconciler[Any]] | Reconciler[Any]) -> Iterator[Rule]:
    kind = reconciler.of
    has_type = "status" in kind.model_fields or reconciler.status_type is not None
    reports = has_type and not kind.__module__.startswith(_BUILT_IN)
    in_subresource = reports and (has_status(kind) or issubclass(kind, Untyped))
    writes_itself = reconciler.finalizes() or (reports and not in_subresource)
    yield Rule.on(kind, *READ, *(["patch"] if writes_itself else []))
    if in_subresource:
        yield Rule.on(kind, "patch", subresource="status")
    if reconciler.owns:
        yield Rule.on(kind, "update", subresource="finalizers")


def _places(kind: type[Resource], selection: Selection, setting: Setting) -> tuple[str, ...]:
    """The namespaces in which a kind is looked at; none means everywhere."""
    if not kind.__kind__.namespaced:
        return ()
    return (selection.namespace,) if selection.namespace else setting.namespaces


def events_in_default(reconcilers: Iterable[Reconciles]) -> list[Rule]:
    """What a limited operator needs for the events of cluster-scoped objects, which are in `default`."""
    kinds = [each.of for each in reconcilers if is_of_objects(each)]
    return [] if all(kind.__kind__.namespaced for kind in kinds) else [replace(_EVENTS, namespace="default")]


def _placed(rule: Rule, namespaces: tuple[str, ...]) -> Iterator[Rule]:
    for namespace in namespaces or ("",):
        yield replace(rule, namespace=namespace) if namespace else rule


def _lease_rules(setting: Setting) -> Iterator[Rule]:
    lease = Rule(
        groups=("coordination.k8s.io",),
        resources=("leases",),
        verbs=("create",),  # who creates does not name in the path what they create
        namespace=setting.lease_namespace,
    )
    yield lease
    yield replace(lease, verbs=("get", "update"), names=(setting.lease,))

"""What reconcilers declare is what they are granted."""

from __future__ import annotations

from typing import Any

import pytest

from widget import Widget, WidgetStatus
from windlass.api import Definition, Field, Kind, Resource, Selection, Status, Untyped
from windlass.codegen import Setting, manager_roles, operator_rules
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Node, Secret
from windlass.reconcile import Context, KeyReconciler, Owns, Reconciler, Result, Rule, Watch

GROUP = "test.windlass.dev"
READ = "get list watch"


class WholeStatus(Status):
    size: int = 0


class Whole(Resource, group=GROUP, version="v1", definition=Definition(status=False)):
    """A kind whose status is a part of the object."""

    status: WholeStatus = Field(default_factory=WholeStatus)


class Bare(Resource, group=GROUP, version="v1"):
    """A kind without a status."""


class Idle:
    """What a role does not depend on."""

    async def reconcile(self, resource: Any, ctx: Context, /) -> Result[Any]:
        return Result.ready()


class Reporting(Idle, Reconciler[Widget]):
    pass


class Finalizing(Idle, Reconciler[Widget]):
    finalizer = "test.windlass.dev/f"

    async def finalize(self, resource: Widget, ctx: Context) -> Result[Any]:
        return Result.ready()


class Owning(Idle, Reconciler[Widget]):
    owns = (ConfigMap, Owns(Deployment, selection=Selection(namespace="apps")))
    reads = (Watch(Secret), Watch(Node))


class Patching(Idle, Reconciler[Bare]):
    rules = (Rule.on(Node, "patch", subresource="status"), Rule.on(Secret, "get", "create"))


class PatchingKeys(Idle, KeyReconciler):
    name = "patching"
    rules = (Rule(groups=("apps",), resources=("deployments/scale",), verbs=("patch",), namespace="apps"),)


class OfWhole(Idle, Reconciler[Whole]):
    pass


class OfBare(Idle, Reconciler[Bare]):
    pass


class OfDeployment(Idle, Reconciler[Deployment]):
    pass


class Keys(Idle, KeyReconciler):
    name = "keys"
    reads = (Watch(Secret),)


def granted(*reconcilers: Any, **setting: Any) -> dict[str, str]:
    """What is granted, by `namespace:group/resource[/name]`; events aside."""
    found: dict[str, set[str]] = {}
    for rule in operator_rules(reconcilers, Setting(**setting)):
        if rule.resources != ("events",):
            place = f"{rule.namespace}:{rule.groups[0]}/{rule.resources[0]}{''.join(rule.names)}"
            found.setdefault(place, set()).update(rule.verbs)
    return {place: " ".join(sorted(verbs)) for place, verbs in found.items()}


@pytest.mark.parametrize(
    ("reconciler", "expected"),
    [
        (Reporting, {":test.windlass.dev/widgets": READ, ":test.windlass.dev/widgets/status": "patch"}),
        (
            Finalizing,
            {
                ":test.windlass.dev/widgets": "get list patch watch",
                ":test.windlass.dev/widgets/status": "patch",
            },
        ),
        (
            Owning,
            {
                ":test.windlass.dev/widgets": READ,
                ":test.windlass.dev/widgets/status": "patch",
                ":test.windlass.dev/widgets/finalizers": "update",
                ":/configmaps": "create delete get list patch watch",
                "apps:apps/deployments": "create delete get list patch watch",
                ":/secrets": READ,
                ":/nodes": READ,
            },
        ),
        (
            Patching,
            {":test.windlass.dev/bares": READ, ":/nodes/status": "patch", ":/secrets": "create get"},
        ),
        (PatchingKeys, {"apps:apps/deployments/scale": "patch"}),
        (OfWhole, {":test.windlass.dev/wholes": "get list patch watch"}),
        (OfBare, {":test.windlass.dev/bares": READ}),
        (OfDeployment, {":apps/deployments": READ}),
        (Keys, {":/secrets": READ}),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else "",
)
def test_each_declaration_grants_what_it_needs_and_nothing_more(
    reconciler: type, expected: dict[str, str]
) -> None:
    assert granted(reconciler) == expected
    assert granted(reconciler()) == expected


class Anything(Idle, Reconciler[Any]):
    def __init__(self, of: type[Resource], **said: Any) -> None:
        self.of = of
        vars(self).update(said)


def test_what_an_instance_says_is_what_it_is_granted() -> None:
    assert granted(Anything(Bare)) == {":test.windlass.dev/bares": READ}
    assert granted(Anything(Bare, owns=(ConfigMap,), reads=(Watch(Secret),))) == {
        ":test.windlass.dev/bares": READ,
        ":test.windlass.dev/bares/finalizers": "update",
        ":/configmaps": "create delete get list patch watch",
        ":/secrets": READ,
    }
    assert granted(Anything(Bare, selection=Selection(namespace="apps"))) == {
        "apps:test.windlass.dev/bares": READ
    }


def test_a_reconciler_that_says_the_type_of_a_status_may_write_it() -> None:
    thing = Untyped.of(Kind("test.windlass.dev", "v1", "Thing", "things"))

    assert granted(Anything(thing, status_type=WidgetStatus)) == {
        ":test.windlass.dev/things": READ,
        ":test.windlass.dev/things/status": "patch",
    }
    assert granted(Anything(thing)) == {":test.windlass.dev/things": READ}


def test_an_instance_may_say_its_rules() -> None:
    assert granted(Anything(Bare, rules=(Rule.on(Secret),))) == {
        ":test.windlass.dev/bares": READ,
        ":/secrets": READ,
    }


def test_a_class_whose_instances_say_the_kind_is_granted_nothing_by_itself() -> None:
    with pytest.raises(TypeError, match=r"self\.of = WebApp"):
        operator_rules([Anything])


def test_an_operator_of_some_namespaces_is_granted_nothing_elsewhere() -> None:
    rules = granted(Owning, namespaces=("a", "b"))

    assert rules["a:/secrets"] == rules["b:/secrets"] == READ
    assert rules["apps:apps/deployments"].startswith("create")
    assert [place for place in rules if place.startswith(":")] == [":/nodes"]


def test_a_candidate_may_write_its_own_lease_only() -> None:
    rules = granted(Reporting, lease="op", lease_namespace="system")

    assert rules["system:coordination.k8s.io/leases"] == "create"
    assert rules["system:coordination.k8s.io/leasesop"] == "get update"


def test_secured_metrics_ask_the_server_about_their_readers() -> None:
    rules = granted(Reporting, secured_metrics=True)

    assert rules[":authentication.k8s.io/tokenreviews"] == "create"
    assert rules[":authorization.k8s.io/subjectaccessreviews"] == "create"


def test_events_may_be_told_where_the_operator_works() -> None:
    events = [
        rule for rule in operator_rules([Reporting], Setting(namespaces=("a",))) if "events" in rule.resources
    ]

    assert [(rule.namespace, rule.verbs) for rule in events] == [("a", ("create", "patch"))]


def test_rules_become_roles() -> None:
    cluster_role, role = manager_roles("op", operator_rules([Owning]))

    assert cluster_role["kind"] == "ClusterRole"
    assert role["metadata"]["namespace"] == "apps"

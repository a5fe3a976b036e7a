from __future__ import annotations

import types
from datetime import timedelta
from typing import Any

import pytest

from widget import Widget, WidgetStatus
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.reconcile import (
    Channel,
    Context,
    Cron,
    Every,
    Index,
    KeyReconciler,
    Owns,
    Reconciler,
    Result,
    Watch,
    check_reconciler,
)


class Plain(Reconciler[Widget]):
    owns = (ConfigMap, Owns(Deployment))

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[Any]:
        return Result.ready()


def test_the_kind_comes_from_the_class_line() -> None:
    assert Plain.of is Widget
    assert Plain.name == "widget"


def test_a_subclass_keeps_the_kind_and_may_have_a_name() -> None:
    class Named(Plain):
        name = "special"

    assert (Named.of, Named.name) == (Widget, "special")


def test_a_subclass_may_say_another_kind() -> None:
    class Counting(Reconciler[Widget]):
        async def reconcile(self, resource: Any, ctx: Context) -> Result[Any]:
            return Result.ready()

    class Mapping(Counting):
        of = ConfigMap

    assert (Counting.of, Mapping.of, Mapping().name) == (Widget, ConfigMap, "configmap")


def test_owned_kinds_have_one_form() -> None:
    assert [each.kind for each in Owns.all(Plain.owns)] == [ConfigMap, Deployment]


def test_a_finalize_needs_the_name_of_a_finalizer() -> None:
    with pytest.raises(TypeError, match=r'finalizer = "example\.com/widget"'):

        class Forgetful(Plain):
            async def finalize(self, resource: Widget, ctx: Context) -> Result[Any]:
                return Result.ready()


def test_what_is_finalized_cannot_be_reconciled_until_it_is_gone() -> None:
    with pytest.raises(TypeError, match="has a finalize"):

        class Both(Reconciler[Widget]):
            finalizer = "example.com/widget"
            until_gone = True

            async def finalize(self, resource: Widget, ctx: Context) -> Result[Any]:
                return Result.ready()


def test_only_a_reconciler_with_a_finalize_holds_objects_back() -> None:
    class Careful(Plain):
        finalizer = "example.com/widget"

        async def finalize(self, resource: Widget, ctx: Context) -> Result[Any]:
            return Result.ready()

    assert Careful.finalizes()
    assert not Plain.finalizes()


def test_a_watch_says_whom_to_wake_in_one_way() -> None:
    with pytest.raises(ValueError, match="one of `by`, `to`"):
        Watch(Secret, by=lambda widget: widget.spec.secret_name, to=lambda secret: ())


def mistaken(base: Any, said: dict[str, Any]) -> type:
    return types.new_class("Mistaken", (base,), exec_body=lambda body: body.update(said))


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ({"owns": ConfigMap}, r"owns = \(Deployment,\), with the comma"),
        ({"owns": (Watch(Secret),)}, r"owns = \(Deployment,\)"),
        ({"reads": Watch(Secret)}, r"reads = \(Watch\(Secret\),\), with the comma"),
        ({"reads": (Secret,)}, r"Secret does not belong into Mistaken\.reads"),
        ({"indexes": Index(Widget, str)}, "with the comma"),
        ({"old_finalizers": "example.com/old"}, "with the comma"),
        ({"status_type": WidgetStatus()}, "name a class"),
        ({"rules": ("get secrets",)}, r'rules = \(Rule\.on\(Node, "patch"\),\)'),
        ({"finalizer": "example.com/widget"}, "no `async def finalize"),
    ],
)
def test_a_mistaken_declaration_is_told_with_the_line_to_write(said: dict[str, Any], advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        mistaken(Reconciler[Widget], said)


def test_a_reconciler_of_nothing_is_told_so() -> None:
    with pytest.raises(TypeError, match=r"class Mistaken\(Reconciler\[WebApp\]\)"):
        mistaken(Reconciler, {})()


class Serving(Reconciler[Any]):
    """Serves whatever kind an instance is made for."""

    def __init__(self, **said: Any) -> None:
        vars(self).update(said)

    async def reconcile(self, resource: Any, ctx: Context) -> Result[Any]:
        return Result.ready()


def test_an_instance_is_named_after_the_kind_that_it_says_unless_it_says_a_name() -> None:
    assert Serving.name == ""
    assert Serving(of=Widget).name == "widget"
    assert Serving(of=ConfigMap).name == "configmap"
    assert Serving(of=Widget, name="special").name == "special"


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ({}, r"self\.of = WebApp"),
        ({"of": "Widget"}, r"self\.of = WebApp"),
        ({"of": Widget, "owns": ConfigMap}, r"Serving\.owns is not a tuple"),
        ({"of": Widget, "reads": (Secret,)}, r"Secret does not belong into Serving\.reads"),
        ({"of": Widget, "indexes": Index(Widget, str)}, "with the comma"),
        ({"of": Widget, "old_finalizers": "example.com/old"}, "with the comma"),
        ({"of": Widget, "finalizer": "example.com/widget"}, "no `async def finalize"),
    ],
)
def test_a_mistake_of_an_instance_is_told_with_the_line_to_write(said: dict[str, Any], advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        check_reconciler(Serving(**said))


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ({}, 'name = "mistaken"'),
        ({"name": "keys", "reads": (Watch(Secret, by=str),)}, "say `to` alone"),
        ({"name": "keys", "reads": (Secret,)}, r"Watch\(Secret, to=keys\)"),
        ({"name": "keys", "rules": "get"}, "with the comma"),
        ({"name": "keys", "sources": (Every(timedelta(hours=1)),)}, r'say keys=\(Key\("", "all"\),\)'),
        ({"name": "keys", "sources": (Cron("@daily"),)}, r'say keys=\(Key\("", "all"\),\)'),
        ({"name": "keys", "sources": (Channel,)}, r"Channel does not belong into Mistaken\.sources"),
        ({"name": "keys", "sources": Channel()}, "with the comma"),
    ],
)
def test_a_mistaken_reconciler_of_keys_is_told_so(said: dict[str, Any], advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        mistaken(KeyReconciler, said)


@pytest.mark.parametrize("declare", [Watch, Owns, lambda kind: Index(kind, str)])
def test_what_is_declared_is_a_kind(declare: Any) -> None:
    with pytest.raises(TypeError, match="with the class of a kind"):
        declare("Secret")


def test_a_subclass_may_have_a_method_of_any_name() -> None:
    class Checking(Plain):
        def _check(self, widget: Widget) -> bool:
            return widget.spec.size > 0

    assert Checking.name == "widget"

"""What is a mistake in a reconciler's class, and what only looks like one."""

from __future__ import annotations

import types
from collections.abc import Awaitable, Callable  # noqa: TC003 - annotations are evaluated, as those of users are
from datetime import timedelta
from functools import partial, partialmethod, wraps
from typing import Any

import pytest

from widget import Widget, WidgetStatus
from windlass import Key, Status
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Pod, Secret
from windlass.reconcile import (
    Context,
    Every,
    Index,
    KeyReconciler,
    Owns,
    Reconciler,
    Result,
    Rule,
    Watch,
    check_reconciler,
    generation_changed,
)


def made(said: dict[str, Any], base: Any = Reconciler[Widget]) -> Any:
    return types.new_class("Made", (base,), exec_body=lambda body: body.update(said))


async def reconcile(self: Any, resource: Any, ctx: Context) -> Result[Any]:
    return Result.ready()


async def forget(self: Any, key: Key) -> None:
    pass


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"own": (ConfigMap,)}, r"owns = \(Deployment,\)"),
        ({"owned": Owns(ConfigMap)}, r"owns = \(Deployment,\)"),
        ({"reeds": [Watch(Secret)]}, r"reads = \(Watch\(Secret\),\)"),
        ({"indices": (Index(Widget, str),)}, "indexes = "),
        ({"timers": (Every(timedelta(hours=1)),)}, "sources = "),
        ({"roles": (Rule.on(Pod),)}, "rules = "),
        ({"permissions": [Rule.on(Pod)]}, "rules = "),
        ({"finalisers": ("example.com/a",)}, "finalizer"),
        ({"old_finaliser": "example.com/a"}, "old_finalizers = "),
        ({"untill_gone": True}, "until_gone = "),
        ({"first_retri": timedelta(1)}, "first_retry = "),
        ({"reporters": "me"}, "reporter = "),
        ({"reconsile": reconcile}, "async def reconcile"),
        ({"finalise": reconcile}, "async def finalize"),
        ({"forgett": forget}, "async def forget"),
    ],
)
def test_a_misspelt_name_is_refused_with_the_right_one(said: dict[str, Any], line: str) -> None:
    with pytest.raises(
        TypeError, match=f"Made.{next(iter(said))} is not an attribute of a Reconciler.*{line}"
    ):
        made(said)


def test_a_misspelt_kind_is_refused_where_there_is_no_other() -> None:
    with pytest.raises(TypeError, match="write of = WebApp"):
        made({"kind": Widget}, Reconciler)


@pytest.mark.parametrize(
    "said",
    [
        {"report": "weekly"},
        {"title": "x", "namespace": "shop", "labels": {"a": "b"}},
        {"own": 3, "read": "yes", "rule": None, "source": "https://example.com"},
        {"_owned": (ConfigMap,)},
        {"OWNS": (ConfigMap,)},
        {"owned": (ConfigMap,), "owns": (ConfigMap,)},
        {"watch": Watch(Deployment)},
        {"template": Deployment, "kind": Deployment},
        {"retry": timedelta(seconds=1), "period": timedelta(hours=1)},
        {"finalized": lambda self, widget: True},
        {"reconciled": property(lambda self: 1), "reconcile": reconcile},
        {"finalizing": True},
        {"sources_of": lambda self: ()},
    ],
)
def test_an_attribute_of_ones_own_is_left_alone(said: dict[str, Any]) -> None:
    assert vars(made(said)).items() >= said.items()


def test_what_a_base_declares_may_be_set_by_a_subclass() -> None:
    class Template(Reconciler[Widget]):
        _own: Any = ()

        @property
        def own(self) -> Any:
            return self._own

    assert made({"own": (ConfigMap,)}, Template)


def waiting(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def waited(*args: Any) -> Any:
        return method(*args)

    return waited


def unnamed(method: Callable[..., Awaitable[Any]]) -> Any:
    def passed_on(*args: Any) -> Any:
        return method(*args)

    return passed_on


class Callee:
    async def __call__(self, resource: Any, ctx: Context) -> Result[Any]:
        return Result.ready()


async def more(self: Any, times: int, resource: Any, ctx: Context) -> Result[Any]:
    return Result.ready()


def passing_on(self: Any, resource: Any, ctx: Context) -> Awaitable[Result[Any]]:
    return reconcile(self, resource, ctx)


def of_an_unknown_type(self: Any, resource: Any, ctx: Context) -> Unknown:  # type: ignore[name-defined]  # noqa: F821
    return reconcile(self, resource, ctx)


passing_on.__name__ = of_an_unknown_type.__name__ = "reconcile"


@pytest.mark.parametrize(
    "method",
    [
        reconcile,
        waiting(reconcile),
        unnamed(reconcile),
        partialmethod(more, 2),
        staticmethod(partial(reconcile, None)),
        partial(reconcile, None),
        Callee(),
        passing_on,
        of_an_unknown_type,
    ],
)
def test_whatever_can_be_awaited_is_a_reconcile(method: Any) -> None:
    check_reconciler(made({"reconcile": method})())


async def yields(self: Any, resource: Any, ctx: Context) -> Any:
    yield Result.ready()


def plain(self: Any, resource: Any, ctx: Context) -> Result[Any]:
    return Result.ready()


def unannotated(self, resource, ctx):  # type: ignore[no-untyped-def] # what it is about
    return Result.ready()


plain.__name__ = unannotated.__name__ = "reconcile"


@pytest.mark.parametrize("name", ["reconcile", "finalize"])
@pytest.mark.parametrize("method", [plain, unannotated, yields, waiting(plain)])
def test_what_cannot_be_awaited_is_refused(name: str, method: Any) -> None:
    for each in (plain, unannotated):
        each.__name__ = name

    with pytest.raises(
        TypeError, match=rf"Made\.{name} is not async: write async def {name}\(self, app, ctx\)"
    ):
        made({name: method})


async def alone(self: Any, resource: Any) -> Result[Any]:
    return Result.ready()


async def three(self: Any, resource: Any, old: Any, ctx: Context) -> Result[Any]:
    return Result.ready()


async def keyword(self: Any, resource: Any, *, ctx: Context) -> Result[Any]:
    return Result.ready()


@pytest.mark.parametrize("method", [alone, three, keyword, staticmethod(reconcile), classmethod(alone)])
def test_a_reconcile_that_cannot_be_called_is_refused(method: Any) -> None:
    with pytest.raises(TypeError, match=r"takes other parameters than it is called with"):
        made({"reconcile": method})


async def variadic(self: Any, *args: Any) -> Result[Any]:
    return Result.ready()


async def defaulted(self: Any, resource: Any, ctx: Context, extra: int = 0) -> Result[Any]:
    return Result.ready()


@pytest.mark.parametrize("method", [variadic, defaulted])
def test_parameters_that_need_not_be_given_are_no_mistake(method: Any) -> None:
    assert made({"reconcile": method})


class OtherStatus(Status):
    pass


class MoreStatus(WidgetStatus):
    more: int = 0


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        (None, "return None"),
        ("None", "return None"),
        (bool, "return bool"),
        (WidgetStatus, "return WidgetStatus"),
        (Result[Any] | None, "return"),
        ("Result[OtherStatus]", r"returns Result\[OtherStatus\], but the status of Widget is a WidgetStatus"),
    ],
)
def test_another_return_type_is_refused(returned: Any, told: str) -> None:
    async def method(self: Any, resource: Any, ctx: Context) -> Any:
        return Result.ready()

    method.__annotations__["return"] = returned
    with pytest.raises(TypeError, match=told):
        made({"reconcile": method})


@pytest.mark.parametrize(
    "returned",
    [
        Any,
        object,
        Result,
        Result[Any],
        "Result[WidgetStatus]",
        Result[MoreStatus],
        Result[Status],
        "Result[Nowhere]",
    ],
)
def test_a_return_type_that_may_be_right_is_accepted(returned: Any) -> None:
    async def method(self: Any, resource: Any, ctx: Context) -> Any:
        return Result.ready()

    method.__annotations__["return"] = returned
    assert made({"reconcile": method})


@pytest.mark.parametrize(("given", "context"), [(Pod, Any), (Any, Widget), (Context, Widget)])
def test_parameters_of_another_kind_are_refused(given: Any, context: Any) -> None:
    async def method(self: Any, resource: Any, ctx: Any) -> Result[Any]:
        return Result.ready()

    method.__annotations__.update(resource=given, ctx=context)
    with pytest.raises(TypeError, match=r"but it is given a Widget and a Context: write async def reconcile"):
        made({"reconcile": method})


@pytest.mark.parametrize(
    "finalizer", ["widget", "example.com/", "/widget", "Example.com/a", "example.com/a b", 7]
)
def test_a_finalizer_has_a_domain_and_a_name(finalizer: Any) -> None:
    with pytest.raises(TypeError, match=r'say finalizer = "example\.com/widget", with a domain of yours'):
        made({"finalizer": finalizer, "finalize": reconcile})


def test_a_kind_does_not_own_itself_unless_that_is_said_at_length() -> None:
    with pytest.raises(TypeError, match=r"or say Owns\(Widget\)"):
        made({"owns": (Widget,)})
    assert made({"owns": (Owns(Widget),)})


def test_a_predicate_takes_the_change_alone() -> None:
    with pytest.raises(TypeError, match=r"when = generation_changed"):
        made({"when": lambda self, change: True})
    assert made({"when": generation_changed})
    assert made({"when": staticmethod(generation_changed)})


@pytest.mark.parametrize("base", [Reconciler[Widget], KeyReconciler])
def test_what_has_no_reconcile_cannot_be_made(base: Any) -> None:
    kind = made({"name": "keys"}, base)

    with pytest.raises(
        TypeError, match=r"Made has no reconcile: write async def reconcile\(self, (app|key), ctx\)"
    ):
        kind()


@pytest.mark.parametrize(
    "said",
    [{"owns": (ConfigMap,)}, {"finalizer": "example.com/a"}, {"finalize": reconcile}, {"until_gone": True}],
)
def test_a_reconciler_of_keys_has_nothing_of_objects(said: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="a KeyReconciler has no objects"):
        made({"name": "keys", **said}, KeyReconciler)


def test_a_reconciler_of_keys_is_given_a_key() -> None:
    with pytest.raises(TypeError, match=r"derive it from Reconciler\[Widget\]"):

        class Keys(KeyReconciler):
            name = "keys"

            async def reconcile(self, widget: Widget, ctx: Context) -> Result[Any]:  # type: ignore[override]
                return Result.ready()

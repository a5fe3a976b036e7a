"""Fields that a declared function reads and that its kind does not have, found without calling it."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from pydantic import PrivateAttr

from widget import Plain, Widget
from windlass import reconcile
from windlass.api import Field, Resource, Spec, Untyped
from windlass.kinds.core.v1 import Pod, Secret
from windlass.reconcile import Reconciler

INDEX: Any = reconcile.Index
WATCH: Any = reconcile.Watch
DIGEST: Any = reconcile.Digest
"""What type checkers see is the concern of other tests."""


class Part(Spec):
    name: str = ""


class Wheel(Part):
    size: int = 1


class Blob(Spec):
    def __getattr__(self, name: str) -> Any:
        return name


class CarSpec(Spec):
    wheel: Wheel | None = None
    either: Wheel | Part = Field(default_factory=Part)
    parts: list[Part] = []
    by_name: dict[str, Part] = {}
    anything: Any = None
    blob: Blob = Field(default_factory=Blob)
    _kept: str = PrivateAttr("")

    @property
    def first(self) -> Part:
        return self.parts[0]


class Car(Resource, group="test.windlass.dev", version="v1"):
    spec: CarSpec = Field(default_factory=CarSpec)

    def names(self) -> list[str]:
        return [each.name for each in self.spec.parts]


def branching(car: Any) -> Any:
    if car.spec.wheel is None:
        return None
    return car.spec.wheel.nam


def looping(car: Any) -> Any:
    for part in car.spec.partz:
        yield part.name


def inner(car: Any) -> Any:
    return [part.name for part in car.spec.parts if part.name != car.spec.nam]


def nested(car: Any) -> Any:
    def deeper() -> Any:
        return car.metadata.nam

    return deeper()


def assigned(car: Any) -> Any:
    found = car.spec.wheel.sice
    return str(found)


class Finder:
    def find(self, car: Any) -> Any:
        return car.spek.parts


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda car: car.spek.name, r"reads car\.spek, but Car has no field spek: did you mean spec\?"),
        (lambda car: car.spec.wheeel.name, r"car\.spec\.wheeel, but CarSpec .*did you mean wheel\?"),
        (lambda car: car.spec.wheel.siz, r"car\.spec\.wheel\.siz, but Wheel .*did you mean size\?"),
        (lambda car: car.metadata.nameSpace, r"did you mean namespace\?"),
        (lambda car: car.spec.byName.values(), r"did you mean by_name\?"),
        (lambda car: car.spec.name or "default", "CarSpec has no field name"),
        (lambda car, default="x": car.spec.name or default, "CarSpec has no field name"),
        (lambda car: f"{car.metadata.name}-{car.spec.nom}", "CarSpec has no field nom"),
        (branching, r"did you mean name\?"),
        (looping, r"did you mean parts\?"),
        (inner, "CarSpec has no field nam"),
        (nested, r"did you mean name\?"),
        (assigned, r"did you mean size\?"),
        (Finder().find, r"did you mean spec\?"),
    ],
)
def test_a_field_that_there_is_not_is_named_with_the_nearest(function: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        INDEX(Car, function)


def guarded(car: Any) -> Any:
    return car.spec.color if hasattr(car.spec, "color") else None


def narrowed(car: Any) -> Any:
    return car.spec.color if isinstance(car, Widget) else None


def caught(car: Any) -> Any:
    try:
        return car.spec.color
    except AttributeError:
        return None


def suppressed(car: Any) -> Any:
    with suppress(AttributeError):
        return car.spec.color
    return None


def rebound(car: Any) -> Any:
    car = car.spec.parts[0]
    return car.color


def shadowed(car: Any) -> Any:
    return [car.color for car in car.spec.anything]


def matched(car: Any) -> Any:
    match car:
        case Widget():
            return car.spec.color
    return None


def another(other: Any) -> Any:
    return [car.color for car in other.spec.parts]


def shadowing(car: Any) -> Any:
    return list(map(lambda car: car.color, car.spec.anything))  # noqa: C417


@pytest.mark.parametrize(
    "function",
    [
        lambda car: car.spec.wheel.size if car.spec.wheel else None,
        lambda car: car.spec.either.size,
        lambda car: car.spec.parts.anything,
        lambda car: car.spec.by_name.whatever,
        lambda car: car.spec.anything.at.all,
        lambda car: car.spec.blob.whatever,
        lambda car: car.spec.first.whatever,
        lambda car: car.spec._kept,
        lambda car: car.names().whatever,
        lambda car: car.model_dump().whatever,
        lambda car: car.kind.lower(),
        lambda car: getattr(car.spec, "color", None),
        lambda car: car["spec"].color,
        lambda *cars: cars[0].color,
        guarded,
        narrowed,
        caught,
        suppressed,
        rebound,
        shadowed,
        matched,
        another,
        shadowing,
        partial(lambda color, car: car.spec.color, "red"),
        str,
        len,
    ],
)
def test_what_may_work_is_believed(function: Any) -> None:
    assert INDEX(Car, function)


def test_no_function_is_called() -> None:
    def by(car: Any) -> str:
        raise AssertionError(car)

    assert INDEX(Car, by)


def test_of_an_untyped_object_everything_is_believed() -> None:
    assert INDEX(Untyped.of(Car.__kind__), lambda car: car.spec.whatever)


def test_an_undecoded_index_is_given_a_snapshot() -> None:
    assert INDEX(Car, lambda snapshot: snapshot.metadata.get("name"), undecoded=True)


@pytest.mark.parametrize(
    "declare",
    [
        lambda: WATCH(Car, to=lambda car: car.spec.whom),
        lambda: DIGEST(Car, lambda car: car.spec.whom),
        lambda: declaring(WATCH(Secret, by=lambda car: car.spec.whom)),
        lambda: declaring(WATCH(Pod, selects=lambda car: car.spec.whom)),
    ],
)
def test_every_declared_function_is_looked_at(declare: Any) -> None:
    with pytest.raises(TypeError, match=r"car\.spec\.whom, but CarSpec has no field whom"):
        declare()


def declaring(watch: Any) -> type[Reconciler[Car]]:
    class Declaring(Reconciler[Car]):
        reads = (watch,)

    return Declaring


def test_a_watch_is_checked_against_the_kind_that_reads_it() -> None:
    watch = WATCH(Secret, by=lambda it: it.spec.secret_name)

    class OfWidgets(Reconciler[Widget]):
        reads = (watch,)

    with pytest.raises(TypeError, match="Plain has no field spec"):

        class OfPlain(Reconciler[Plain]):
            reads = (watch,)


def test_a_field_whose_type_is_not_loaded_yet_ends_the_way() -> None:
    script = """
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Index
Index(Pod, of=lambda pod: pod.spec.whatever)
"""  # in a process of its own: here another test may have loaded the type
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("name", ["by", "to", "selects", "when"])
def test_a_name_in_place_of_a_function_is_refused(name: str) -> None:
    said: Any = {name: "secret_name"}
    with pytest.raises(TypeError, match=rf"Watch\(Secret, {name}=…\) is 'secret_name', which is no function"):
        WATCH(Secret, **said)

"""Faults of conversions are found, and shown by the smallest object."""

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import model_validator

from versioned import ALPHA, BETA, SHOPS, BetaShop, Shop, from_alpha, from_beta, to_alpha, to_beta
from windlass.api import (
    Base64,
    Cel,
    Duration,
    ExactlyOneOf,
    Field,
    Format,
    IntOrString,
    ListSet,
    Model,
    Nullable,
    ObjectMeta,
    Quantity,
    Resource,
    Spec,
    Time,
    read_yaml,
)
from windlass.errors import ToolError
from windlass.testing import check_conversion, objects_of
from windlass.testing.conversion.rule import accepts
from windlass.webhook import Conversion, Spoke

EXAMPLES = 30


def fault_of(conversion: Conversion[Any], **options: Any) -> str:
    with pytest.raises(AssertionError) as raised:
        check_conversion(conversion, examples=EXAMPLES, **options)
    return str(raised.value)


def beta(**changes: Any) -> Conversion[Shop]:
    return Conversion(hub=Shop, spokes=(replace(BETA, **changes),))


@pytest.mark.property
def test_a_conversion_that_loses_nothing_passes() -> None:
    check_conversion(SHOPS, examples=EXAMPLES)


def test_a_field_that_the_way_to_the_hub_forgets_is_named() -> None:
    def forgetful(shop: BetaShop) -> Shop:
        made = from_beta(shop)
        made.spec.ports = []
        return made

    said = fault_of(beta(to_hub=forgetful))

    assert "loses fields:\n  spec.ports: was [{'name': 'a', 'number': 1}], became []\n" in said
    assert 'if v1beta1 has no place for it, say so: lacks=("spec.ports",)' in said


def test_the_object_that_shows_a_fault_is_as_small_as_it_can_be() -> None:
    def capped(shop: Shop) -> BetaShop:
        made = to_beta(shop)
        made.spec.replicas = min(made.spec.replicas, 20)
        return made

    said = fault_of(beta(from_hub=capped))

    assert "spec.limits.least: was 21, became 20" in said
    shown = said.partition("the object:\n")[2].partition("what became of it:")[0]
    (obj,) = read_yaml(shown)
    assert obj["spec"] == {"host": "a", "limits": {"least": 21, "most": 1}, "strategy": "Rolling"}
    assert obj["metadata"].keys() == {"name", "namespace", "uid"}


def test_a_loss_that_nobody_announced_is_a_fault_although_it_is_kept() -> None:
    said = fault_of(beta(lacks=("spec.limits.most", "spec.ports[].protocol")))

    assert said.startswith("Shop v1 → v1beta1 → v1 loses fields:\n  spec.strategy: was ")
    assert 'if v1beta1 has no place for it, say so: lacks=("spec.strategy",)' in said


def test_a_field_of_an_item_is_named_for_all_items() -> None:
    said = fault_of(beta(lacks=("spec.limits", "spec.strategy")))

    assert "spec.ports[name=a].protocol: was " in said
    assert 'lacks=("spec.ports[].protocol",)' in said


def test_an_object_that_breaks_the_schema_of_its_new_version_is_a_fault() -> None:
    def doubled(shop: Shop) -> BetaShop:
        made = to_beta(shop)
        made.spec.replicas *= 2
        return made

    def halved(shop: BetaShop) -> Shop:
        copy = shop.model_copy(deep=True)
        copy.spec.replicas //= 2
        return from_beta(copy)

    conversion = beta(from_hub=doubled, to_hub=halved, only=("spec.replicas",))

    said = fault_of(conversion)

    assert said.startswith("Shop v1 → v1beta1 is not valid:\n  spec.replicas: Invalid value: ")
    assert "should be less than or equal to 1000" in said


def test_a_function_that_is_not_pure_is_a_fault() -> None:
    seen: list[int] = []

    def counting(shop: Shop) -> BetaShop:
        seen.append(1)
        made = to_beta(shop)
        made.metadata = ObjectMeta(annotations={"seen": str(len(seen))})
        return made

    assert "is not the same each time" in fault_of(beta(from_hub=counting))


def test_labels_that_do_not_come_back_are_a_fault() -> None:
    def labelled(shop: Shop) -> BetaShop:
        made = to_beta(shop)
        made.metadata = ObjectMeta(labels={"from": "v1"})
        return made

    assert "Shop v1 → v1beta1 → v1 leaves other metadata" in fault_of(beta(from_hub=labelled))


def test_a_fault_between_two_spokes_is_found() -> None:
    def unlabelled(shop: Shop) -> Any:
        made = to_alpha(shop)
        made.metadata = ObjectMeta(annotations={})
        return made

    spokes = (BETA, replace(ALPHA, from_hub=unlabelled, to_hub=from_alpha))

    assert "annotations" in fault_of(Conversion(hub=Shop, spokes=spokes))


@pytest.mark.parametrize(
    "path", ["spec.nothing", "spec.ports.protocol", "spec.host.x", "spec.ports[].nothing"]
)
def test_a_path_that_leads_nowhere_is_told(path: str) -> None:
    with pytest.raises(ValueError, match=r"which .* has not"):
        check_conversion(beta(lacks=(path,)))


def test_a_conversion_that_keeps_nothing_is_judged_by_what_it_announces() -> None:
    check_conversion(replace(SHOPS, keep=False), examples=EXAMPLES)


class Rare(Resource, group="shops.windlass.dev", version="v1"):
    secret: int = 0

    @model_validator(mode="after")
    def only_one_number(self) -> "Rare":
        if self.secret != 7_777_777:
            raise ValueError("no")
        return self


class RareBeta(Rare, version="v1beta1", kind="Rare"):
    pass


def test_a_type_of_which_nothing_comes_up_by_chance_asks_for_objects() -> None:
    spoke = Spoke(
        RareBeta,
        to_hub=lambda rare: Rare(secret=rare.secret),
        from_hub=lambda rare: RareBeta(secret=rare.secret),
    )
    conversion = Conversion(hub=Rare, spokes=(spoke,))
    known = {"kind": "Rare", "metadata": {"name": "a"}, "secret": 7_777_777}

    with pytest.raises(ValueError, match="where valid ones come from"):
        check_conversion(conversion)
    check_conversion(
        conversion,
        examples=2,
        objects={each: st.just({"apiVersion": api, **known}) for api, each in conversion.versions.items()},
    )


class Part(Model, markers=(ExactlyOneOf("one", "other"),)):
    one: int | None = None
    other: str | None = None


class Line(Model):
    text: str = Field(max_length=3)
    note: str = Field(default="", pattern="^[0-9]*$", max_length=2)


class EverySpec(Spec, markers=(Cel("self.least <= self.most"),)):
    least: int = Field(default=0, gt=-10, lt=10)
    most: Annotated[int, Format("int32")] = Field(default=10, multiple_of=5, ge=-20)
    part: Part | None = None
    parts: dict[str, Part] = {}
    tags: Annotated[list[str], ListSet()] = []
    period: Duration = timedelta(minutes=1)
    periods: list[Duration] = []
    moment: Time | None = None
    data: Base64 = b""
    memory: Quantity | None = None
    target: IntOrString = 1
    address: Annotated[str, Format("ipv4")] = "127.0.0.1"
    free: dict[str, Any] = {}
    maybe: Annotated[int | None, Nullable()] = None


class Every(Resource, group="shops.windlass.dev", version="v1", namespaced=False):
    spec: EverySpec


@pytest.mark.property
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(obj=objects_of(Every))
def test_objects_are_valid_whatever_their_type_says(obj: dict[str, Any]) -> None:
    assert accepts(Every, obj)
    assert "namespace" not in obj["metadata"]
    assert obj["spec"]["least"] <= obj["spec"]["most"]


class BetaEvery(Resource, group="shops.windlass.dev", version="v1beta1", kind="Every", namespaced=False):
    spec: EverySpec


@pytest.mark.property
def test_fields_of_all_types_come_back() -> None:
    spoke = Spoke(
        BetaEvery,
        to_hub=lambda each: Every(spec=each.spec),
        from_hub=lambda each: BetaEvery(spec=each.spec),
    )

    check_conversion(Conversion(hub=Every, spokes=(spoke,)), examples=EXAMPLES)


class FewSpec(Spec):
    part: Part | None = None
    parts: dict[str, Part] = Field(default={}, max_length=1)
    tags: Annotated[list[str], ListSet()] = Field(default=[], max_length=2)
    lines: list[Line] = Field(default=[], max_length=1)
    period: Duration = timedelta(minutes=1)


class Few(Resource, group="shops.windlass.dev", version="v1"):
    spec: FewSpec


class BetaFew(Resource, group="shops.windlass.dev", version="v1beta1", kind="Few"):
    spec: FewSpec


def few(from_hub: Callable[[FewSpec], FewSpec], **announced: Any) -> Conversion[Few]:
    """Two versions with the same fields, of which the one makes something else of them."""
    spoke = Spoke(
        BetaFew,
        to_hub=lambda each: Few(spec=each.spec),
        from_hub=lambda each: BetaFew(spec=from_hub(each.spec)),
        **announced,
    )
    return Conversion(hub=Few, spokes=(spoke,))


def test_a_duration_that_is_cut_is_a_fault() -> None:
    def cut(spec: FewSpec) -> FewSpec:
        spec.period -= spec.period % timedelta(seconds=1)
        return spec

    assert "spec.period: was '" in fault_of(few(cut))


def test_values_of_a_map_are_announced_by_a_star() -> None:
    def emptied(spec: FewSpec) -> FewSpec:
        for part in spec.parts.values():
            if part.one is not None:
                part.one = 0
        return spec

    assert "spec.parts." in fault_of(few(emptied))
    check_conversion(few(emptied, lacks=("spec.parts.*.one",), only=("spec.parts.*.one",)), examples=EXAMPLES)


def test_items_without_keys_and_parts_that_are_gone_are_announced_field_by_field() -> None:
    def without(spec: FewSpec) -> FewSpec:
        spec.lines = [Line(text=each.text) for each in spec.lines]
        spec.part = None
        return spec

    announced = ("spec.lines[].note", "spec.part.one", "spec.part.other")
    check_conversion(few(without, lacks=announced, only=announced), examples=EXAMPLES)
    said = fault_of(few(without, lacks=announced[:2], only=announced[:2]))
    assert 'lacks=("spec.part.other",)' in said
    said = fault_of(few(without, lacks=announced[1:], only=announced[1:]))
    assert "spec.lines[0].note: was '0', became absent" in said


def test_an_order_that_is_lost_is_a_fault() -> None:
    def sorted_tags(spec: FewSpec) -> FewSpec:
        spec.tags = sorted(spec.tags)
        return spec

    assert "spec.tags[0]: was '0', became ''" in fault_of(few(sorted_tags))


def test_without_hypothesis_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)

    with pytest.raises(ToolError, match=r"pip install 'windlass\[test\]'"):
        check_conversion(SHOPS)

"""Sample objects: small, complete, and readable by their own type."""

from datetime import timedelta
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampled import sampled
from windlass.api import AllowFloat, Duration, Field, IntOrString, Resource, Spec, Status
from windlass.codegen import sample
from windlass.codegen.sample import sample_file
from windlass.errors import SchemaError

GROUP = "demo.example.com"


def kind_of(annotation: Any, default: Any = ...) -> type[Resource]:
    """A kind whose spec has one field, `value`."""

    class OneSpec(Spec):
        value: annotation = default

    class One(Resource, group=GROUP, version="v1"):
        spec: OneSpec

    return One


def value_of(annotation: Any, default: Any = ...) -> Any:
    """What a sample has for a field of this type."""
    return sample(kind_of(annotation, default))["spec"].get("value")


def test_a_sample_has_name_and_spec_and_no_status() -> None:
    class AppStatus(Status):
        ready: bool

    class App(Resource, group=GROUP, version="v1"):
        spec: Spec = Field(default_factory=Spec)
        status: AppStatus

    assert sample(App) == {
        "apiVersion": "demo.example.com/v1",
        "kind": "App",
        "metadata": {"name": "app-sample"},
        "spec": {},
    }


@pytest.mark.parametrize("kind", sampled(GROUP).values(), ids=sampled(GROUP))
def test_a_sample_is_an_object_of_its_kind(kind: type[Resource]) -> None:
    made = sample(kind)

    read = kind.from_wire(made)
    assert kind.from_wire(read.to_wire()) == read
    assert read.to_wire().get("spec", {}).keys() == made.get("spec", {}).keys()


@pytest.mark.parametrize(
    ("annotation", "field", "value"),
    [
        pytest.param(str, ..., "example", id="a text"),
        pytest.param(str, Field(examples=["shop"]), "shop", id="the first example"),
        pytest.param(str, "fast", "fast", id="a default is shown"),
        pytest.param(
            str, Field(default="fast", examples=["safe"]), "safe", id="an example goes before a default"
        ),
        pytest.param(str | None, None, None, id="what is optional is left out"),
        pytest.param(str | None, Field(default=None, examples=["x"]), "x", id="unless it has an example"),
        pytest.param(str, Field(max_length=3), "exa", id="cut to its longest"),
        pytest.param(str, Field(min_length=9), "exampleex", id="filled to its shortest"),
        pytest.param(int, ..., 1, id="a number"),
        pytest.param(int, Field(gt=7), 8, id="above"),
        pytest.param(int, Field(lt=0), -1, id="below"),
        pytest.param(int, Field(ge=7, multiple_of=5), 10, id="a multiple"),
        pytest.param(IntOrString, ..., 1, id="a number or a text"),
        pytest.param(list[str], Field(min_length=2), ["example", "example"], id="items"),
        pytest.param(dict[str, int], Field(min_length=1), {"example-0": 1}, id="entries"),
        pytest.param(set[str], Field(min_length=1), ["example"], id="one item of a set"),
        pytest.param(Duration, timedelta(minutes=5), "5m0s", id="a default in its own notation"),
    ],
)
def test_the_value_of_a_field(annotation: Any, field: Any, value: Any) -> None:
    assert value_of(annotation, field) == value


@pytest.mark.parametrize(
    ("annotation", "field", "message"),
    [
        pytest.param(
            str, Field(pattern="^[a-z]+$"), r"One\.spec\.value must match '\^\[a-z\]\+\$'", id="pattern"
        ),
        pytest.param(
            list[Annotated[str, Field(pattern="a")]], Field(min_length=1), r"One\.spec\.value\[\]", id="item"
        ),
        pytest.param(
            set[int], Field(min_length=2), r"One\.spec\.value must have 2 different items", id="set"
        ),
        pytest.param(int, Field(gt=3, lt=4), r"One\.spec\.value is bounded so narrowly", id="no number"),
        pytest.param(
            Duration, ..., "no sample can be made: One one-sample does not fit .*spec.value", id="notation"
        ),
    ],
)
def test_what_cannot_be_guessed_is_refused_with_the_way_out(
    annotation: Any, field: Any, message: str
) -> None:
    with pytest.raises(SchemaError, match=message) as raised:
        value_of(annotation, field)

    assert "show what fits with Field(examples=[…])" in str(raised.value)


def test_what_is_optional_needs_no_example() -> None:
    assert value_of(Annotated[str, Field(pattern="^[a-z]+$")] | None, None) is None


NUMBERS = st.integers(-50, 50)
BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "ge": NUMBERS,
        "gt": NUMBERS,
        "le": NUMBERS,
        "lt": NUMBERS,
        "multiple_of": st.sampled_from([1, 2, 5]),
    },
).filter(lambda bounds: not ({"ge", "gt"} <= bounds.keys() or {"le", "lt"} <= bounds.keys()))


@pytest.mark.property
@given(BOUNDS)
def test_a_number_within_bounds_is_found_or_there_is_none(bounds: dict[str, int]) -> None:
    def fits(number: int) -> bool:
        return (
            number >= bounds.get("ge", number)
            and number > bounds.get("gt", number - 1)
            and number <= bounds.get("le", number)
            and number < bounds.get("lt", number + 1)
            and number % bounds.get("multiple_of", 1) == 0
        )

    found: int | None
    try:
        found = value_of(int, Field(**bounds))  # type: ignore[call-overload]
    except SchemaError:
        found = None

    assert fits(found) if found is not None else not any(map(fits, range(-60, 61)))


def test_a_fraction_is_found_between_its_bounds() -> None:
    assert value_of(Annotated[float, AllowFloat()], Field(gt=0.2, lt=0.4)) == pytest.approx(0.3)


def test_one_of_the_alternatives_is_chosen_and_only_one() -> None:
    spec = sample(sampled(GROUP)["Nest"])["spec"]

    assert spec["target"] == {"host": "example"}
    assert spec["selection"] == {"names": []}
    assert "optional" not in spec


def test_an_embedded_object_says_what_it_is() -> None:
    assert sample(sampled(GROUP)["Nest"])["spec"]["template"] == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "example"},
    }


def test_a_file_is_named_by_group_version_and_kind() -> None:
    kind = kind_of(str)

    assert sample_file(kind) == "demo_v1_one.yaml"
    assert sample_file(kind, "demo.example.com") == "demo.example.com_v1_one.yaml"

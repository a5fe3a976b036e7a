from typing import Any

import pytest

from windlass.apiserver.crd.scale import CustomScaling, scale_faults
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.scaling import Size

PATHS = {
    "specReplicasPath": ".spec.size.n",
    "statusReplicasPath": ".status.n",
    "labelSelectorPath": ".status.selector",
}
VERSION = {"name": "v1", "subresources": {"scale": PATHS}}
DEFINITION = {"spec": {"group": "example.com", "versions": [VERSION, {"name": "v2"}]}}


@pytest.fixture
def scaling() -> CustomScaling:
    return CustomScaling(DEFINITION, VERSION)


def complaints(obj: dict[str, Any], *, status: bool = False) -> list[str]:
    return [str(fault) for fault in scale_faults(obj, PATHS, status=status)]


def test_numbers_are_read_where_the_definition_says(scaling: CustomScaling) -> None:
    obj = {"spec": {"size": {"n": 3}}, "status": {"n": 2, "selector": "a=b"}}

    assert scaling.size(obj) == Size(3, 2, "a=b")
    assert scaling.size({"spec": {"size": None}}) == Size(None)


def test_a_number_is_written_where_the_definition_says(scaling: CustomScaling) -> None:
    obj: dict[str, Any] = {"spec": {"other": 1}}

    scaling.resize(obj, 4)

    assert obj == {"spec": {"other": 1, "size": {"n": 4}}}


def test_versions_without_a_scale_have_no_replicas_to_own(scaling: CustomScaling) -> None:
    assert scaling.ownership.paths == {"example.com/v1": ("spec", "size", "n"), "example.com/v2": None}


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ({"size": {"n": "a"}}, ".spec.size.n accessor error: a is of the type string, expected int64"),
        ({"size": {"n": True}}, ".spec.size.n accessor error: true is of the type bool, expected int64"),
        ({"size": {"n": 1.5}}, ".spec.size.n accessor error: 1.5 is of the type float64, expected int64"),
        (
            {"size": {"n": 2**63}},
            ".spec.size.n accessor error: 9.223372036854776e+18 is of the type float64, expected int64",
        ),
        ({"size": {"n": None}}, ".spec.size.n accessor error: <nil> is of the type <nil>, expected int64"),
        (
            {"size": [1]},
            ".spec.size.n accessor error: [1] is of the type []interface {}, expected map[string]interface{}",
        ),
    ],
)
def test_what_is_no_number_can_be_neither_stored_nor_read(
    scaling: CustomScaling, spec: dict[str, Any], complaint: str
) -> None:
    assert complaints({"spec": spec}) == [f".spec.size.n: Invalid value: 0: {complaint}"]
    with pytest.raises(Refusal) as refused:
        scaling.size({"spec": spec})
    assert (refused.value.code, refused.value.message) == (500, complaint)


def test_numbers_are_natural_and_fit_into_32_bits() -> None:
    assert complaints({"spec": {"size": {"n": -1}}, "status": {"n": 2**31}}) == [
        ".spec.size.n: Invalid value: -1: should be a non-negative integer",
        ".status.n: Invalid value: 2147483648: should be less than or equal to 2147483647",
    ]


def test_a_write_to_the_status_answers_for_the_status_only() -> None:
    obj = {"spec": {"size": {"n": -1}}, "status": {"selector": 5}}

    assert complaints(obj, status=True) == [
        (
            '.status.selector: Invalid value: "": '
            ".status.selector accessor error: 5 is of the type int64, expected string"
        )
    ]

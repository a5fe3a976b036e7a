import pytest

from contract_crd import boolean, integer, mapping, obj, spec, string
from windlass.apiserver.crd.check.selectable import selectable_faults
from windlass.schema import Path

SCHEMA = spec(
    {"a": string(), "n": integer(), "on": boolean(), "map": mapping(string()), "free": mapping(string())}
)


def faults(*paths: str) -> list[str]:
    fields = [{"jsonPath": path} for path in paths]
    return [str(fault) for fault in selectable_faults(fields, SCHEMA, Path("f"))]


def test_scalars_can_be_selected_by_also_those_of_a_map() -> None:
    assert faults(".spec.a", ".spec.n", ".spec.on", ".spec.map.key") == []


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        (".", "unexpected end of JSON path"),
        ("..", "does not refer to a valid field"),
        (".spec.", "unexpected end of JSON path"),
        (".spec.a.b", "does not refer to a valid field"),
        (".spec['a']", "array notation is not allowed"),
        (".spec.a]", "expected [ or . but got: ]"),
        ("spec", "expected [ or . but got: spec"),
        (" .spec", "expected [ or . but got:  "),
        (".'spec.a'", "does not refer to a valid field"),
        (".'spec", "does not refer to a valid field"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(path: str, problem: str) -> None:
    assert faults(path) == [f'f[0].jsonPath: Invalid value: "{path}": is an invalid path: {problem}']


def test_the_same_field_counts_once_towards_the_limit() -> None:
    assert faults(*[".spec.a"] * 10) == [
        f'f[{place}].jsonPath: Duplicate value: ".spec.a"' for place in range(1, 10)
    ]


def test_values_of_a_map_of_anything_have_no_type() -> None:
    schema = obj(spec={"type": "object", "additionalProperties": True})

    (fault,) = selectable_faults([{"jsonPath": ".spec.a"}], schema, Path("f"))
    assert "must point to a field of type" in fault.message

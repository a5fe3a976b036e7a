from copy import deepcopy
from typing import Any

import pytest

from contract_crd import definition, integer, spec, string, version
from windlass.apiserver.crd.check import definition_faults, status_faults, warnings
from windlass.apiserver.defaulting import fill

Object = dict[str, Any]

GROUP = "example.com"
CREATED = "2020-01-01T00:00:00Z"
STATUS = {"acceptedNames": {"plural": "", "kind": ""}, "conditions": None, "storedVersions": ["v1"]}


def stored(*versions: Object) -> Object:
    """A definition as it stands in storage."""
    crd = definition(GROUP, *versions)
    fill("apiextensions.k8s.io/v1/CustomResourceDefinition", crd)
    crd["metadata"] |= {"uid": "u", "resourceVersion": "1", "creationTimestamp": CREATED, "generation": 1}
    crd["status"] = deepcopy(STATUS)
    return crd


def faults(crd: Object, old: Object | None = None) -> list[str]:
    return [str(fault) for fault in definition_faults(crd, old)]


def test_a_definition_as_they_are_has_no_faults() -> None:
    assert faults(stored()) == []
    assert faults(stored(), stored()) == []
    assert list(status_faults(stored(), stored())) == []


def test_two_versions_with_one_schema_are_judged_once_and_beside_them() -> None:
    broken: Object = spec(a={})
    versions = [version("v1", broken), version("v2", broken, storage=False)]

    assert faults(stored(*versions)) == [
        (
            "spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Required value: must not be "
            "empty for specified object fields"
        )
    ]


def test_a_status_in_any_version_limits_the_schema_of_all() -> None:
    shared = spec() | {"maxProperties": 3}
    versions = [version("v1", shared, subresources={"status": {}}), version("v2", shared, storage=False)]

    (fault,) = faults(stored(*versions))
    assert fault.startswith("spec.validation.openAPIV3Schema: Invalid value: ")


def test_a_schema_that_does_not_change_is_not_judged_again() -> None:
    broken = stored(version("v1", spec(a={})))
    labelled = deepcopy(broken)
    labelled["metadata"]["labels"] = {"a": "b"}

    assert faults(broken)
    assert faults(labelled, broken) == []


def test_a_schema_is_judged_again_if_it_gets_a_status_beside_it() -> None:
    before = stored(version("v1", spec() | {"maxProperties": 3}))
    after = stored(version("v1", spec() | {"maxProperties": 3}, subresources={"status": {}}))

    assert faults(before) == []
    assert len(faults(after, before)) == 1
    assert faults(before, after) == []


def test_names_of_a_kind_that_is_not_served_yet_may_change_but_for_those_of_the_definition() -> None:
    before = stored()
    after = deepcopy(before)
    after["spec"]["scope"] = "Cluster"
    after["spec"]["names"] |= {"kind": "Gadget", "plural": "gadgets"}

    assert faults(after, before) == ['spec.names.plural: Invalid value: "gadgets": field is immutable']


def test_two_versions_of_one_name_are_stored_once() -> None:
    found = faults(stored(version("v1"), version("v1")))

    assert [each.partition(":")[0] for each in found] == [
        "spec.versions",
        "spec.versions",
        "status.storedVersions",
    ]
    assert found[-1].endswith("must have the storage version v1")


def test_the_first_version_has_a_second_name() -> None:
    crd = stored(version("1"))
    crd["status"]["storedVersions"] = ["1"]

    assert [each.partition(":")[0] for each in faults(crd)] == ["spec.versions[0].name", "spec.version"]


def test_defaults_go_with_pruning_only() -> None:
    crd = stored(version("v1", spec(a=integer(default=1))))
    crd["spec"]["preserveUnknownFields"] = True

    assert [each.partition(": Invalid value: true: ")[2][:24] for each in faults(crd)] == [
        "must be false in order t",
        "cannot set to true, set ",
    ]


@pytest.mark.parametrize(
    ("names", "field"),
    [
        ({"plural": "A_b"}, "plural"),
        ({"listKind": "A_b"}, "listKind"),
        ({"shortNames": ["A"]}, "shortNames[0]"),
    ],
)
def test_a_status_cannot_hold_names_that_cannot_be(names: Object, field: str) -> None:
    crd = stored()
    crd["status"]["acceptedNames"] = names

    (fault,) = status_faults(crd, stored())
    assert fault.field == f"status.acceptedNames.{field}"


def test_a_format_is_warned_of_when_it_is_new() -> None:
    crd = stored(version("v1", spec(a=string(format="banana"), b=string(format="banana"))))
    more = stored(version("v1", spec(a=string(format="banana"), b=string(format="kiwi"))))

    assert warnings(crd, None) == ['unrecognized format "banana"']
    assert warnings(crd, crd) == []
    assert warnings(more, crd) == ['unrecognized format "kiwi"']

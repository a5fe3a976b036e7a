from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.validation.meta import (
    METADATA,
    validate_annotations,
    validate_manager,
    validate_meta,
    validate_meta_update,
    validate_object_meta,
)
from windlass.apiserver.validation.names import dns_subdomain, path_segment

Meta = dict[str, Any]


def told(meta: Meta, *, namespaced: bool = True) -> list[str]:
    whole = {"name": "a", **({"namespace": "n"} if namespaced else {}), **meta}
    return list(map(str, validate_meta(whole, METADATA, namespaced=namespaced, name_rule=dns_subdomain)))


def told_of_update(new: Meta, old: Meta) -> list[str]:
    common = {"name": "a", "resourceVersion": "1", "generation": 2}
    return list(map(str, validate_meta_update({**common, **new}, {**common, **old}, METADATA)))


def owner(**fields: Any) -> Meta:
    return {"apiVersion": "v1", "kind": "Pod", "name": "o", "uid": "u", **fields}


def test_little_is_needed() -> None:
    assert told({}) == []


def test_a_name_is_needed() -> None:
    assert told({"name": ""}) == ["metadata.name: Required value: name or generateName is required"]


def test_a_namespace_is_where_its_kind_says() -> None:
    assert told({"namespace": ""}) == ["metadata.namespace: Required value"]
    assert told({"namespace": "n"}, namespaced=False) == [
        "metadata.namespace: Forbidden: not allowed on this type"
    ]
    assert "metadata.namespace" in told({"namespace": "a.b"})[0]


@pytest.mark.parametrize("prefix", ["a-", "a", "A-"])
def test_the_beginning_of_a_name_may_end_in_a_dash(prefix: str) -> None:
    assert told({"generateName": prefix}) == []  # the last: the server looks at what it puts in its place


def test_the_beginning_of_a_name_is_checked_like_a_name() -> None:
    assert told({"generateName": "Ab-"})[0].startswith('metadata.generateName: Invalid value: "Ab-"')


def test_the_beginning_of_any_name_may_be_dots() -> None:
    meta = {"name": "a", "generateName": ".."}

    assert not list(validate_meta(meta, METADATA, namespaced=False, name_rule=path_segment))


@pytest.mark.parametrize("version", ["", "a/", "a/b/c"])
def test_an_owner_has_a_version(version: str) -> None:
    (fault,) = told({"ownerReferences": [owner(apiVersion=version)]})

    assert (
        fault == f'metadata.ownerReferences.apiVersion: Invalid value: "{version}": version must not be empty'
    )


def test_one_owner_controls() -> None:
    owners = [owner(controller=True), owner(name="p", uid="v", controller=True, blockOwnerDeletion=False)]

    (fault,) = told({"ownerReferences": owners})

    assert fault == (
        "metadata.ownerReferences: Invalid value: "
        '[{"apiVersion":"v1","kind":"Pod","name":"o","uid":"u","controller":true},'
        '{"apiVersion":"v1","kind":"Pod","name":"p","uid":"v","controller":true,"blockOwnerDeletion":false}]: '
        "Only one reference can have Controller set to true. "
        'Found "true" in references for Pod/o and Pod/p'
    )


def test_finalizers_do_not_contradict() -> None:
    (fault,) = told({"finalizers": ["orphan", "foregroundDeletion"]})

    assert fault.endswith("finalizer orphan and foregroundDeletion cannot be both set")


def test_finalizers_without_a_domain_are_for_custom_resources_alone() -> None:
    meta = {"name": "a", "namespace": "n", "finalizers": ["plain", "kubernetes", "example.com/x"]}

    assert told({"finalizers": ["plain"]}) == []
    assert [fault.field for fault in validate_object_meta({"metadata": meta}, None, dns_subdomain)] == [
        "metadata.finalizers[0]"
    ]


def test_managed_fields_are_checked() -> None:
    entries = [
        {"operation": "Delete", "fieldsType": "FieldsV2", "manager": "m" * 129, "subresource": "s" * 257}
    ]

    assert told({"managedFields": entries}) == [
        'metadata.managedFields[0].operation: Invalid value: "Delete": must be `Apply` or `Update`',
        'metadata.managedFields[0].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
        "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
        "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes",
    ]


def test_a_manager_is_printable() -> None:
    (fault,) = validate_manager("ä\n", METADATA)

    assert fault.message.endswith("invalid character U+000A (at position 2)")


def test_the_keys_of_annotations_may_be_in_capitals_and_their_sizes_add_up() -> None:
    half = "x" * (128 * 1024 - 1)

    assert not list(validate_annotations({"Example.COM/a": half, "b": "x"}, METADATA))
    (fault,) = validate_annotations({"a": half, "b": f"{half}x"}, METADATA)
    assert fault.message == "Too long: may not be more than 262144 bytes"


@pytest.mark.parametrize("field", ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp"])
def test_an_update_keeps_what_the_server_set(field: str) -> None:
    assert told_of_update({field: "new"}, {field: "old"}) == [
        f'metadata.{field}: Invalid value: "new": field is immutable'
    ]


def test_an_update_knows_its_version_and_does_not_count_backwards() -> None:
    assert told_of_update({"resourceVersion": "", "generation": 1}, {}) == [
        'metadata.resourceVersion: Invalid value: "": must be specified for an update',
        "metadata.generation: Invalid value: 1: must not be decremented",
    ]


def test_a_deleted_object_gets_no_more_finalizers() -> None:
    deleted = {"deletionTimestamp": "2020-01-01T00:00:00Z", "finalizers": ["a/b"]}

    assert told_of_update({**deleted, "finalizers": []}, deleted) == []
    (fault,) = told_of_update({**deleted, "finalizers": ["a/b", "c/d", "a/c"]}, deleted)
    assert fault == (
        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, "
        'found new finalizers []string{"a/c", "c/d"}'
    )


def test_an_update_does_not_judge_the_name_that_a_kind_once_allowed() -> None:
    obj = {"metadata": {"name": "Old_Name", "namespace": "n", "resourceVersion": "1"}}

    assert not list(validate_object_meta(obj, obj, dns_subdomain))

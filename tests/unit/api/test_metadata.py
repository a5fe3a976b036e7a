from __future__ import annotations

import pytest

from windlass.api import ObjectMeta, OwnerReference


def test_metadata_is_as_the_server_sends_it() -> None:
    wire = {
        "name": "a",
        "creationTimestamp": "2026-01-02T03:04:05Z",
        "deletionTimestamp": "2026-01-02T03:04:06Z",
        "deletionGracePeriodSeconds": 0,
        "managedFields": [
            {
                "manager": "kubectl",
                "operation": "Apply",
                "apiVersion": "v1",
                "time": "2026-01-02T03:04:05Z",
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:data": {".": {}, "f:a": {}}},
                "subresource": "status",
            }
        ],
        "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": True}],
    }
    assert ObjectMeta.from_wire(wire).to_wire() == wire


def test_empty_text_in_metadata_means_not_set() -> None:
    metadata = ObjectMeta()
    assert (metadata.name, metadata.resource_version, metadata.generation, metadata.deletion_timestamp) == (
        "",
        "",
        0,
        None,
    )
    assert metadata.to_wire() == {}


def test_an_owner_reference_needs_to_say_whom_it_means() -> None:
    with pytest.raises(ValueError, match="uid"):
        OwnerReference(api_version="v1", kind="Pod", name="a")  # type: ignore[call-arg] # that is the point

"""Deletions that ask for the impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from contract import Api

PODS = "/api/v1/namespaces/default/pods"


@pytest.mark.parametrize(
    ("preconditions", "what"),
    [
        ({"uid": ""}, "UID in precondition: , UID in object meta: "),
        ({"resourceVersion": ""}, "ResourceVersion in precondition: , ResourceVersion in object meta: "),
        ({"uid": "", "resourceVersion": "1"}, "UID in precondition: , UID in object meta: "),
    ],
)
async def test_an_empty_precondition_of_a_namespace_is_never_met(
    api: Api, preconditions: dict[str, str], what: str
) -> None:
    (await api.send("POST", "/api/v1/namespaces", {"metadata": {"name": "a"}})).ok()

    refused = await api.send("DELETE", "/api/v1/namespaces/a", {"preconditions": preconditions})

    assert f"Precondition failed: {what}" in refused.refused(409, "Conflict")["message"]


@pytest.mark.parametrize("seconds", [2**63 - 1, 10**11, 10**18])
async def test_a_grace_period_of_any_length_is_taken(api: Api, seconds: int) -> None:
    spec = {
        "containers": [{"name": "c", "image": "i"}],
        "nodeName": "n",
        "automountServiceAccountToken": False,
    }
    account = "/api/v1/namespaces/default/serviceaccounts"
    await api.send("POST", account, {"metadata": {"name": "default"}})
    (await api.send("POST", PODS, {"metadata": {"name": "a"}, "spec": spec})).ok()

    deleted = await api.send("DELETE", f"{PODS}/a", {"gracePeriodSeconds": seconds})

    assert deleted.ok()["metadata"]["deletionGracePeriodSeconds"] == seconds


async def test_a_collection_of_definitions_is_deleted_whole(api: Api) -> None:
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    for kind in ("Alpha", "Beta"):
        names = {"plural": f"{kind.lower()}s", "kind": kind}
        spec = {"group": "example.com", "scope": "Cluster", "names": names, "versions": [version]}
        (
            await api.send(
                "POST", path, {"metadata": {"name": f"{names['plural']}.example.com"}, "spec": spec}
            )
        ).ok()

    assert len((await api.send("DELETE", path)).ok()["items"]) == 2

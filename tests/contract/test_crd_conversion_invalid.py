"""Invalid objects of a kind with two versions, whose webhook refuses to convert what is invalid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest

from contract_crd import definition, integer, invalid, obj, string, version
from hooking import allowed, labelled, rule

if TYPE_CHECKING:
    from contract import Object, Reply
    from contract_crd import CustomKind, Definitions
    from hooking import Hooked

JSON_PATCH = "application/json-patch+json"
PARTS = {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}}
FIELDS = {"v1": "address", "v2": "host"}
AMOUNT = integer(minimum=0)
BELOW = "Invalid value: -1: spec.n in body should be greater than or equal to 0"
STATUS_BELOW = "Invalid value: -1: n in body should be greater than or equal to 0"
NEGATIVE = "Invalid value: -1: should be a non-negative integer"
INVALID = {f"spec.n: {BELOW}", f".spec.n: {NEGATIVE}"}
INVALID_STATUS = {f"status.n: {STATUS_BELOW}", f".status.n: {NEGATIVE}"}
NOT_CONVERTED = "it cannot be converted: n is -1"
REFUSES: Object = {"result": {"status": "Failure", "message": NOT_CONVERTED}}


def convert(request: Object) -> Object:
    """Convert objects as a typed webhook does, which reads them before it converts them."""
    if any(
        (each.get(part) or {}).get("n", 0) < 0 for each in request["objects"] for part in ("spec", "status")
    ):
        return REFUSES
    return {
        "result": {"status": "Success"},
        "convertedObjects": [converted(each, request["desiredAPIVersion"]) for each in request["objects"]],
    }


def converted(given: Object, api_version: str) -> Object:
    found: Object = orjson.loads(orjson.dumps({**given, "apiVersion": api_version}))
    spec, wanted = found.get("spec") or {}, FIELDS[api_version.rpartition("/")[2]]
    for name in FIELDS.values():
        if name in spec:
            spec[wanted] = spec.pop(name)
    return found


@pytest.fixture
async def kind(hooked: Hooked, crds: Definitions) -> CustomKind:
    """A kind that is stored in v1 and served in v2, too."""
    hooked.hooks.respond("/convert", convert)
    versions = [
        version(
            name,
            obj(spec=obj({field: string()}, n=AMOUNT), status=obj(n=AMOUNT)),
            storage=name == "v1",
            subresources=PARTS,
        )
        for name, field in FIELDS.items()
    ]
    crd = definition(crds.group, *versions)
    webhook = {"clientConfig": hooked.hooks.client("/convert"), "conversionReviewVersions": ["v1"]}
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
    return await crds.serve_definition(crd)


async def written(kind: CustomKind, name: str) -> Object:
    """An object that was created in this version, and has fields that its creator owns in it."""
    made = await kind.create(name, spec={"n": 1, FIELDS[kind.version]: "x"})
    return made.ok()


def cannot_be_converted(reply: Reply, kind: CustomKind, doing: str = "") -> bool:
    message = (
        f"{doing}conversion webhook for {kind.group}/{kind.version}, Kind=Widget failed: {NOT_CONVERTED}"
    )
    return (reply.status, reply.body.get("reason"), reply.body["message"]) == (500, None, message)


@pytest.mark.parametrize("owner", FIELDS)
@pytest.mark.parametrize("writer", FIELDS)
async def test_an_invalid_write_of_any_version_is_refused_by_validation(
    kind: CustomKind, owner: str, writer: str
) -> None:
    await written(kind.through(owner), "a")
    kind = kind.through(writer)
    one, api = kind.at("a"), kind.api
    live = (await api.get(one)).ok()
    spec, status = {"spec": {**live["spec"], "n": -1}}, {"status": {"n": -1}}
    replaced = [{"op": "replace", "path": "/spec/n", "value": -1}]

    found = {
        "merge patch": invalid(await api.patch(one, spec)),
        "JSON patch": invalid(await api.patch(one, replaced, JSON_PATCH)),
        "update": invalid(await api.update(one, live | spec)),
        "scale": invalid(await api.patch(f"{one}/scale", {"spec": {"replicas": -1}})),
        "create": invalid(await kind.create("b", **spec)),
        "apply that creates": invalid(await api.apply(kind.at("b"), kind.object("b", **spec))),
    }
    found_in_status = {
        "merge patch": invalid(await api.patch(f"{one}/status", status)),
        "update": invalid(await api.update(f"{one}/status", live | status)),
    }

    assert found == dict.fromkeys(found, INVALID)
    assert found_in_status == dict.fromkeys(found_in_status, INVALID_STATUS)
    assert (await api.get(one)).ok() == live


async def test_an_invalid_apply_is_refused_by_validation_where_all_fields_are_owned_in_its_version(
    kind: CustomKind,
) -> None:
    second = kind.through("v2")
    await written(second, "a")
    one = second.at("a")

    spec = await kind.api.apply(one, second.object("a", spec={"n": -1}), force="true")
    status = await kind.api.apply(f"{one}/status", second.object("a", status={"n": -1}), force="true")

    assert (invalid(spec), invalid(status)) == (INVALID, INVALID_STATUS)


async def test_an_invalid_apply_fails_where_fields_are_owned_in_another_version(kind: CustomKind) -> None:
    await written(kind, "a")
    second = kind.through("v2")
    one = second.at("a")

    spec = await kind.api.apply(one, second.object("a", spec={"n": -1}), force="true")
    status = await kind.api.apply(f"{one}/status", second.object("a", status={"n": -1}), force="true")

    for each in (spec, status):
        assert cannot_be_converted(each, second, "failed to convert new object: "), each


async def test_a_valid_write_that_its_owners_cannot_read_is_stored_and_nobody_owns_it(
    hooked: Hooked, kind: CustomKind
) -> None:
    await written(kind.through("v2"), "a")
    hooked.hooks.respond("/convert", REFUSES)

    patched = (await kind.api.patch(kind.at("a"), {"spec": {"address": "y"}})).ok()

    assert patched["spec"] == {"n": 1, "address": "y"}
    assert "managedFields" not in patched["metadata"]
    assert cannot_be_converted(await kind.api.get(kind.through("v2").at("a")), kind)


async def test_an_apply_that_owners_of_another_version_cannot_read_fails(
    hooked: Hooked, kind: CustomKind
) -> None:
    created = await written(kind.through("v2"), "a")
    hooked.hooks.respond("/convert", REFUSES)

    reply = await kind.api.apply(kind.at("a"), kind.object("a", spec={"address": "y"}), force="true")

    assert cannot_be_converted(reply, kind), reply
    hooked.hooks.respond("/convert", convert)
    assert (await kind.api.get(kind.through("v2").at("a"))).ok()["spec"] == created["spec"]


@pytest.mark.parametrize("phase", ["mutating", "validating"])
async def test_a_webhook_of_another_version_is_not_asked_about_what_cannot_be_converted(
    hooked: Hooked, kind: CustomKind, phase: str
) -> None:
    second = kind.through("v2")
    hooked.hooks.respond("/judge", allowed())
    asked = rule("widgets", apiGroups=[kind.group], apiVersions=["v1"])
    hook = hooked.hook("/judge", rules=[asked], matchPolicy="Equivalent", objectSelector=labelled())

    async with hooked.configured(phase, hook):
        hooked.hooks.respond("/convert", REFUSES)
        reply = await second.create("a", spec={"n": 1, "host": "x"})

    status = reply.refused(500, "InternalError")
    said = f"conversion webhook for {second.group}/v2, Kind=Widget failed: {NOT_CONVERTED}"
    nested = "Internal error occurred: " * (phase == "mutating") + said
    assert status["message"] == f"Internal error occurred: {nested}"
    assert status["details"] == {"causes": [{"message": nested}]}
    assert hooked.hooks.requests("/judge") == []

"""What admission webhooks are told of custom resources, and of their Scales."""

from __future__ import annotations

import operator
from functools import reduce
from typing import TYPE_CHECKING

import pytest

from contract_crd import PRESERVE, definition, obj, version
from hooking import CONFIG_MAPS, added, allowed, patched, rule

if TYPE_CHECKING:
    from contract_crd import CustomKind, Definitions
    from hooking import Hooked


UNSETTLED = "unable to convert unstructured object to autoscaling/v1, Kind=Scale"


async def _scaled(crds: Definitions) -> CustomKind:
    """A kind with a Scale, and an object of it, w."""
    paths = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}
    schema = obj(spec=obj(size={"type": "integer", "maximum": 5}), status=obj(size={"type": "integer"}))
    kind = await crds.serve_definition(
        definition(crds.group, version("v1", schema, subresources={"status": {}, "scale": paths}))
    )
    (await kind.create("w", spec={"size": 1})).ok()
    return kind


async def test_a_scale_that_the_object_cannot_have_is_not_judged(hooked: Hooked, crds: Definitions) -> None:
    kind = await _scaled(crds)
    hooked.hooks.respond("/judge", allowed())
    hook = hooked.hook("/judge", rules=[rule("widgets/scale", apiGroups=[crds.group])], objectSelector={})

    async with hooked.validating(hook):
        refused = await hooked.api.patch(f"{kind.path}/w/scale", {"spec": {"replicas": 9}})
        asked = hooked.hooks.requests("/judge")
        (await hooked.api.patch(f"{kind.path}/w/scale", {"spec": {"replicas": 3}})).ok()
        later = hooked.hooks.requests("/judge")

    refused.refused(422, "Invalid")
    assert (len(asked), [each["object"]["spec"] for each in later]) == (0, [{"replicas": 3}])


async def test_a_custom_resource_of_another_kind_is_reviewed_as_one_of_this_and_owned_by_nobody(
    hooked: Hooked, crds: Definitions
) -> None:
    kind = await crds.serve(obj(spec=obj(n={"type": "number"})))
    hooked.hooks.respond("/mutating", allowed())
    hook = hooked.hook("/mutating", rules=[rule("widgets", apiGroups=[crds.group])], objectSelector={})
    body = {**kind.object("w", None, spec={"n": 2.0}), "kind": "Gadget"}

    async with hooked.mutating(hook):
        refused = await hooked.api.create(kind.path, body)
        (found,) = hooked.hooks.requests("/mutating")

    assert 'kind: Invalid value: "Gadget": must be Widget' in refused.refused(422, "Invalid")["message"]
    assert (found["object"]["kind"], "managedFields" in found["object"]["metadata"]) == ("Widget", False)


async def test_a_scale_that_is_seen_in_another_version_can_be_changed(
    hooked: Hooked, crds: Definitions
) -> None:
    paths = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}
    number = {"type": "integer"}
    schema = obj(spec=obj(size=number), status=obj(size=number))
    kind = await crds.serve_definition(
        definition(
            crds.group,
            *(
                version(each, schema, subresources={"scale": paths}, storage=each == "v1")
                for each in ("v1", "v2")
            ),
        )
    )
    (await kind.create("w", spec={"size": 1})).ok()
    hooked.hooks.respond("/mutating", patched(("add", "/spec/replicas", 7)))
    rules = [rule("widgets/scale", apiGroups=[crds.group], apiVersions=["v1"])]

    async with hooked.mutating(hooked.hook("/mutating", rules=rules, objectSelector={})):
        scaled = await hooked.api.patch(f"{kind.through('v2').path}/w/scale", {"spec": {"replicas": 3}})

    assert scaled.ok()["spec"] == {"replicas": 7}


async def test_whole_numbers_of_a_custom_resource_are_reviewed_without_a_point(
    hooked: Hooked, crds: Definitions
) -> None:
    kind = await crds.serve(obj(spec=obj(n={"type": "number"})))
    hooked.hooks.respond("/mutating", allowed())
    hook = hooked.hook("/mutating", rules=[rule("widgets", apiGroups=[crds.group])], objectSelector={})

    async with hooked.mutating(hook):
        (await kind.create("w", spec={"n": 2.0})).ok()
        (found,) = hooked.hooks.requests("/mutating")

    assert repr(found["object"]["spec"]["n"]) == "2"


async def test_a_webhook_sees_what_another_has_put_into_a_custom_object(
    crds: Definitions, hooked: Hooked
) -> None:
    kind = await crds.serve(obj())
    rules = [CONFIG_MAPS, rule(kind.plural, operations=["CREATE"])]
    hooked.hooks.respond(
        "/add", lambda request: added("/unknown", 1) if request["kind"]["group"] else allowed()
    )
    hooked.hooks.respond("/look", allowed())

    async with hooked.mutating(hooked.hook("/add", rules=rules), hooked.hook("/look", rules=rules)):
        created = (await kind.create("a")).ok()

    (seen,) = hooked.hooks.requests("/look")
    assert seen["object"]["unknown"] == 1
    assert "unknown" not in created


async def test_what_is_embedded_is_judged_after_webhooks_changed_the_object(
    hooked: Hooked, crds: Definitions
) -> None:
    child = {"type": "object", "x-kubernetes-embedded-resource": True} | PRESERVE
    kind = await crds.serve(obj(spec=obj(child=child)))
    hooked.hooks.respond("/add", added("/metadata/labels", {"a": "b"}))
    hooked.hooks.respond("/look", allowed())
    rules = [rule(kind.plural, apiGroups=[crds.group])]
    child = {"apiVersion": "v1", "kind": None, "metadata": {"name": None}}
    body = kind.object("w", None, spec={"child": child})

    async with hooked.mutating(
        hooked.hook("/add", rules=rules, objectSelector={}),
        hooked.hook("/look", rules=rules, objectSelector={}),
    ):
        refused = await hooked.api.apply(kind.at("w"), body)
        (seen,) = hooked.hooks.requests("/look")

    assert seen["object"]["spec"]["child"] == child
    refused.refused(422, "Invalid")
    assert refused.fields == ["spec.child.kind"]


async def test_a_patch_that_takes_the_version_away_is_refused_by_whoever_is_to_see_it(
    hooked: Hooked, crds: Definitions
) -> None:
    kind = await crds.serve()
    (await kind.create("w")).ok()
    hook = hooked.hook("/look", rules=[rule(kind.plural, apiGroups=[crds.group])], objectSelector={})

    unseen = await hooked.api.patch(kind.at("w"), {"apiVersion": None})
    async with hooked.mutating(hook):
        refused = await hooked.api.patch(kind.at("w"), {"apiVersion": None})

    assert [each.refused(500, "InternalError")["message"] for each in (unseen, refused)] == [
        "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
        (
            "Internal error occurred: Internal error occurred: /, Kind=Widget is unstructured and is not "
            f'suitable for converting to "{crds.group}/v1"'
        ),
    ]


async def test_a_webhook_sees_what_another_has_put_into_the_scale_of_a_custom_object(
    hooked: Hooked, crds: Definitions
) -> None:
    kind = await _scaled(crds)
    rules = [rule("widgets/scale", apiGroups=[crds.group])]
    hooked.hooks.respond("/add", added("/unknown", {"a": 1}))
    hooked.hooks.respond("/look", allowed())
    hooked.hooks.respond("/judge", allowed())
    add, look, judge = (
        hooked.hook(path, rules=rules, objectSelector={}) for path in ("/add", "/look", "/judge")
    )

    async with hooked.mutating(add, look), hooked.validating(judge):
        (await hooked.api.patch(f"{kind.path}/w/scale", {"spec": {"replicas": 3}})).ok()
        seen = [hooked.hooks.requests(path)[0]["object"].get("unknown") for path in ("/look", "/judge")]

    assert seen == [{"a": 1}, None]


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("/spec/replicas", "x", f"{UNSETTLED}: unrecognized type: int32"),
        ("/spec/replicas", 2.5, f"{UNSETTLED}: cannot convert float64 to int32"),
        ("/spec", 1, f"{UNSETTLED}: cannot restore struct from: int64"),
        ("/kind", "Other", 'no kind "Other" is registered for version "autoscaling/v1" in scheme'),
        ("/apiVersion", "v1", 'no kind "Scale" is registered for version "v1" in scheme'),
        ("/apiVersion", None, "Object 'apiVersion' is missing in 'unstructured object has no version'"),
    ],
)
async def test_what_is_no_scale_any_more_is_refused_when_all_have_seen_it(
    hooked: Hooked, crds: Definitions, path: str, value: object, why: str
) -> None:
    kind = await _scaled(crds)
    rules = [rule("widgets/scale", apiGroups=[crds.group])]
    hooked.hooks.respond("/add", patched(("add", path, value)))
    hooked.hooks.respond("/look", allowed())
    hooks = [hooked.hook(each, rules=rules, objectSelector={}) for each in ("/add", "/look")]

    async with hooked.mutating(*hooks):
        refused = await hooked.api.patch(f"{kind.path}/w/scale", {"spec": {"replicas": 3}})
        (seen,) = hooked.hooks.requests("/look")

    assert refused.refused(500, None)["message"].startswith(why)
    assert reduce(operator.getitem, path.split("/")[1:], seen["object"]) == value


async def test_whoever_judges_a_first_size_is_told_that_there_was_none(
    hooked: Hooked, crds: Definitions
) -> None:
    kind = await _scaled(crds)
    (await hooked.api.patch(kind.at("w"), {"spec": {"size": None}})).ok()
    hooked.hooks.respond("/judge", allowed())
    hook = hooked.hook("/judge", rules=[rule("widgets/scale", apiGroups=[crds.group])], objectSelector={})

    async with hooked.validating(hook):
        (await hooked.api.patch(f"{kind.path}/w/scale", {"spec": {"replicas": 2}})).ok()
        (seen,) = hooked.hooks.requests("/judge")

    assert (seen["oldObject"]["spec"], seen["object"]["spec"]) == ({}, {"replicas": 2})


async def test_a_scale_that_webhooks_leave_empty_is_one(hooked: Hooked, crds: Definitions) -> None:
    kind = await _scaled(crds)
    rules = [rule("widgets/scale", apiGroups=[crds.group])]
    hooked.hooks.respond("/empty", patched(("replace", "/spec", None), ("replace", "/metadata", None)))

    async with hooked.mutating(hooked.hook("/empty", rules=rules, objectSelector={})):
        scaled = await hooked.api.patch(f"{kind.path}/w/scale", {"spec": {"replicas": 3}})

    assert scaled.ok()["spec"] == {}


async def test_a_scale_whose_version_is_none_is_refused_at_once(hooked: Hooked, crds: Definitions) -> None:
    kind = await _scaled(crds)
    rules = [rule("widgets/scale", apiGroups=[crds.group])]
    hooked.hooks.respond("/add", patched(("add", "/apiVersion", "a/b/c")))
    hooks = [hooked.hook(each, rules=rules, objectSelector={}) for each in ("/add", "/look")]

    async with hooked.mutating(*hooks):
        refused = await hooked.api.patch(f"{kind.path}/w/scale", {"spec": {"replicas": 3}})

    message = refused.refused(500, "InternalError")["message"]
    assert message == "Internal error occurred: unexpected GroupVersion string: a/b/c"
    assert hooked.hooks.requests("/look") == []


@pytest.mark.parametrize("change", [allowed(), added("/unknown", 1)], ids=["left", "changed"])
async def test_a_scale_that_does_not_say_its_version_is_seen_with_it(
    hooked: Hooked, crds: Definitions, change: dict[str, object]
) -> None:
    kind = await _scaled(crds)
    rules = [rule("widgets/scale", apiGroups=[crds.group])]
    hooked.hooks.respond("/one", change)
    hooked.hooks.respond("/two", allowed())
    hooks = [hooked.hook(path, rules=rules, objectSelector={}) for path in ("/one", "/two")]
    scale = (await hooked.api.get(f"{kind.path}/w/scale")).ok()
    del scale["apiVersion"]

    async with hooked.mutating(*hooks):
        (await hooked.api.update(f"{kind.path}/w/scale", scale)).ok()
        seen = [hooked.hooks.requests(path)[0]["object"]["apiVersion"] for path in ("/one", "/two")]

    assert seen == ["autoscaling/v1"] * 2

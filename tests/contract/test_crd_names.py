"""custom resource definitions: names that two kinds want, scopes, and the names of objects."""

import pytest

from contract import Api, Object, Reply
from contract_crd import (
    CRDS,
    Definitions,
    conditions,
    definition,
    integer,
    invalid,
    is_established,
    obj,
    spec,
    string,
)
from polling import until


def is_judged(reply: Reply) -> bool:
    return "NamesAccepted" in conditions(reply.ok())


def is_refused(reply: Reply) -> bool:
    return is_judged(reply) and conditions(reply.ok())["NamesAccepted"]["status"] == "False"


@pytest.mark.parametrize(
    ("names", "reason", "taken", "accepted"),
    [
        pytest.param(
            {"kind": "Widget", "singular": "gadget", "listKind": "GadgetList"},
            "KindConflict",
            "Widget",
            {"plural": "gadgets", "singular": "gadget", "kind": "", "listKind": "GadgetList"},
            id="kind",
        ),
        pytest.param(
            {"kind": "Gadget", "listKind": "WidgetList"},
            "ListKindConflict",
            "WidgetList",
            {"plural": "gadgets", "singular": "gadget", "kind": "Gadget"},
            id="list-kind",
        ),
        pytest.param(
            {"kind": "Gadget", "singular": "widget"},
            "SingularConflict",
            "widget",
            {"plural": "gadgets", "kind": "Gadget", "listKind": "GadgetList"},
            id="singular",
        ),
        pytest.param(
            {"kind": "Gadget", "shortNames": ["gd", "widgets"]},
            "ShortNamesConflict",
            "widgets",
            {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
            id="short-name",
        ),
    ],
)
async def test_a_name_that_is_taken_in_the_group_keeps_a_kind_from_being_served(
    api: Api, crds: Definitions, *, names: Object, reason: str, taken: str, accepted: Object
) -> None:
    await crds.serve()
    crd = definition(crds.group, plural="gadgets")
    crd["spec"]["names"] |= names
    (await crds.create(crd)).ok()

    judged = (await until(lambda: api.get(f"{CRDS}/gadgets.{crds.group}"), is_judged)).ok()

    refused, established = (conditions(judged)[kind] for kind in ("NamesAccepted", "Established"))
    assert (refused["status"], refused["reason"]) == ("False", reason)
    assert refused["message"] == f'"{taken}" is already in use'
    assert (established["status"], established["reason"]) == ("False", "NotAccepted")
    assert established["message"] == "not all names are accepted"
    assert judged["status"]["acceptedNames"] == accepted
    assert (await api.get(f"/apis/{crds.group}/v1/gadgets")).status == 404


async def test_a_kind_is_served_once_the_names_that_it_waits_for_are_free(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve()
    (await crds.create(definition(crds.group, plural="gadgets"))).ok()
    await until(lambda: api.get(f"{CRDS}/gadgets.{crds.group}"), is_refused)

    (await api.delete(widgets.definition)).ok()

    await until(lambda: api.get(f"{CRDS}/gadgets.{crds.group}"), is_established)
    await until(lambda: api.get(f"/apis/{crds.group}/v1/gadgets"), lambda reply: reply.status == 200)


async def test_a_kind_keeps_being_served_when_it_asks_for_a_name_that_is_taken(
    api: Api, crds: Definitions
) -> None:
    await crds.serve_definition(definition(crds.group, plural="gadgets", kind="Gadget"))
    widgets = await crds.serve()

    (await api.patch(widgets.definition, {"spec": {"names": {"shortNames": ["wd", "gadgets"]}}})).ok()

    crd = (await until(lambda: api.get(widgets.definition), is_refused)).ok()
    assert conditions(crd)["Established"]["status"] == "True"
    assert "shortNames" not in crd["status"]["acceptedNames"]
    assert crd["spec"]["names"]["shortNames"] == ["wd", "gadgets"]
    await until(lambda: api.get(widgets.path), lambda reply: reply.status == 200)


async def test_who_gives_up_a_name_that_is_taken_is_not_judged_again(api: Api, crds: Definitions) -> None:
    first = crds.new()
    first["spec"]["names"]["shortNames"] = ["wi"]
    await crds.serve_definition(first)
    second = definition(crds.group, plural="gadgets", kind="Gadget")
    second["spec"]["names"]["shortNames"] = ["wi"]
    path = f"{CRDS}/gadgets.{crds.group}"
    (await crds.create(second)).ok()
    await until(lambda: api.get(path), is_refused)

    (await api.patch(path, {"spec": {"names": {"shortNames": None}}})).ok()
    await crds.serve_definition(definition(crds.group, plural="things", kind="Thing"))
    assert is_refused(await api.get(path))

    (await api.patch(path, {"spec": {"names": {"shortNames": ["ga"]}}})).ok()
    await until(lambda: api.get(path), is_established)


async def test_names_that_somebody_else_says_were_accepted_are_put_right(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(obj())
    accepted = (await api.get(widgets.definition)).ok()["status"]["acceptedNames"]

    (await api.patch(f"{widgets.definition}/status", {"status": {"acceptedNames": {"kind": "Other"}}})).ok()

    found = await until(
        lambda: api.get(widgets.definition),
        lambda reply: bool(reply.ok()["status"]["acceptedNames"] == accepted),
    )
    assert conditions(found.ok())["NamesAccepted"]["status"] == "True"


async def test_short_names_may_change_and_discovery_follows(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    (await api.patch(widgets.definition, {"spec": {"names": {"shortNames": ["wd"], "singular": "wid"}}})).ok()

    def follows(reply: Reply) -> bool:
        found = reply.body["resources"][0] if reply.status == 200 else {}
        return (found.get("shortNames"), found.get("singularName")) == (["wd"], "wid")

    await until(lambda: api.get(f"/apis/{crds.group}/v1"), follows)


async def test_the_same_names_in_two_groups_do_not_meet(api: Api, crds: Definitions) -> None:
    here = await crds.serve()
    there = await crds.serve_definition(definition(f"other.{crds.group}"))

    (await here.create("a", spec={"group": "here"})).ok()
    (await there.create("a", spec={"group": "there"})).ok()

    assert (await api.get(here.at("a"))).ok()["spec"] == {"group": "here"}
    assert (await api.get(there.at("a"))).ok()["spec"] == {"group": "there"}


async def test_a_kind_may_be_called_like_a_built_in_one(api: Api, crds: Definitions, pods: str) -> None:
    mine = await crds.serve_definition(definition(crds.group, plural="pods", kind="Pod"))

    (await mine.create("a", spec={"peas": 7})).ok()

    assert (await api.get(mine.at("a"))).ok()["spec"] == {"peas": 7}
    (await api.get(f"{pods}/a")).refused(404, "NotFound")


async def test_an_object_of_a_cluster_wide_kind_has_no_namespace(
    api: Api, crds: Definitions, namespace: str
) -> None:
    crd = crds.new()
    crd["spec"]["scope"] = "Cluster"
    widgets = await crds.serve_definition(crd)

    created = (await widgets.create("a", {"namespace": namespace})).ok()

    assert "namespace" not in created["metadata"]
    assert (await api.get(f"/apis/{crds.group}/v1/widgets/a")).status == 200
    assert (await api.get(f"/apis/{crds.group}/v1/namespaces/{namespace}/widgets/a")).status == 404
    assert (await api.get(widgets.path, fieldSelector="metadata.namespace=x")).status == 400


async def test_a_namespaced_kind_is_listed_across_namespaces_but_not_created(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    everywhere = f"/apis/{crds.group}/v1/widgets"

    assert len((await api.get(everywhere)).ok()["items"]) == 1
    for refused in (await api.create(everywhere, widgets.object("b")), await api.get(f"{everywhere}/a")):
        assert (refused.status, refused.body) == (404, "404 page not found\n")


async def test_an_object_needs_an_existing_namespace(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    reply = await api.create(f"/apis/{crds.group}/v1/namespaces/nowhere/widgets", widgets.object("a"))

    assert reply.refused(404, "NotFound")["message"] == 'namespaces "nowhere" not found'


async def test_an_object_may_have_a_name_with_dots(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    (await widgets.create("a.b.example.com")).ok()

    assert (await api.get(widgets.at("a.b.example.com"))).status == 200


@pytest.mark.parametrize("name", ["Upper", "under_score", "-dash", "a" * 254])
async def test_an_object_is_named_like_a_domain(crds: Definitions, name: str) -> None:
    widgets = await crds.serve()

    reply = await widgets.create(name)

    reply.refused(422, "Invalid")
    assert reply.fields == ["metadata.name"]


async def test_an_object_may_leave_its_name_to_the_server(crds: Definitions) -> None:
    widgets = await crds.serve()

    named = (await widgets.create(metadata={"generateName": "made-"})).ok()["metadata"]["name"]

    assert named.startswith("made-")
    assert len(named) == len("made-") + 5
    assert invalid(await widgets.create()) == {
        "metadata.name: Required value: name or generateName is required"
    }


async def test_a_schema_may_limit_names_also_those_that_the_server_makes(crds: Definitions) -> None:
    widgets = await crds.serve(obj(metadata=obj(name=string(maxLength=4, pattern="^w"))))

    assert (await widgets.create("wide")).status == 201
    assert invalid(await widgets.create("narrow")) == {
        "metadata.name: Too long: may not be more than 4 bytes"
    }
    assert invalid(await widgets.create("tall")) == {
        "metadata.name: Invalid value: \"tall\": metadata.name in body should match '^w'"
    }
    assert invalid(await widgets.create(metadata={"generateName": "w"})) == {
        "metadata.name: Too long: may not be more than 4 bytes"
    }


async def test_an_objects_kind_and_version_are_those_of_its_path(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    kind = await api.create(widgets.path, widgets.object("a") | {"kind": "Gadget"})
    group_version = await api.create(widgets.path, widgets.object("a") | {"apiVersion": "a.b/v1"})
    neither = await api.create(widgets.path, {"metadata": {"name": "a"}})

    assert invalid(kind) == {'kind: Invalid value: "Gadget": must be Widget'}
    assert group_version.refused(400, "BadRequest")["message"] == (
        f"the API version in the data (a.b/v1) does not match the expected API version ({crds.group}/v1)"
    )
    assert neither.refused(400, "BadRequest")["message"].startswith(
        "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in "
    )


async def test_refusals_name_the_kind_with_its_group(crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    (await widgets.create("a")).ok()

    taken = (await widgets.create("a")).refused(409, "AlreadyExists")
    wrong = (await widgets.create("b", spec={"a": "x"})).refused(422, "Invalid")

    assert taken["message"] == f'widgets.{crds.group} "a" already exists'
    assert taken["details"] == {"name": "a", "group": crds.group, "kind": "widgets"}
    assert wrong["message"] == (
        f'Widget.{crds.group} "b" is invalid: spec.a: Invalid value: "string": '
        'spec.a in body must be of type integer: "string"'
    )
    assert (wrong["details"]["group"], wrong["details"]["kind"]) == (crds.group, "Widget")

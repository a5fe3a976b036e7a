"""custom resource definitions: what the server fills in, and what it refuses around the schema."""

from collections.abc import Callable
from typing import Any

import pytest

from contract import Api, Object
from contract_crd import (
    CRDS,
    TABLE,
    Definitions,
    conditions,
    definition,
    invalid,
    obj,
    spec,
    string,
    version,
    warning,
)
from polling import until

WEBHOOK: Object = {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com/convert"}}
LABEL = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
    "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
    "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)


async def test_a_definition_is_answered_before_anything_is_accepted(crds: Definitions) -> None:
    reply = await crds.create(crds.new())

    assert reply.status == 201
    assert reply.body["status"] == {
        "conditions": None,
        "acceptedNames": {"plural": "", "kind": ""},
        "storedVersions": ["v1"],
    }


async def test_singular_list_kind_and_conversion_have_defaults(crds: Definitions) -> None:
    crd = (await crds.create(definition(crds.group, plural="mice", kind="FieldMouse"))).ok()

    assert crd["spec"]["names"] == {
        "plural": "mice",
        "singular": "fieldmouse",
        "kind": "FieldMouse",
        "listKind": "FieldMouseList",
    }
    assert crd["spec"]["conversion"] == {"strategy": "None"}


async def test_a_status_sent_with_a_new_definition_is_ignored(crds: Definitions) -> None:
    made_up = {"storedVersions": ["v9"], "acceptedNames": {"plural": "x", "kind": "X"}, "conditions": []}

    crd = (await crds.create({**crds.new(), "status": made_up})).ok()

    assert crd["status"]["storedVersions"] == ["v1"]
    assert crd["status"]["acceptedNames"]["kind"] == ""


async def test_the_name_is_plural_dot_group(crds: Definitions) -> None:
    crd = crds.new()
    crd["metadata"]["name"] = f"gadgets.{crds.group}"

    reply = await crds.create(crd)

    complaint = f'Invalid value: "gadgets.{crds.group}": must be spec.names.plural+"."+spec.group'
    assert invalid(reply) == {f"metadata.name: {complaint}"}
    assert reply.body["details"]["kind"] == "CustomResourceDefinition"
    assert reply.body["details"]["group"] == "apiextensions.k8s.io"
    assert reply.body["message"] == (
        f'CustomResourceDefinition.apiextensions.k8s.io "gadgets.{crds.group}" is invalid: '
        f"metadata.name: {complaint}"
    )


@pytest.mark.parametrize(
    ("edit", "complaints"),
    [
        pytest.param(
            lambda spec: spec["names"].pop("kind"),
            {f"spec.names.{name}: Required value" for name in ("kind", "singular", "listKind")},
            id="no-kind",
        ),
        pytest.param(
            lambda spec: spec["names"].update(kind="Wid_get", listKind="WidgetList"),
            {
                f'spec.names.kind: Invalid value: "Wid_get": may have mixed case, but should otherwise match: {LABEL}'
            }
            | {f'spec.names.singular: Invalid value: "wid_get": {LABEL}'},
            id="bad-kind",
        ),
        pytest.param(
            lambda spec: spec["names"].update(listKind="Widget"),
            {'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'},
            id="list-kind-is-kind",
        ),
        pytest.param(
            lambda spec: spec["names"].update(shortNames=["w", "W"], categories=["All"]),
            {
                f'spec.names.shortNames[1]: Invalid value: "W": {LABEL}',
                f'spec.names.categories[0]: Invalid value: "All": {LABEL}',
            },
            id="bad-short-name-and-category",
        ),
        pytest.param(lambda spec: spec.pop("scope"), {"spec.scope: Required value"}, id="no-scope"),
        pytest.param(
            lambda spec: spec.update(scope="Galaxy"),
            {'spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"'},
            id="unknown-scope",
        ),
        pytest.param(
            lambda spec: spec["versions"][0].pop("schema"),
            {"spec.versions[0].schema.openAPIV3Schema: Required value"},
            id="no-schema",
        ),
        pytest.param(
            lambda spec: spec.update(preserveUnknownFields=True),
            {
                (
                    "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set "
                    "x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
                )
            },
            id="preserve-unknown-fields",
        ),
        pytest.param(
            lambda spec: spec["versions"][0].update(deprecationWarning="old"),
            {
                (
                    'spec.versions[0].deprecationWarning: Invalid value: "old": '
                    "can only be set for deprecated versions"
                )
            },
            id="deprecation-warning-of-a-current-version",
        ),
        pytest.param(
            lambda spec: spec.update(conversion={"strategy": "Magic"}),
            {'spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'},
            id="unknown-conversion",
        ),
        pytest.param(
            lambda spec: spec.update(conversion={"strategy": "Webhook"}),
            {
                "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
                "spec.conversion.conversionReviewVersions: Required value",
            },
            id="webhook-without-configuration",
        ),
        pytest.param(
            lambda spec: spec.update(conversion={"strategy": "None", "webhook": WEBHOOK}),
            {
                f"spec.conversion.{field}: Forbidden: should not be set when strategy is not set to Webhook"
                for field in ("webhookClientConfig", "conversionReviewVersions")
            },
            id="webhook-configuration-without-webhook",
        ),
        pytest.param(
            lambda spec: spec.update(
                conversion={"strategy": "Webhook", "webhook": {**WEBHOOK, "conversionReviewVersions": ["v9"]}}
            ),
            {
                (
                    'spec.conversion.conversionReviewVersions: Invalid value: ["v9"]: '
                    "must include at least one of v1, v1beta1"
                )
            },
            id="no-known-review-version",
        ),
    ],
)
async def test_a_faulty_definition_is_refused(
    crds: Definitions, edit: Callable[[Object], Any], complaints: set[str]
) -> None:
    crd = crds.new()
    edit(crd["spec"])

    assert invalid(await crds.create(crd)) == complaints


async def test_a_group_needs_a_dot(crds: Definitions) -> None:
    assert invalid(await crds.create(definition("nodot"))) == {
        'spec.group: Invalid value: "nodot": should be a domain with at least one dot'
    }


@pytest.mark.parametrize("storing", [[], ["v1", "v2"]], ids=["none", "two"])
async def test_exactly_one_version_is_stored(crds: Definitions, storing: list[str]) -> None:
    versions = [version(name, storage=name in storing) for name in ("v1", "v2")]

    reply = await crds.create(definition(crds.group, *versions))

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.versions", "status.storedVersions"]
    assert reply.body["details"]["causes"][0]["message"].endswith(
        ": must have exactly one version marked as storage version"
    )


async def test_version_names_are_unique(crds: Definitions) -> None:
    reply = await crds.create(definition(crds.group, version(), version(storage=False)))

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.versions"]
    assert reply.body["details"]["causes"][0]["message"].endswith(": must contain unique version names")


async def test_no_version_is_served_unless_asked_for(crds: Definitions) -> None:
    crd = crds.new()
    crd["spec"]["versions"][0].pop("served")

    assert (await crds.create(crd)).ok()["spec"]["versions"][0]["served"] is False


async def test_a_service_that_converts_has_a_default_port(crds: Definitions) -> None:
    webhook = {**WEBHOOK, "clientConfig": {"service": {"namespace": "a", "name": "b"}}}
    crd = crds.new()
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}

    stored = (await crds.create(crd)).ok()["spec"]["conversion"]

    assert stored["webhook"]["clientConfig"]["service"] == {"namespace": "a", "name": "b", "port": 443}


async def test_a_protected_group_needs_approval(crds: Definitions, namespace: str) -> None:
    field = "metadata.annotations[api-approved.kubernetes.io]"
    see = "see https://github.com/kubernetes/enhancements/pull/1111"
    crd = definition(f"{namespace}.k8s.io")

    assert invalid(await crds.create(crd)) == {
        f'{field}: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", {see}'
    }

    crd["metadata"]["annotations"] = {"api-approved.kubernetes.io": "surely"}
    assert invalid(await crds.create(crd)) == {
        (
            f'{field}: Invalid value: "surely": protected groups must have approval annotation '
            f'"api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", {see}'
        )
    }

    crd["metadata"]["annotations"] = {"api-approved.kubernetes.io": "unapproved, an experiment"}
    assert (await crds.create(crd)).status == 201


async def test_a_definition_says_whether_its_protected_group_was_approved(
    api: Api, crds: Definitions, namespace: str
) -> None:
    crd = definition(f"{namespace}.k8s.io")
    crd["metadata"]["annotations"] = {"api-approved.kubernetes.io": "unapproved, an experiment"}
    (await crds.create(crd)).ok()

    judged = await until(
        lambda: api.get(f"{CRDS}/widgets.{namespace}.k8s.io"),
        lambda reply: "KubernetesAPIApprovalPolicyConformant" in conditions(reply.ok()),
    )

    condition = conditions(judged.body)["KubernetesAPIApprovalPolicyConformant"]
    assert (condition["status"], condition["reason"]) == ("False", "UnapprovedAnnotation")


async def test_unknown_fields_and_formats_in_a_definition_are_warned_of(crds: Definitions) -> None:
    reply = await crds.create(crds.new(spec(a=string(const="x"), b=string(format="banana"))))

    assert reply.status == 201
    path = "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.const"
    assert reply.warnings == (warning(f'unknown field "{path}"'), warning('unrecognized format "banana"'))


async def test_exclusive_bounds_are_booleans_not_numbers(crds: Definitions) -> None:
    reply = await crds.create(crds.new(spec(a={"type": "integer", "exclusiveMinimum": 3})))

    assert "cannot unmarshal number into Go struct field" in reply.refused(400, "BadRequest")["message"]
    assert reply.body["message"].endswith(".exclusiveMinimum of type bool")


@pytest.mark.parametrize(
    ("change", "complaints"),
    [
        ({"scope": "Cluster"}, {'spec.scope: Invalid value: "Cluster": field is immutable'}),
        ({"names": {"kind": "Gadget"}}, {'spec.names.kind: Invalid value: "Gadget": field is immutable'}),
        (
            {"names": {"plural": "gadgets"}},
            {'spec.names.plural: Invalid value: "gadgets": field is immutable'},
        ),
        ({"group": "a.b"}, {'spec.group: Invalid value: "a.b": field is immutable'}),
    ],
    ids=["scope", "kind", "plural", "group"],
)
async def test_what_names_a_served_kind_never_changes(
    api: Api, crds: Definitions, change: Object, complaints: set[str]
) -> None:
    widgets = await crds.serve()

    assert invalid(await api.patch(widgets.definition, {"spec": change})) == complaints


async def test_an_update_of_a_definition_needs_a_resource_version(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    assert invalid(await api.update(widgets.definition, crds.new())) == {
        "metadata.resourceVersion: Invalid value: 0: must be specified for an update"
    }


async def test_a_definitions_generation_follows_its_spec_only(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(obj())

    labelled = (await api.patch(widgets.definition, {"metadata": {"labels": {"a": "b"}}})).ok()
    renamed = (await api.patch(widgets.definition, {"spec": {"names": {"categories": ["all"]}}})).ok()

    assert labelled["metadata"]["generation"] == 1
    assert renamed["metadata"]["generation"] == 2


async def test_a_definition_can_be_applied(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(obj())
    crd = crds.new(obj())
    crd["spec"]["names"]["shortNames"] = ["wd"]

    applied = (await api.apply(widgets.definition, crd, force=True)).ok()

    assert applied["spec"]["names"]["shortNames"] == ["wd"]
    assert applied["spec"]["names"]["listKind"] == "WidgetList"


async def test_a_dry_run_defines_nothing(api: Api, crds: Definitions) -> None:
    assert (await api.create(CRDS, crds.new(), dryRun="All")).status == 201

    (await api.get(f"{CRDS}/widgets.{crds.group}")).refused(404, "NotFound")


async def test_definitions_are_listed_with_their_creation_time(api: Api, crds: Definitions) -> None:
    crd = (await crds.create(crds.new())).ok()

    table = await api.get(f"{CRDS}/widgets.{crds.group}", accept=TABLE)

    assert [column["name"] for column in table.ok()["columnDefinitions"]] == ["Name", "Created At"]
    assert table.body["rows"][0]["cells"] == [
        crd["metadata"]["name"],
        crd["metadata"]["creationTimestamp"],
    ]

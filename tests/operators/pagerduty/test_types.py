"""The three kinds as the API server knows them: old manifests as they are, and what is refused."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import ObjectMeta, read_yaml
from windlass.client import Client, ClientOptions, Request
from windlass.codegen import custom_resource_definitions, load_project
from windlass.errors import Invalid
from windlass.kinds.core.v1 import Namespace
from windlass.operators.pagerduty import GROUP, BusinessService, EscalationPolicy, PagerdutyService
from windlass.operators.pagerduty.types import SecretKeyRef
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Json
    from windlass.cluster import Cluster

JSON = {"content-type": "application/json"}
KINDS = (EscalationPolicy, PagerdutyService, BusinessService)
OLD = [
    (
        EscalationPolicy,
        {
            "name": "my-policy",
            "description": "This is my policy",
            "num_loops": 2,
            "on_call_handoff_notifications": "if_has_services",
            "escalation_rules": [{"escalation_delay_in_minutes": 10, "targets": ["P1NKFZC"]}],
            "teams": "",
        },
    ),
    (EscalationPolicy, {"num_loops": 0}),
    (
        PagerdutyService,
        {
            "name": "my-service",
            "description": "",
            "auto_resolve_timeout": 14400,
            "acknowledgement_timeout": None,
            "status": "active",
            "escalation_policy_ref": "my-policy2",
            "alert_creation": "create_incidents",
        },
    ),
    (BusinessService, {"name": "b", "description": "", "point_of_contact": "me", "team": ""}),
    (BusinessService, {}),
]
TOKEN = {"name": "pagerduty", "key": "token"}
BOTH_SPELLINGS = [
    {"token_secret_ref": TOKEN},
    {"tokenSecretRef": TOKEN},
    {"token_secret_ref": TOKEN, "tokenSecretRef": TOKEN},
]
REFUSED: list[tuple[Any, Json, str]] = [
    (
        PagerdutyService,
        {"escalation_policy_ref": "p", "escalation_policy_id": "P1"},
        "at most one of escalation_policy_ref, escalation_policy_id",
    ),
    *(
        (
            kind,
            {"token_secret_ref": TOKEN, "tokenSecretRef": TOKEN | changed},
            "token_secret_ref and tokenSecretRef differ",
        )
        for kind, changed in zip(KINDS, ({"name": "other"}, {"key": "other"}, {"name": "other"}), strict=True)
    ),
    (PagerdutyService, {"status": "broken"}, "spec.status"),
    (PagerdutyService, {"auto_resolve_timeout": -1}, "spec.auto_resolve_timeout"),
    (PagerdutyService, {"support_hours": {"time_zone": "UTC"}}, "start_time"),
    (EscalationPolicy, {"num_loops": -1}, "spec.num_loops"),
    (EscalationPolicy, {"escalation_rules": [{"targets": ["P"] * 11}]}, "spec.escalation_rules[0].targets"),
    (
        EscalationPolicy,
        {"escalation_rules": [{"target_refs": [{"email": "a@b", "schedule_name": "c"}]}]},
        "exactly one of id, email, schedule_name",
    ),
    (
        EscalationPolicy,
        {"escalation_rules": [{"target_refs": [{"email": "a@b", "type": "user"}]}]},
        "type belongs to an id",
    ),
    (
        BusinessService,
        {"supporting_services": [{"ref": "a", "id": "P1"}]},
        "exactly one of ref, business_ref, id",
    ),
]


@pytest.fixture
async def client(api_server: Cluster) -> AsyncIterator[Client]:
    """A person in a namespace, with the kinds installed."""
    async with Client(api_server.transport(), ClientOptions(namespace="shop")) as made:
        await made.create(Namespace(metadata=ObjectMeta(name="shop")))
        await install_kinds(made, KINDS)
        yield made


@pytest.mark.parametrize(("kind", "spec"), OLD)
async def test_an_old_manifest_is_taken_and_kept_as_it_is(client: Client, kind: Any, spec: Json) -> None:
    body = {
        "apiVersion": f"{GROUP}/v1alpha1",
        "kind": kind.__name__,
        "metadata": {"name": "old"},
        "spec": spec,
    }
    path = f"/apis/{GROUP}/v1alpha1/namespaces/shop/{kind.__kind__.plural}"
    made = await client.json(Request(method="POST", path=path, body=_encoded(body), headers=JSON))

    assert made["spec"] == spec


@pytest.mark.parametrize(("kind", "spec", "said"), REFUSED)
async def test_what_cannot_be_meant_is_refused(client: Client, kind: Any, spec: Json, said: str) -> None:
    with pytest.raises(Invalid) as refused:
        await client.create(kind.from_wire({"metadata": {"name": "wrong"}, "spec": spec}))

    assert said in str(refused.value)


@pytest.mark.parametrize("spec", BOTH_SPELLINGS)
@pytest.mark.parametrize("kind", KINDS)
async def test_the_secret_of_the_token_may_be_named_in_two_spellings(
    client: Client, kind: Any, spec: Json
) -> None:
    made = await client.create(kind.from_wire({"metadata": {"name": "o"}, "spec": spec}))

    assert made.spec.token_ref == SecretKeyRef(**TOKEN)
    assert made.spec.to_wire() == spec


def test_the_kinds_have_the_names_that_people_know() -> None:
    definitions = {each["spec"]["names"]["kind"]: each for each in custom_resource_definitions(KINDS)}

    assert {
        kind: (each["spec"]["names"]["plural"], each["spec"]["names"]["shortNames"])
        for kind, each in definitions.items()
    } == {
        "EscalationPolicy": ("escalationpolicies", ["pdep"]),
        "PagerdutyService": ("pagerdutyservices", ["pdsvc"]),
        "BusinessService": ("businessservices", ["pdbs"]),
    }
    for each in definitions.values():
        (version,) = each["spec"]["versions"]
        assert (each["spec"]["group"], each["spec"]["scope"], version["name"]) == (
            "pagerduty.platform.share-now.com",
            "Namespaced",
            "v1alpha1",
        )
        assert [column["name"] for column in version["additionalPrinterColumns"]][:3] == [
            "Ready",
            "Reason",
            "ID",
        ]
        assert "required" not in version["schema"]["openAPIV3Schema"]["properties"]["spec"]


def test_both_spellings_of_the_id_are_in_the_schema() -> None:
    (definition,) = custom_resource_definitions([BusinessService])
    schema = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]

    assert {"business_service_id", "business_service_id "} <= schema["properties"]["status"][
        "properties"
    ].keys()


def test_the_samples_are_the_generated_ones_and_an_application() -> None:
    folder = files("windlass.operators.pagerduty") / "samples"
    made = load_project("windlass.operators.pagerduty").samples()
    found = {f"samples/{each.name}": each.read_text(encoding="utf-8") for each in folder.iterdir()}
    application = made.pop("samples/application.yaml")
    (deployment,) = read_yaml(application.encode(), "application.yaml")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]

    assert read_yaml(found.pop("samples/application.yaml").encode(), "application.yaml") == [deployment]
    assert found == made
    assert container["env"][0]["valueFrom"]["secretKeyRef"] == {
        "name": PagerdutyService.model_fields["spec"].examples[0]["integrations"][0]["secret_name"],  # type: ignore[index]
        "key": "PAGERDUTY_KEY",
    }


def _encoded(body: Json) -> bytes:
    import orjson

    return orjson.dumps(body)

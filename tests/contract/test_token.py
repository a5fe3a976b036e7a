"""tokens: requested for a service account, for a time, an audience and a pod."""

import base64
from datetime import datetime
from typing import Any

import orjson
import pytest

from contract import Api, Object, pod
from contract_callers import bearer
from contract_objects import secret, service_account
from polling import until
from windlass.testing import Access

REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews"


@pytest.fixture
async def tokens(api: Api, namespace: str) -> str:
    """Where tokens of the service account `robot` are requested."""
    accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    (await api.create(accounts, service_account("robot"))).ok()
    return f"{accounts}/robot/token"


def token_request(**spec: object) -> Object:
    return {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}


def bound(kind: str, name: str, **fields: str) -> Object:
    reference = {"apiVersion": "v1", "kind": kind, "name": name, **fields}
    return token_request(boundObjectRef=reference)


def claims_of(granted: Object) -> dict[str, Any]:
    """What the token says of itself."""
    payload = granted["status"]["token"].split(".")[1]
    claims: dict[str, Any] = orjson.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return claims


async def review(api: Api, token: str) -> Object:
    status: Object = (await api.create(REVIEWS, {"spec": {"token": token}})).ok()["status"]
    return status


async def test_a_token_is_granted_for_an_hour_unless_asked_otherwise(api: Api, tokens: str) -> None:
    reply = await api.create(tokens, token_request())

    claims = claims_of(reply.body)
    expiry = datetime.fromisoformat(reply.body["status"]["expirationTimestamp"])
    assert (reply.status, reply.body["kind"]) == (201, "TokenRequest")
    assert reply.body["spec"]["expirationSeconds"] == 3600
    assert claims["exp"] - claims["iat"] == 3600
    assert claims["exp"] == int(expiry.timestamp())


async def test_a_token_names_its_service_account(api: Api, namespace: str, tokens: str) -> None:
    account = (await api.get(tokens.removesuffix("/token"))).ok()["metadata"]

    claims = claims_of((await api.create(tokens, token_request())).ok())

    assert claims["sub"] == f"system:serviceaccount:{namespace}:robot"
    assert claims["kubernetes.io"] == {
        "namespace": namespace,
        "serviceaccount": {"name": "robot", "uid": account["uid"]},
    }


async def test_a_token_is_for_the_api_server_unless_asked_otherwise(api: Api, tokens: str) -> None:
    granted = (await api.create(tokens, token_request())).ok()

    claims = claims_of(granted)
    assert granted["spec"]["audiences"] == claims["aud"] == [claims["iss"]]


async def test_a_token_is_for_the_audiences_asked_for(api: Api, tokens: str) -> None:
    granted = (await api.create(tokens, token_request(audiences=["vault", "mesh"]))).ok()

    assert claims_of(granted)["aud"] == ["vault", "mesh"]


async def test_every_token_has_an_id_of_its_own(api: Api, tokens: str) -> None:
    first = claims_of((await api.create(tokens, token_request())).ok())
    second = claims_of((await api.create(tokens, token_request())).ok())

    assert first["jti"] != second["jti"]


async def test_a_token_request_may_be_empty(api: Api, tokens: str) -> None:
    granted = (await api.create(tokens, {})).ok()

    assert granted["metadata"]["name"] == "robot"
    assert granted["status"]["token"]


@pytest.mark.parametrize(
    ("seconds", "complaint"),
    [
        (0, "may not specify a duration less than 10 minutes"),
        (599, "may not specify a duration less than 10 minutes"),
        (2**32 + 1, "may not specify a duration larger than 2^32 seconds"),
    ],
)
async def test_a_token_lives_neither_too_short_nor_too_long(
    api: Api, tokens: str, seconds: int, complaint: str
) -> None:
    reply = await api.create(tokens, token_request(expirationSeconds=seconds))

    assert reply.refused(422, "Invalid")["message"] == (
        'TokenRequest.authentication.k8s.io "" is invalid: '
        f"spec.expirationSeconds: Invalid value: {seconds}: {complaint}"
    )
    assert reply.fields == ["spec.expirationSeconds"]


async def test_a_token_of_ten_minutes_is_granted(api: Api, tokens: str) -> None:
    claims = claims_of((await api.create(tokens, token_request(expirationSeconds=600))).ok())

    assert claims["exp"] - claims["iat"] == 600


async def test_a_token_of_a_missing_account_finds_nothing(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/serviceaccounts/nobody/token"

    refused = (await api.create(path, token_request())).refused(404, "NotFound")

    assert refused["message"] == 'serviceaccounts "nobody" not found'


async def test_a_token_request_carries_the_name_of_its_account(api: Api, tokens: str) -> None:
    reply = await api.create(tokens, {**token_request(), "metadata": {"name": "other"}})

    reply.refused(422, "Invalid")
    assert reply.fields == ["metadata.name"]


async def test_tokens_are_not_read(api: Api, tokens: str) -> None:
    (await api.get(tokens)).refused(405, "MethodNotAllowed")


async def test_a_token_may_be_bound_to_a_pod(api: Api, pods: str, tokens: str) -> None:
    created = (await api.create(pods, pod("a", serviceAccountName="robot"))).ok()

    claims = claims_of((await api.create(tokens, bound("Pod", "a"))).ok())

    assert claims["kubernetes.io"]["pod"] == {"name": "a", "uid": created["metadata"]["uid"]}


async def test_a_token_may_be_bound_to_a_secret(api: Api, namespace: str, tokens: str) -> None:
    created = (await api.create(f"/api/v1/namespaces/{namespace}/secrets", secret("a"))).ok()

    claims = claims_of((await api.create(tokens, bound("Secret", "a"))).ok())

    assert claims["kubernetes.io"]["secret"] == {"name": "a", "uid": created["metadata"]["uid"]}


async def test_a_token_is_not_bound_to_a_pod_of_another_account(api: Api, pods: str, tokens: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    refused = (await api.create(tokens, bound("Pod", "a"))).refused(400, "BadRequest")

    assert refused["message"] == (
        'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.'
    )


async def test_a_token_is_not_bound_to_a_former_pod_of_that_name(api: Api, pods: str, tokens: str) -> None:
    (await api.create(pods, pod("a", serviceAccountName="robot"))).ok()

    refused = (await api.create(tokens, bound("Pod", "a", uid="former"))).refused(409, "Conflict")

    assert "the UID in the bound object reference (former) does not match" in refused["message"]


async def test_a_token_is_not_bound_to_a_missing_pod(api: Api, tokens: str) -> None:
    refused = (await api.create(tokens, bound("Pod", "a"))).refused(404, "NotFound")

    assert refused["message"] == 'pods "a" not found'


async def test_a_token_is_not_bound_to_other_kinds(api: Api, tokens: str) -> None:
    refused = (await api.create(tokens, bound("ConfigMap", "a"))).refused(400, "BadRequest")

    assert refused["message"] == "cannot bind token to object of type /v1, Kind=ConfigMap"


async def test_a_token_makes_its_bearer_the_service_account(
    api: Api, control_plane: Access, namespace: str, config_maps: str, tokens: str
) -> None:
    token = (await api.create(tokens, token_request())).ok()["status"]["token"]

    async with bearer(control_plane, token) as robot:
        reply = await robot.get(config_maps)

    assert reply.refused(403, "Forbidden")["message"] == (
        f'configmaps is forbidden: User "system:serviceaccount:{namespace}:robot" cannot list resource '
        f'"configmaps" in API group "" in the namespace "{namespace}"'
    )


async def test_a_token_for_another_audience_is_not_accepted(
    api: Api, control_plane: Access, config_maps: str, tokens: str
) -> None:
    token = (await api.create(tokens, token_request(audiences=["vault"]))).ok()["status"]["token"]

    async with bearer(control_plane, token) as robot:
        (await robot.get(config_maps)).refused(401, "Unauthorized")


async def test_a_changed_token_is_not_accepted(
    api: Api, control_plane: Access, config_maps: str, tokens: str
) -> None:
    token = (await api.create(tokens, token_request())).ok()["status"]["token"]
    head, payload, signature = token.split(".")
    claims = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).replace(b":robot", b":admin")
    forged = base64.urlsafe_b64encode(claims).rstrip(b"=").decode()

    async with bearer(control_plane, f"{head}.{forged}.{signature}") as robot:
        (await robot.get(config_maps)).refused(401, "Unauthorized")


async def test_a_token_dies_with_the_pod_that_it_is_bound_to(api: Api, pods: str, tokens: str) -> None:
    (await api.create(pods, pod("a", serviceAccountName="robot"))).ok()
    granted = [(await api.create(tokens, bound("Pod", "a"))).ok() for _ in range(20)]
    unseen = iter(granted)  # what was found good is believed for a while, so no token is tried twice
    assert (await review(api, next(unseen)["status"]["token"]))["authenticated"]

    (await api.delete(f"{pods}/a")).ok()

    status = await until(
        lambda: review(api, next(unseen)["status"]["token"]), lambda status: "error" in status, every=0.2
    )
    assert "authenticated" not in status
    assert "service account token has been invalidated" in status["error"]


async def test_a_token_dies_with_its_service_account(api: Api, tokens: str) -> None:
    granted = [(await api.create(tokens, token_request())).ok() for _ in range(20)]
    unseen = iter(granted)  # what was found good is believed for a while, so no token is tried twice

    (await api.delete(tokens.removesuffix("/token"))).ok()

    status = await until(
        lambda: review(api, next(unseen)["status"]["token"]), lambda status: "error" in status, every=0.2
    )
    assert "authenticated" not in status

"""reviews: whose token this is, and who is asking."""

import pytest

from contract import Api, Object
from contract_callers import bearer, impersonating, with_headers
from contract_objects import service_account
from windlass.testing import Access

TOKEN_REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews"
SELF_REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews"


@pytest.fixture
async def account(api: Api, namespace: str) -> Object:
    """A service account `robot`."""
    path = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    return (await api.create(path, service_account("robot"))).ok()


def token_review(token: str, **spec: object) -> Object:
    return {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenReview",
        "spec": {"token": token, **spec},
    }


async def robot_token(api: Api, account: Object, **spec: object) -> str:
    namespace = account["metadata"]["namespace"]
    path = f"/api/v1/namespaces/{namespace}/serviceaccounts/robot/token"
    return str((await api.create(path, {"spec": spec})).ok()["status"]["token"])


async def who(api: Api) -> Object:
    user: Object = (await api.create(SELF_REVIEWS, {})).ok()["status"]["userInfo"]
    return user


async def test_a_review_tells_whose_token_it_is(api: Api, account: Object) -> None:
    token = await robot_token(api, account)

    reply = await api.create(TOKEN_REVIEWS, token_review(token))

    namespace, uid = account["metadata"]["namespace"], account["metadata"]["uid"]
    user = reply.body["status"]["user"]
    assert (reply.status, reply.body["kind"]) == (201, "TokenReview")
    assert reply.body["status"]["authenticated"] is True
    assert (user["username"], user["uid"]) == (f"system:serviceaccount:{namespace}:robot", uid)
    assert user["groups"] == [
        "system:serviceaccounts",
        f"system:serviceaccounts:{namespace}",
        "system:authenticated",
    ]


async def test_a_review_of_a_static_token_tells_the_user(api: Api, control_plane: Access) -> None:
    status = (await api.create(TOKEN_REVIEWS, token_review(control_plane.token("nobody")))).ok()["status"]

    assert status["authenticated"] is True
    assert status["user"]["username"] == "nobody"
    assert status["user"]["groups"] == ["system:authenticated"]


async def test_a_review_of_a_bad_token_succeeds_and_says_no(api: Api) -> None:
    reply = await api.create(TOKEN_REVIEWS, token_review("bad"))

    assert reply.status == 201
    assert reply.body["status"] == {"user": {}, "error": "invalid bearer token"}


async def test_a_review_needs_a_token(api: Api) -> None:
    refused = (await api.create(TOKEN_REVIEWS, token_review(""))).refused(400, "BadRequest")

    assert refused["message"] == "token is required for TokenReview in authentication"


async def test_a_review_for_an_audience_names_those_that_match(api: Api, account: Object) -> None:
    token = await robot_token(api, account, audiences=["vault", "mesh"])

    status = (await api.create(TOKEN_REVIEWS, token_review(token, audiences=["mesh", "other"]))).ok()[
        "status"
    ]

    assert status["authenticated"] is True
    assert status["audiences"] == ["mesh"]


async def test_a_review_for_another_audience_says_no(api: Api, account: Object) -> None:
    token = await robot_token(api, account, audiences=["vault"])

    other = (await api.create(TOKEN_REVIEWS, token_review(token, audiences=["mesh"]))).ok()["status"]
    unsaid = (await api.create(TOKEN_REVIEWS, token_review(token))).ok()["status"]

    for status in (other, unsaid):
        assert "authenticated" not in status
        assert 'token audiences ["vault"] is invalid for the target audiences' in status["error"]


async def test_a_self_review_tells_who_one_is(api: Api) -> None:
    reply = await api.create(SELF_REVIEWS, {})

    user = reply.body["status"]["userInfo"]
    assert (reply.status, reply.body["kind"]) == (201, "SelfSubjectReview")
    assert user["username"] == "admin"
    assert user["groups"] == ["system:masters", "system:authenticated"]


async def test_a_self_review_is_open_to_users_without_rights(control_plane: Access) -> None:
    async with bearer(control_plane, control_plane.token("nobody")) as nobody:
        user = await who(nobody)

    assert user["username"] == "nobody"


async def test_a_self_review_with_a_token_names_the_token(
    api: Api, control_plane: Access, account: Object
) -> None:
    token = await robot_token(api, account)

    async with bearer(control_plane, token) as robot:
        user = await who(robot)

    (credential,) = user["extra"]["authentication.kubernetes.io/credential-id"]
    assert credential.startswith("JTI=")


async def test_an_administrator_may_act_as_anybody(control_plane: Access) -> None:
    async with impersonating(
        control_plane, "jane", groups=("dev", "ops"), uid="77", extra={"example.com/scope": ("a", "b")}
    ) as jane:
        user = await who(jane)

    assert user == {
        "username": "jane",
        "uid": "77",
        "groups": ["dev", "ops", "system:authenticated"],
        "extra": {"example.com/scope": ["a", "b"]},
    }


async def test_who_acts_as_a_service_account_gets_its_groups(control_plane: Access, namespace: str) -> None:
    name = f"system:serviceaccount:{namespace}:robot"

    async with impersonating(control_plane, name) as robot:
        user = await who(robot)

    assert user["groups"] == [
        "system:serviceaccounts",
        f"system:serviceaccounts:{namespace}",
        "system:authenticated",
    ]


async def test_who_acts_as_another_gives_up_their_own_rights(
    control_plane: Access, namespace: str, config_maps: str
) -> None:
    async with impersonating(control_plane, "jane") as jane:
        refused = (await jane.get(config_maps)).refused(403, "Forbidden")

    assert 'User "jane" cannot list resource "configmaps"' in refused["message"]


async def test_a_user_without_rights_cannot_act_as_another(control_plane: Access, config_maps: str) -> None:
    headers = {"Authorization": f"Bearer {control_plane.token('nobody')}", "Impersonate_User": "admin"}

    async with with_headers(control_plane, **headers) as nobody:
        refused = (await nobody.get(config_maps)).refused(403, "Forbidden")

    assert 'User "nobody" cannot impersonate' in refused["message"]


async def test_groups_are_not_impersonated_without_a_user(control_plane: Access, config_maps: str) -> None:
    headers = {"Authorization": f"Bearer {control_plane.token()}", "Impersonate_Group": "dev"}

    async with with_headers(control_plane, **headers) as someone:
        refused = (await someone.get(config_maps)).refused(400, "BadRequest")

    assert refused["message"].endswith("without impersonating a user name")


async def test_a_bad_token_is_unauthorized(control_plane: Access, config_maps: str) -> None:
    async with bearer(control_plane, "bad") as stranger:
        reply = await stranger.get(config_maps)

    assert reply.body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": "Unauthorized",
        "reason": "Unauthorized",
        "code": 401,
    }
    assert reply.status == 401


async def test_a_bad_token_is_worse_than_none(control_plane: Access) -> None:
    async with bearer(control_plane, "bad") as stranger, with_headers(control_plane) as anonymous:
        refused = await stranger.get("/version")
        answered = await anonymous.get("/version")

    assert (refused.status, answered.status) == (401, 200)


async def test_without_a_token_one_is_anonymous_and_forbidden(
    control_plane: Access, namespace: str, config_maps: str
) -> None:
    async with with_headers(control_plane) as anonymous:
        refused = (await anonymous.get(config_maps)).refused(403, "Forbidden")

    assert refused["message"] == (
        'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" '
        f'in API group "" in the namespace "{namespace}"'
    )

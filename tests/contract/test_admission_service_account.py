"""service accounts: as whom a pod runs, and what it gets of that; on a server where every pod needs one."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from contract import Api, Object, pod
from contract_objects import service_account
from contract_target import in_process, transport_to
from windlass.cluster import Access
from windlass.testing import ControlPlaneOptions, start_control_plane

pytestmark = pytest.mark.xdist_group("service-accounts")  # one server is enough

PLACE = "/var/run/secrets/kubernetes.io/serviceaccount"
ON, OFF = {"automountServiceAccountToken": True}, {"automountServiceAccountToken": False}
STRICT = {"kubernetes.io/enforce-mountable-secrets": "true"}
MIRROR = {"kubernetes.io/config.mirror": "x"}
IMAGE = "example.com/app:1"


@pytest.fixture(scope="module")
def demanding(request: pytest.FixtureRequest) -> Iterator[Access]:
    """A server on which a pod needs an account, as `control_plane` is one on which it does not."""
    if request.config.getoption("--control-plane") != "real":
        with in_process(service_accounts=True) as access:
            yield access
        return
    running = start_control_plane(ControlPlaneOptions(service_accounts=True))
    yield running.access
    running.stop()


@pytest.fixture
async def api(demanding: Access) -> AsyncIterator[Api]:
    transport = transport_to(demanding)
    yield Api(transport)
    await transport.close()


@pytest.fixture
async def space(api: Api) -> str:
    """The path of a namespace that has no account yet."""
    created = (await api.create("/api/v1/namespaces", {"metadata": {"generateName": "test-"}})).ok()
    return f"/api/v1/namespaces/{created['metadata']['name']}"


@pytest.fixture
async def inhabited(api: Api, space: str) -> str:
    """The path of a namespace with a default account."""
    await account(api, space)
    return space


async def account(api: Api, space: str, name: str = "default", **fields: Any) -> None:
    metadata = {"metadata": {"name": name, "annotations": fields.pop("annotations", {})}}
    (await api.create(f"{space}/serviceaccounts", {**service_account(name), **metadata, **fields})).ok()


def plain(name: str = "a", **spec: Any) -> Object:
    """A pod that says nothing of a token."""
    return {"metadata": {"name": name}, "spec": {"containers": [container()], **spec}}


def container(name: str = "main", **more: Any) -> Object:
    return {"name": name, "image": IMAGE, **more}


def mirror(**spec: Any) -> Object:
    """A pod that shows what a node runs by itself."""
    meta = {"name": "a", "annotations": MIRROR}
    return {"metadata": meta, "spec": {"containers": [container()], "nodeName": "node", **spec}}


def mounts(spec: Object) -> dict[str, list[str]]:
    """What each container mounts where."""
    return {
        each["name"]: [mount["mountPath"] for mount in each.get("volumeMounts", ())]
        for each in (*spec["containers"], *spec.get("initContainers", ()))
    }


async def refusal(api: Api, space: str, body: Object) -> str:
    reply = await api.create(f"{space}/pods", body)
    text: str = reply.refused(403, "Forbidden")["message"]
    assert text.startswith('pods "a" is forbidden: ')
    return text.removeprefix('pods "a" is forbidden: ')


async def test_a_pod_runs_as_the_default_account(api: Api, inhabited: str) -> None:
    created = (await api.create(f"{inhabited}/pods", pod("a"))).ok()

    assert created["spec"]["serviceAccountName"] == created["spec"]["serviceAccount"] == "default"
    assert "volumes" not in created["spec"]


@pytest.mark.parametrize("name", ["default", "other"])
async def test_an_account_must_exist(api: Api, space: str, name: str) -> None:
    where = f"{space.rpartition('/')[2]}/{name}"

    assert await refusal(api, space, plain(serviceAccountName=name)) == (
        f'error looking up service account {where}: serviceaccount "{name}" not found'
    )


async def test_the_older_name_of_the_field_will_do(api: Api, inhabited: str) -> None:
    await account(api, inhabited, "other")

    created = (await api.create(f"{inhabited}/pods", plain(serviceAccount="other"))).ok()

    assert created["spec"]["serviceAccountName"] == "other"


async def test_a_token_is_mounted_in_every_container(api: Api, inhabited: str) -> None:
    both = plain(initContainers=[container("first")])

    spec = (await api.create(f"{inhabited}/pods", both)).ok()["spec"]

    (volume,) = spec["volumes"]
    name = volume["name"]
    assert name.startswith("kube-api-access-")
    assert len(name) == len("kube-api-access-xxxxx")
    mount = {"name": name, "readOnly": True, "mountPath": PLACE}
    assert spec["containers"][0]["volumeMounts"] == spec["initContainers"][0]["volumeMounts"] == [mount]
    field = {"apiVersion": "v1", "fieldPath": "metadata.namespace"}
    assert volume["projected"] == {
        "sources": [
            {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
            {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
            {"downwardAPI": {"items": [{"path": "namespace", "fieldRef": field}]}},
        ],
        "defaultMode": 420,
    }


@pytest.mark.parametrize(
    ("of_account", "of_pod", "mounted"),
    [({}, {}, 1), (OFF, {}, 0), (OFF, ON, 1), (ON, OFF, 0), ({}, OFF, 0)],
)
async def test_the_pod_and_then_the_account_say_whether_a_token_is_mounted(
    api: Api, space: str, of_account: Object, of_pod: Object, mounted: int
) -> None:
    await account(api, space, **of_account)

    created = await api.create(f"{space}/pods", plain(**of_pod))

    assert len(created.ok()["spec"].get("volumes", ())) == mounted


async def test_a_container_that_mounts_something_there_keeps_it(api: Api, inhabited: str) -> None:
    own = {"name": "own", "mountPath": PLACE}
    some = plain(
        containers=[container("own", volumeMounts=[own]), container("other")],
        volumes=[{"name": "own", "emptyDir": {}}],
    )

    spec = (await api.create(f"{inhabited}/pods", some)).ok()["spec"]

    assert mounts(spec) == {"own": [PLACE], "other": [PLACE]}
    assert [volume["name"][:15] for volume in spec["volumes"]] == ["own", "kube-api-access"]
    all_own = plain(
        "b", containers=[container(volumeMounts=[own])], volumes=[{"name": "own", "emptyDir": {}}]
    )
    spec = (await api.create(f"{inhabited}/pods", all_own)).ok()["spec"]
    assert len(spec["volumes"]) == 1


async def test_a_volume_for_the_token_is_used_where_there_is_one(api: Api, inhabited: str) -> None:
    given = plain(volumes=[{"name": "kube-api-access-mine", "emptyDir": {}}])

    spec = (await api.create(f"{inhabited}/pods", given)).ok()["spec"]

    assert [volume["name"] for volume in spec["volumes"]] == ["kube-api-access-mine"]
    assert spec["containers"][0]["volumeMounts"][0]["name"] == "kube-api-access-mine"


async def test_a_pod_without_pull_secrets_gets_those_of_its_account(api: Api, space: str) -> None:
    await account(api, space, imagePullSecrets=[{"name": "x"}, {"name": "y"}])

    given = (await api.create(f"{space}/pods", plain("a"))).ok()
    own = (await api.create(f"{space}/pods", plain("b", imagePullSecrets=[{"name": "z"}]))).ok()

    assert given["spec"]["imagePullSecrets"] == [{"name": "x"}, {"name": "y"}]
    assert own["spec"]["imagePullSecrets"] == [{"name": "z"}]


async def test_an_update_needs_no_account(api: Api, inhabited: str) -> None:
    (await api.create(f"{inhabited}/pods", plain())).ok()
    (await api.delete(f"{inhabited}/serviceaccounts/default")).ok()

    (await api.patch(f"{inhabited}/pods/a", {"metadata": {"labels": {"a": "b"}}})).ok()


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({"serviceAccountName": "default"}, "reference service accounts"),
        ({"imagePullSecrets": [{"name": "x"}]}, "reference secrets"),
        ({"volumes": [{"name": "x", "secret": {"secretName": "x"}}]}, "reference secrets"),
        (
            {"volumes": [{"name": "x", "projected": {"sources": [{"secret": {"name": "x"}}]}}]},
            "reference secrets",
        ),
        (
            {"containers": [container(envFrom=[{"secretRef": {"name": "x"}}])]},
            "reference secrets",
        ),
        (
            {"volumes": [{"name": "x", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]},
            "use ServiceAccountToken volume projections",
        ),
    ],
    ids=["account", "pull-secret", "volume", "projected-secret", "environment", "token"],
)
async def test_a_mirror_pod_has_nothing_of_the_cluster(
    api: Api, inhabited: str, spec: Object, why: str
) -> None:
    assert await refusal(api, inhabited, mirror(**spec)) == f"a mirror pod may not {why}"


async def test_a_mirror_pod_needs_no_account(api: Api, space: str) -> None:
    created = (await api.create(f"{space}/pods", mirror())).ok()

    assert "serviceAccountName" not in created["spec"]
    assert "volumes" not in created["spec"]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (
            {"volumes": [{"name": "x", "secret": {"secretName": "no"}}]},
            'volume with secret.secretName="no"',
        ),
        (
            {"containers": [container(envFrom=[{"secretRef": {"name": "no"}}])]},
            'container main with envFrom referencing secret.secretName="no"',
        ),
        (
            {
                "initContainers": [
                    container(
                        "first",
                        env=[{"name": "V", "valueFrom": {"secretKeyRef": {"name": "no", "key": "k"}}}],
                    )
                ]
            },
            'init container first with envVar V referencing secret.secretName="no"',
        ),
    ],
    ids=["volume", "environment", "variable"],
)
async def test_an_account_may_say_which_secrets_its_pods_use(
    api: Api, space: str, spec: Object, why: str
) -> None:
    await account(api, space, annotations=STRICT, secrets=[{"name": "yes"}])

    assert await refusal(api, space, plain(**spec)) == (
        f"{why} is not allowed because service account default does not reference that secret"
    )
    allowed = [container(envFrom=[{"secretRef": {"name": "yes"}}])]
    (await api.create(f"{space}/pods", plain(containers=allowed))).ok()


async def test_an_account_may_say_which_pull_secrets_its_pods_use(api: Api, space: str) -> None:
    await account(api, space, annotations=STRICT, imagePullSecrets=[{"name": "yes"}])

    assert await refusal(api, space, plain(imagePullSecrets=[{"name": "yes"}, {"name": "no"}])) == (
        'imagePullSecrets[1].name="no" is not allowed because service account default '
        "does not reference that imagePullSecret"
    )


@pytest.mark.parametrize("value", ["false", "yes", ""])
async def test_what_an_account_does_not_enforce_it_does_not_matter(api: Api, space: str, value: str) -> None:
    await account(api, space, annotations=dict.fromkeys(STRICT, value))

    (await api.create(f"{space}/pods", plain(imagePullSecrets=[{"name": "no"}]))).ok()


async def test_an_ephemeral_container_uses_only_the_secrets_of_the_account(api: Api, space: str) -> None:
    await account(api, space, annotations=STRICT)
    (await api.create(f"{space}/pods", plain())).ok()
    added = container("debug", envFrom=[{"secretRef": {"name": "no"}}])

    reply = await api.patch(f"{space}/pods/a/ephemeralcontainers", {"spec": {"ephemeralContainers": [added]}})

    assert reply.status == 500
    assert reply.body["message"] == (
        'ephemeral container debug with envFrom referencing secret.secretName="no" is not allowed '
        "because service account default does not reference that secret"
    )
    del added["envFrom"]
    (await api.patch(f"{space}/pods/a/ephemeralcontainers", {"spec": {"ephemeralContainers": [added]}})).ok()


async def test_a_pod_gets_no_ephemeral_containers_without_its_account(api: Api, inhabited: str) -> None:
    (await api.create(f"{inhabited}/pods", plain())).ok()
    (await api.delete(f"{inhabited}/serviceaccounts/default")).ok()
    added = {"spec": {"ephemeralContainers": [container("debug")]}}

    reply = await api.patch(f"{inhabited}/pods/a/ephemeralcontainers", added)

    assert 'serviceaccount "default" not found' in reply.refused(403, "Forbidden")["message"]

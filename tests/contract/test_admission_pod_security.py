"""pod security: the standards that a namespace holds its pods to."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from contract import Api, Object, Reply, deployment, pod
from contract_crd import warning
from insecure import container, hardened, spec
from polling import until

PREFIX = "pod-security.kubernetes.io/"
PLAIN = (
    'allowPrivilegeEscalation != false (container "main" must set '
    "securityContext.allowPrivilegeEscalation=false), "
    'unrestricted capabilities (container "main" must set securityContext.capabilities.drop=["ALL"]), '
    'runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true), '
    'seccompProfile (pod or container "main" must set securityContext.seccompProfile.type to '
    '"RuntimeDefault" or "Localhost")'
)
"""What is wrong with a pod that says nothing, by the restricted standard."""

Secure = Callable[..., Awaitable[str]]


def labels(**modes: str) -> dict[str, str]:
    return {f"{PREFIX}{mode.replace('_', '-')}": value for mode, value in modes.items()}


@pytest.fixture
async def secure(api: Api, namespace: str) -> AsyncIterator[Secure]:
    """Makes a namespace with standards, and returns its path."""
    name = f"{namespace}-secure"

    async def create(**modes: str) -> str:
        (await api.create("/api/v1/namespaces", {"metadata": {"name": name, "labels": labels(**modes)}})).ok()
        return f"/api/v1/namespaces/{name}"

    yield create
    await api.delete(f"/api/v1/namespaces/{name}")


def privileged(name: str = "a") -> Object:
    return {"metadata": {"name": name}, "spec": spec(container(privileged=True))}


def secured(name: str = "a", **more: Any) -> Object:
    return {"metadata": {"name": name}, "spec": spec(hardened(), **more)}


async def test_a_pod_that_breaks_the_enforced_standard_is_refused(api: Api, secure: Secure) -> None:
    space = await secure(enforce="restricted")

    refused = (await api.create(f"{space}/pods", pod("a"))).refused(403, "Forbidden")

    assert refused["message"] == f'pods "a" is forbidden: violates PodSecurity "restricted:latest": {PLAIN}'
    assert refused["details"] == {"name": "a", "kind": "pods"}
    (await api.create(f"{space}/pods", secured())).ok()


async def test_a_pod_whose_name_is_generated_is_refused_under_its_name(api: Api, secure: Secure) -> None:
    space = await secure(enforce="baseline")
    body = {**privileged(), "metadata": {"generateName": "a-"}}

    refused = (await api.create(f"{space}/pods", body)).refused(403, "Forbidden")

    assert re.match('pods "a-[a-z0-9]{5}" is forbidden: violates PodSecurity', refused["message"])


async def test_baseline_allows_what_is_harmless_and_says_what_is_not(api: Api, secure: Secure) -> None:
    space = await secure(enforce="baseline")

    (await api.create(f"{space}/pods", pod("harmless"))).ok()
    refused = (await api.create(f"{space}/pods", privileged())).refused(403, "Forbidden")

    assert refused["message"] == (
        'pods "a" is forbidden: violates PodSecurity "baseline:latest": privileged '
        '(container "main" must not set securityContext.privileged=true)'
    )


async def test_a_standard_may_be_that_of_an_older_version(api: Api, secure: Secure) -> None:
    space = await secure(enforce="restricted", enforce_version="v1.18")

    refused = (await api.create(f"{space}/pods", pod("a"))).refused(403, "Forbidden")

    assert refused["message"] == (
        'pods "a" is forbidden: violates PodSecurity "restricted:v1.18": allowPrivilegeEscalation != false '
        '(container "main" must set securityContext.allowPrivilegeEscalation=false), runAsNonRoot != true '
        '(pod or container "main" must set securityContext.runAsNonRoot=true)'
    )


async def test_a_namespace_may_only_warn(api: Api, secure: Secure) -> None:
    space = await secure(warn="restricted", warn_version="v1.18")

    created = await api.create(f"{space}/pods", pod("a"))

    assert created.status == 201
    (told,) = created.warnings
    assert told.startswith(warning('would violate PodSecurity "restricted:v1.18": allow')[:-1])


async def test_who_enforces_one_standard_may_warn_by_another(api: Api, secure: Secure) -> None:
    space = await secure(enforce="baseline", warn="restricted")

    created = await api.create(f"{space}/pods", pod("a"))
    refused = await api.create(f"{space}/pods", privileged("b"))

    assert created.warnings == (warning(f'would violate PodSecurity "restricted:latest": {PLAIN}'),)
    assert refused.status == 403
    assert refused.warnings == ()


async def test_what_makes_pods_is_warned_of(api: Api, secure: Secure) -> None:
    space = (await secure(enforce="restricted")).replace("/api/v1", "/apis/apps/v1")

    created = await api.create(f"{space}/deployments", deployment("a"))
    changed = await api.patch(f"{space}/deployments/a", {"metadata": {"labels": {"a": "b"}}})
    scaled = await api.patch(f"{space}/deployments/a/scale", {"spec": {"replicas": 2}})

    told = (warning(f'would violate PodSecurity "restricted:latest": {PLAIN}'),)
    assert (created.status, created.warnings) == (201, told)
    assert (changed.status, changed.warnings) == (200, told)
    assert (scaled.status, scaled.warnings) == (200, ())


async def test_templates_in_unusual_places_are_found(api: Api, secure: Secure) -> None:
    space = await secure(warn="baseline")
    template = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {**privileged()["spec"], "restartPolicy": "Never"},
    }
    cron = {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": template}}}

    of_cron = await api.create(
        f"{space}/cronjobs".replace("/api/v1", "/apis/batch/v1"), {"metadata": {"name": "a"}, "spec": cron}
    )
    of_template = await api.create(f"{space}/podtemplates", {"metadata": {"name": "a"}, "template": template})

    told = (
        'would violate PodSecurity "baseline:latest": privileged '
        '(container "main" must not set securityContext.privileged=true)'
    )
    assert of_cron.warnings == of_template.warnings == (warning(told),)


async def test_a_changed_pod_is_held_to_the_standard_if_its_images_change(api: Api, secure: Secure) -> None:
    space = await secure()
    (await api.create(f"{space}/pods", pod("a"))).ok()
    (await api.patch(space, {"metadata": {"labels": labels(enforce="restricted")}})).ok()
    other = [{"op": "replace", "path": "/spec/containers/0/image", "value": "example.com/other:1"}]

    refused = await until(
        lambda: api.patch(f"{space}/pods/a", other, "application/json-patch+json", dryRun="All"),
        lambda reply: reply.status == 403,
    )

    assert (
        refused.body["message"] == f'pods "a" is forbidden: violates PodSecurity "restricted:latest": {PLAIN}'
    )
    (await api.patch(f"{space}/pods/a", {"metadata": {"labels": {"a": "b"}}})).ok()
    (await api.patch(f"{space}/pods/a/status", {"status": {"phase": "Running"}})).ok()


async def test_ephemeral_containers_are_held_to_the_standard(api: Api, secure: Secure) -> None:
    space = await secure(enforce="restricted")
    (await api.create(f"{space}/pods", secured())).ok()
    path = f"{space}/pods/a/ephemeralcontainers"

    refused = await api.patch(path, {"spec": {"ephemeralContainers": [container("debug")]}})

    assert 'container "debug" must set' in refused.refused(403, "Forbidden")["message"]
    (await api.patch(path, {"spec": {"ephemeralContainers": [hardened("debug")]}})).ok()


@pytest.mark.parametrize(
    ("label", "value", "why"),
    [
        ("enforce", "strict", "must be one of privileged, baseline, restricted"),
        ("audit", "", "must be one of privileged, baseline, restricted"),
        ("warn", "Baseline", "must be one of privileged, baseline, restricted"),
        ("enforce-version", "1.20", 'must be "latest" or "v1.x"'),
        ("audit-version", "v1.01", 'must be "latest" or "v1.x"'),
        ("warn-version", "v2.1", 'must be "latest" or "v1.x"'),
    ],
)
async def test_labels_must_name_a_standard(
    api: Api, namespace: str, label: str, value: str, why: str
) -> None:
    body = {"metadata": {"name": f"{namespace}-x", "labels": {PREFIX + label: value}}}

    created = await api.create("/api/v1/namespaces", body)
    changed = await api.patch(
        f"/api/v1/namespaces/{namespace}", {"metadata": {"labels": {PREFIX + label: value}}}
    )

    for reply, name in ((created, f"{namespace}-x"), (changed, namespace)):
        refused = reply.refused(422, "Invalid")
        assert refused["message"] == (
            f'Namespace "{name}" is invalid: metadata.labels[{PREFIX}{label}]: Invalid value: "{value}": {why}'
        )
        assert refused["details"]["kind"] == "Namespace"


async def test_who_enforces_more_is_told_which_pods_break_it(api: Api, secure: Secure) -> None:
    space = await secure(enforce="baseline")
    for name in ("c", "a", "b"):
        (await api.create(f"{space}/pods", pod(name))).ok()
    (await api.create(f"{space}/pods", secured("fine"))).ok()
    (await api.create(f"{space}/pods", {"metadata": {"name": "d"}, "spec": spec(hardened(runAsUser=0))})).ok()

    def stricter() -> Awaitable[Reply]:
        return api.patch(space, {"metadata": {"labels": labels(enforce="restricted")}}, dryRun="All")

    reply = await until(stricter, lambda reply: "2 other pods" in str(reply.warnings))

    name = space.rpartition("/")[2]
    assert reply.status == 200
    assert reply.warnings == (
        warning(
            f'existing pods in namespace "{name}" violate the new PodSecurity enforce level "restricted:latest"'
        ),
        warning(
            "a (and 2 other pods): allowPrivilegeEscalation != false, unrestricted capabilities, "
            "runAsNonRoot != true, seccompProfile"
        ),
        warning("d: runAsUser=0"),
    )


@pytest.mark.parametrize(
    "modes", [{"enforce": "privileged"}, {"enforce": "baseline"}, {"warn": "restricted"}]
)
async def test_who_enforces_no_more_than_before_is_told_nothing(
    api: Api, secure: Secure, modes: dict[str, str]
) -> None:
    space = await secure(enforce="baseline")
    (await api.create(f"{space}/pods", pod("a"))).ok()

    changed = await api.patch(space, {"metadata": {"labels": labels(**modes)}})

    assert (changed.status, changed.warnings) == (200, ())

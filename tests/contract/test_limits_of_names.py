"""names: what objects, labels, annotations and finalizers may be called."""

from typing import Any

import pytest

from contract import Api, config_map, deployment, pod
from contract_objects import namespace_object, role, service, warning, with_metadata

SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character"
)
LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
    "and must start and end with an alphanumeric character"
)


@pytest.mark.parametrize("name", ["a", "0", "a.b", "a-b.c-d", "1.2", "a" * 253])
async def test_most_names_are_dns_subdomains(api: Api, config_maps: str, name: str) -> None:
    assert (await api.create(config_maps, config_map(name), dryRun="All")).status == 201


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("A", SUBDOMAIN),
        ("a_b", SUBDOMAIN),
        ("-a", SUBDOMAIN),
        ("a-", SUBDOMAIN),
        ("a..b", SUBDOMAIN),
        ("a.-b", SUBDOMAIN),
        ("a/b", SUBDOMAIN),
        ("ä", SUBDOMAIN),
        ("a" * 254, "must be no more than 253 characters"),
    ],
)
async def test_other_names_are_invalid_and_told_why(
    api: Api, config_maps: str, name: str, complaint: str
) -> None:
    reply = await api.create(config_maps, config_map(name))

    refused = reply.refused(422, "Invalid")
    assert refused["message"].startswith(
        f'ConfigMap "{name}" is invalid: metadata.name: Invalid value: "{name}": {complaint}'
    )
    assert (refused["details"]["name"], reply.fields) == (name, ["metadata.name"])


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("a.b", "must not contain dots"),
        ("a" * 64, "must be no more than 63 characters"),
        ("a_b", LABEL),
        ("-a", LABEL),
    ],
)
async def test_a_service_is_named_by_a_dns_label(api: Api, namespace: str, name: str, complaint: str) -> None:
    reply = await api.create(f"/api/v1/namespaces/{namespace}/services", service(name))

    assert reply.refused(422, "Invalid")["message"].startswith(
        f'Service "{name}" is invalid: metadata.name: Invalid value: "{name}": {complaint}'
    )


@pytest.mark.parametrize("name", ["a" * 63, "1a", "1"])
async def test_a_dns_label_may_be_long_and_start_with_a_digit(api: Api, namespace: str, name: str) -> None:
    reply = await api.create(f"/api/v1/namespaces/{namespace}/services", service(name), dryRun="All")

    assert reply.status == 201


async def test_a_namespace_is_named_by_a_dns_label(api: Api) -> None:
    dotted = await api.create("/api/v1/namespaces", namespace_object("a.b"))
    long = await api.create("/api/v1/namespaces", namespace_object("a" * 64))

    assert dotted.refused(422, "Invalid")["message"] == (
        'Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots'
    )
    long.refused(422, "Invalid")
    assert long.fields == ["metadata.name", "metadata.labels"]  # the label with its own name is too long too


@pytest.mark.parametrize("name", ["system:reader", "Upper", "with blank", "ä"])
async def test_a_role_is_named_by_anything_that_fits_into_a_path(api: Api, namespace: str, name: str) -> None:
    roles = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles"
    (await api.create(roles, role(name))).ok()

    found = (await api.get(f"{roles}/{name}")).ok()

    assert found["metadata"]["name"] == name


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        (".", "may not be '.'"),
        ("..", "may not be '..'"),
        ("a/b", "may not contain '/'"),
        ("a%b", "may not contain '%'"),
    ],
)
async def test_a_role_is_not_named_by_what_a_path_gives_a_meaning_to(
    api: Api, namespace: str, name: str, complaint: str
) -> None:
    roles = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles"

    refused = (await api.create(roles, role(name))).refused(422, "Invalid")

    assert refused["message"] == (
        f'Role.rbac.authorization.k8s.io "{name}" is invalid: '
        f'metadata.name: Invalid value: "{name}": {complaint}'
    )
    assert refused["details"]["group"] == "rbac.authorization.k8s.io"
    assert refused["details"]["kind"] == "Role"


async def test_a_cron_job_leaves_room_for_the_names_of_its_jobs(api: Api, namespace: str) -> None:
    containers = [{"name": "main", "image": "app:1"}]
    template = {"spec": {"restartPolicy": "Never", "containers": containers}}
    spec = {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": template}}}
    path = f"/apis/batch/v1/namespaces/{namespace}/cronjobs"

    fits = await api.create(path, {"metadata": {"name": "a" * 52}, "spec": spec}, dryRun="All")
    reply = await api.create(path, {"metadata": {"name": "a" * 53}, "spec": spec})

    assert fits.status == 201
    assert reply.refused(422, "Invalid")["message"].endswith(": must be no more than 52 characters")


async def test_a_name_that_makes_a_poor_host_name_gets_a_warning(
    api: Api, pods: str, deployments: str
) -> None:
    dotted = await api.create(pods, pod("a.b"), dryRun="All")
    long = await api.create(deployments, with_metadata(deployment("a"), name="a" * 64), dryRun="All")

    assert dotted.warnings == (
        warning(
            "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; "
            "a DNS label is recommended: [must not contain dots]"
        ),
    )
    assert long.warnings == (
        warning(
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising "
            "behavior; a DNS label is recommended: [must be no more than 63 characters]"
        ),
    )


@pytest.mark.parametrize(
    "labels",
    [
        {"a": ""},
        {"A_b.c-D": "A_b.c-D"},
        {"example.com/Name": "1"},
        {"a" * 63: "b" * 63},
        {f"{'a' * 253}/{'b' * 63}": "x"},
    ],
)
async def test_labels_may_be_these(api: Api, config_maps: str, labels: dict[str, str]) -> None:
    created = (await api.create(config_maps, config_map("a", labels=labels))).ok()

    assert created["metadata"]["labels"] == labels


@pytest.mark.parametrize(
    ("labels", "complaint"),
    [
        ({"": "x"}, '"": name part must be non-empty'),
        ({"/a": "x"}, '"/a": prefix part must be non-empty'),
        ({"a/": "x"}, '"a/": name part must be non-empty'),
        ({"a/b/c": "x"}, '"a/b/c": a valid label key must consist of alphanumeric characters'),
        ({"A.b/c": "x"}, f'"A.b/c": prefix part {SUBDOMAIN}'),
        ({"a b": "x"}, '"a b": name part must consist of alphanumeric characters'),
        ({"a" * 64: "x"}, f'"{"a" * 64}": name part must be no more than 63 bytes'),
        ({"a": "-x"}, '"-x": a valid label must be an empty string or consist of alphanumeric characters'),
        ({"a": "x y"}, '"x y": a valid label must be an empty string or consist of alphanumeric characters'),
        ({"a": "x" * 64}, f'"{"x" * 64}": must be no more than 63 bytes'),
    ],
)
async def test_labels_may_not_be_these(
    api: Api, config_maps: str, labels: dict[str, str], complaint: str
) -> None:
    reply = await api.create(config_maps, config_map("a", labels=labels))

    refused = reply.refused(422, "Invalid")
    assert refused["details"]["causes"][0]["message"].startswith(f"Invalid value: {complaint}")
    assert set(reply.fields) == {"metadata.labels"}


@pytest.mark.parametrize("annotations", [{"a": "x y\n{}"}, {"Upper.Example.com/a": ""}, {"a": "x" * 262143}])
async def test_annotations_may_be_these(api: Api, config_maps: str, annotations: dict[str, str]) -> None:
    created = (await api.create(config_maps, config_map("a", annotations=annotations))).ok()

    assert created["metadata"]["annotations"] == annotations


@pytest.mark.parametrize("key", ["", "a b", "a/b/c", "a" * 64])
async def test_the_keys_of_annotations_are_checked_like_those_of_labels(
    api: Api, config_maps: str, key: str
) -> None:
    reply = await api.create(config_maps, config_map("a", annotations={key: "x"}))

    reply.refused(422, "Invalid")
    assert set(reply.fields) == {"metadata.annotations"}


async def test_annotations_are_limited_in_their_total_size(api: Api, config_maps: str) -> None:
    halves = {"a": "x" * 131071, "b": "x" * 131072}  # with the two keys one byte too much

    reply = await api.create(config_maps, config_map("a", annotations=halves))

    assert reply.refused(422, "Invalid")["message"] == (
        'ConfigMap "a" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes'
    )


@pytest.mark.parametrize("key", ["a b", "a/b", "", ".", ".."])
async def test_the_keys_of_a_config_map_are_file_names(api: Api, config_maps: str, key: str) -> None:
    reply = await api.create(config_maps, config_map("a", {key: "x"}))

    reply.refused(422, "Invalid")
    assert set(reply.fields) == {f"data[{key}]"}


@pytest.mark.parametrize("finalizer", ["example.com/a", "orphan", "foregroundDeletion", "kubernetes"])
async def test_a_finalizer_is_qualified_or_well_known(api: Api, config_maps: str, finalizer: str) -> None:
    reply = await api.create(config_maps, config_map("a", finalizers=[finalizer]), dryRun="All")

    assert reply.ok()["metadata"]["finalizers"] == [finalizer]


@pytest.mark.parametrize(
    ("finalizer", "fields"),
    [
        ("plain", ["metadata.finalizers[0]"]),
        ("a b", ["metadata.finalizers", "metadata.finalizers[0]"]),
        ("Example.com/a", ["metadata.finalizers"]),
        ("a/b/c", ["metadata.finalizers"]),
        ("/a", ["metadata.finalizers"]),
        (f"example.com/{'a' * 64}", ["metadata.finalizers"]),
    ],
)
async def test_other_finalizers_are_invalid(
    api: Api, config_maps: str, finalizer: str, fields: list[str]
) -> None:
    reply = await api.create(config_maps, config_map("a", finalizers=[finalizer]))

    reply.refused(422, "Invalid")
    assert reply.fields == fields


async def test_an_unqualified_finalizer_is_told_what_it_lacks(api: Api, config_maps: str) -> None:
    refused = (await api.create(config_maps, config_map("a", finalizers=["plain"]))).refused(422, "Invalid")

    cause: dict[str, Any] = refused["details"]["causes"][0]
    assert cause["message"] == (
        'Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified'
    )

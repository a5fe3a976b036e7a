"""field validation: unknown and duplicate fields are refused, warned about or ignored."""

import pytest

from contract import JSON_PATCH, STRATEGIC, Api, Object, config_map, deployment, pod
from contract_objects import secret, version_of, warning, with_metadata, with_spec

DUPLICATES = (
    b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"a"},"data":{"key":"1","key":"2"}}'
)
UNKNOWN = (
    'unknown field "metadata.colour"',
    'unknown field "spec.colour"',
    'unknown field "spec.template.spec.containers[0].colour"',
    'unknown field "colour"',
)


def coloured() -> Object:
    """A Deployment with an unknown field in four places; complaints follow the order of the document."""
    body = with_metadata(deployment("a"), colour="blue")
    template = body["spec"].pop("template")
    template["spec"]["containers"][0]["colour"] = "blue"
    return {**with_spec(body, colour="blue", template=template), "colour": "blue"}


async def test_strict_refuses_and_names_every_unknown_field(api: Api, deployments: str) -> None:
    reply = await api.create(deployments, coloured(), fieldValidation="Strict")

    refused = reply.refused(400, "BadRequest")
    prefix = 'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: '
    assert refused["message"] == prefix + ", ".join(UNKNOWN)
    (await api.get(f"{deployments}/a")).refused(404, "NotFound")


async def test_warn_accepts_and_sends_a_warning_for_each(api: Api, deployments: str) -> None:
    reply = await api.create(deployments, coloured(), fieldValidation="Warn")

    assert reply.status == 201
    assert reply.warnings == tuple(warning(text) for text in UNKNOWN)
    assert "colour" not in reply.body["spec"]


async def test_ignore_accepts_in_silence(api: Api, deployments: str) -> None:
    reply = await api.create(deployments, coloured(), fieldValidation="Ignore")

    assert (reply.status, reply.warnings) == (201, ())
    assert "colour" not in reply.body["spec"]


@pytest.mark.parametrize("query", [{}, {"fieldValidation": ""}])
async def test_without_a_choice_unknown_fields_are_warned_about(
    api: Api, config_maps: str, query: dict[str, str]
) -> None:
    reply = await api.create(config_maps, {**config_map("a"), "colour": "blue"}, **query)

    assert reply.status == 201
    assert reply.warnings == (warning('unknown field "colour"'),)


@pytest.mark.parametrize("choice", ["strict", "Loose"])
async def test_another_choice_is_invalid(api: Api, config_maps: str, choice: str) -> None:
    reply = await api.create(config_maps, config_map("a"), fieldValidation=choice)

    assert reply.refused(422, "Invalid")["message"] == (
        f'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "{choice}": '
        'supported values: "", "Ignore", "Strict", "Warn"'
    )


async def test_fields_in_lists_are_named_by_their_place(api: Api, pods: str, namespace: str) -> None:
    containers = [
        {"name": "first", "image": "app:1"},
        {"name": "second", "image": "app:1", "env": [{"name": "A"}, {"name": "B", "vaule": "1"}]},
    ]
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "u", "namespace": "elsewhere"}
    owned = with_metadata(secret("a"), ownerReferences=[owner])

    nested = await api.create(pods, pod("a", containers=containers), fieldValidation="Strict")
    in_metadata = await api.create(f"/api/v1/namespaces/{namespace}/secrets", owned, fieldValidation="Strict")

    assert nested.refused(400, "BadRequest")["message"].endswith(
        'strict decoding error: unknown field "spec.containers[1].env[1].vaule"'
    )
    assert in_metadata.refused(400, "BadRequest")["message"].endswith(
        'strict decoding error: unknown field "metadata.ownerReferences[0].namespace"'
    )


async def test_a_field_in_another_case_is_unknown(api: Api, config_maps: str) -> None:
    reply = await api.create(
        config_maps, {**config_map("a"), "Data": {"key": "value"}}, fieldValidation="Strict"
    )

    assert reply.refused(400, "BadRequest")["message"].endswith('unknown field "Data"')


async def test_free_maps_have_no_unknown_fields(api: Api, config_maps: str) -> None:
    body = config_map("a", {"colour": "blue"}, labels={"colour": "blue"}, annotations={"colour": "blue"})

    assert (await api.create(config_maps, body, fieldValidation="Strict")).status == 201


async def test_unknown_fields_are_complained_about_before_invalid_values(api: Api, config_maps: str) -> None:
    body = {**config_map("NOT A NAME"), "colour": "blue"}

    (await api.create(config_maps, body, fieldValidation="Strict")).refused(400, "BadRequest")


async def test_quotes_in_a_warning_are_escaped_twice(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, {**config_map("a"), 'a"b': 1})

    assert reply.warnings == (r'299 - "unknown field \"a\\\"b\""',)


async def test_strict_refuses_duplicate_fields(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, DUPLICATES, fieldValidation="Strict")

    assert reply.refused(400, "BadRequest")["message"] == (
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: '
        'duplicate field "metadata.name", duplicate field "data.key"'
    )


async def test_warn_takes_the_last_of_duplicate_fields(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, DUPLICATES, fieldValidation="Warn")

    assert reply.ok()["data"] == {"key": "2"}
    assert reply.warnings == (
        warning('duplicate field "metadata.name"'),
        warning('duplicate field "data.key"'),
    )


async def test_nothing_is_told_of_fields_of_what_cannot_be_converted(api: Api, namespace: str) -> None:
    broken = deployment("a", annotations={"deprecated.daemonset.template.generation": "x"})
    sent = {**broken, "kind": "DaemonSet", "unknown": 1}

    reply = await api.create(f"/apis/apps/v1/namespaces/{namespace}/daemonsets", sent)

    assert "strconv.ParseInt" in reply.refused(400, "BadRequest")["message"]
    assert reply.warnings == ()


async def test_ignore_takes_the_last_of_duplicate_fields_in_silence(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, DUPLICATES, fieldValidation="Ignore")

    assert (reply.ok()["data"], reply.warnings) == ({"key": "2"}, ())


async def test_duplicates_in_yaml_are_told_by_their_line(api: Api, config_maps: str) -> None:
    body = b'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  key: "1"\n  key: "2"\n'

    warned = await api.create(config_maps, body, content_type="application/yaml")
    strict = await api.create(config_maps, body, content_type="application/yaml", fieldValidation="Strict")

    assert warned.ok()["data"] == {"key": "2"}
    assert warned.warnings == (warning('line 6: key "key" already set in map'),)
    strict.refused(400, "BadRequest")


async def test_update_is_validated_as_create_is(api: Api, config_maps: str) -> None:
    created = await api.create(config_maps, config_map("a"))
    body = {**config_map("a"), "colour": "blue"}

    strict = await api.update(f"{config_maps}/a", body, fieldValidation="Strict")
    warned = await api.update(f"{config_maps}/a", body)

    strict.refused(400, "BadRequest")
    assert warned.warnings == (warning('unknown field "colour"'),)
    assert version_of(warned) == version_of(created)


@pytest.mark.parametrize(
    ("content_type", "patch"),
    [
        ("application/merge-patch+json", {"spec": {"colour": "blue"}}),
        (STRATEGIC, {"spec": {"colour": "blue"}}),
        (JSON_PATCH, [{"op": "add", "path": "/spec/colour", "value": "blue"}]),
    ],
    ids=["merge", "strategic", "json"],
)
async def test_strict_refuses_a_patch_with_an_unknown_field(
    api: Api, deployments: str, content_type: str, patch: object
) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    strict = await api.patch(f"{deployments}/a", patch, content_type, fieldValidation="Strict")
    warned = await api.patch(f"{deployments}/a", patch, content_type)
    ignored = await api.patch(f"{deployments}/a", patch, content_type, fieldValidation="Ignore")

    assert strict.refused(422, "Invalid")["message"].endswith(
        'strict decoding error: unknown field "spec.colour"'
    )
    assert strict.fields == ["patch"]
    assert (warned.status, warned.warnings) == (200, (warning('unknown field "spec.colour"'),))
    assert (ignored.status, ignored.warnings) == (200, ())


async def test_a_status_update_is_validated_too(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    reply = await api.update(
        f"{deployments}/a/status",
        {**deployment("a"), "status": {"colour": "blue"}},
        fieldValidation="Strict",
    )

    assert reply.refused(400, "BadRequest")["message"].endswith('unknown field "status.colour"')

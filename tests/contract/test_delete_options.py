"""delete: its options, in a body or in the query."""

import pytest

from contract import Api, Object, config_map

YAML = "application/yaml"
UNKNOWN_FORMAT = (
    "the body of the request was in an unknown format - accepted media types include: "
    "application/json, application/yaml, application/vnd.kubernetes.protobuf"
)
UNREADABLE = "couldn't get version/kind; json parse error: "


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"nope", UNREADABLE + "invalid character 'o' in literal null (expecting 'u')"),
        (
            b'{"kind":1}',
            UNREADABLE + "json: cannot unmarshal number into Go struct field .kind of type string",
        ),
        (
            b'{"kind":"Other"}',
            'no kind "Other" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
        ),
        (
            b'{"kind":"ConfigMap","apiVersion":"v1"}',
            'no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
        ),
        (b'{"apiVersion":"x/y/z"}', "unexpected GroupVersion string: x/y/z"),
        (
            b'{"gracePeriodSeconds":"x"}',
            "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
        ),
        (
            b'{"preconditions":7}',
            "json: cannot unmarshal number into Go struct field DeleteOptions.preconditions of type v1.Preconditions",
        ),
    ],
    ids=["words", "no text", "another kind", "a known kind", "odd version", "no number", "no object"],
)
async def test_malformed_options_are_a_bad_request(
    api: Api, config_maps: str, body: bytes, message: str
) -> None:
    assert (await api.delete(f"{config_maps}/absent", body)).refused(400, "BadRequest")["message"] == message


@pytest.mark.parametrize(
    "body",
    [
        b"null",
        b"{}",
        b'{"kind":"DeleteOptions","apiVersion":"v9"}',
        b'{"kind":"DeleteOptions","apiVersion":"apps/v1"}',
        b'{"kind":"DeleteOptions","apiVersion":"other.example.com/v3","unknown":1}',
    ],
)
async def test_options_may_be_of_any_version(api: Api, config_maps: str, body: bytes) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    assert (await api.delete(f"{config_maps}/a", body)).ok()["status"] == "Success"


async def test_options_may_be_yaml(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    options = b"kind: DeleteOptions\napiVersion: v1\ndryRun: [All]\n"

    tried = await api.delete(f"{config_maps}/a", options, content_type=YAML)

    assert tried.ok()["status"] == "Success"
    assert (await api.get(f"{config_maps}/a")).status == 200


async def test_options_of_an_unknown_type_are_refused_with_the_known_ones(api: Api, config_maps: str) -> None:
    reply = await api.delete(f"{config_maps}/absent", b"{}", content_type="text/plain")

    assert reply.refused(415, "UnsupportedMediaType")["message"] == UNKNOWN_FORMAT


async def test_the_query_is_not_read_where_there_is_a_body(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.delete(f"{config_maps}/a", {"gracePeriodSeconds": 7}, dryRun="All")).ok()

    assert (await api.get(f"{config_maps}/a")).status == 404


@pytest.mark.parametrize(("name", "called"), [("uid", "UID"), ("resourceVersion", "ResourceVersion")])
async def test_preconditions_may_stand_in_the_query(
    api: Api, config_maps: str, name: str, called: str
) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()
    path = f"{config_maps}/a"

    refused = (await api.delete(path, **{name: "1"})).refused(409, "Conflict")

    assert f"the {called} in the precondition (1) does not match" in refused["message"]
    (await api.delete(path, **{name: created["metadata"][name]})).ok()


async def test_an_empty_precondition_in_the_query_is_none(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.delete(f"{config_maps}/a", uid="", resourceVersion="")).ok()


async def test_an_empty_grace_period_is_no_number(api: Api, config_maps: str) -> None:
    refused = (await api.delete(f"{config_maps}/a", gracePeriodSeconds="")).refused(400, "BadRequest")

    assert refused["message"] == 'strconv.ParseInt: parsing "": invalid syntax'


@pytest.mark.parametrize("body", [None, {"propagationPolicy": ""}], ids=["query", "body"])
async def test_an_empty_policy_is_invalid(api: Api, config_maps: str, body: Object | None) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.delete(f"{config_maps}/a", body, propagationPolicy="")

    reply.refused(422, "Invalid")
    assert reply.fields == ["propagationPolicy"]

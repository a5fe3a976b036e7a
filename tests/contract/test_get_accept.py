"""get: the form of an answer, as the Accept header asks for it."""

import pytest
import yaml

from contract import JSON, Api, config_map
from contract_crd import Definitions
from contract_reads import PARTIAL, PROTOBUF, TABLE, raw

YAML = "application/yaml"
NEITHER_TABLE_NOR_OBJECT = (
    "only the following media types are accepted: application/json, application/yaml, " + PROTOBUF
)
QUOTED = (
    *("", "~", "null", "y", "N", "Yes", "on", "OFF", "true", "False"),
    *("1", "-1", "08", "1_000", "0x1F", "0o7", "0b1", "1.", ".5", "1e3", "-2E+05", "+.inf", ".nan"),
    *("12:30", "190:20:30.5", "2001-1-1", "2001-01-01T00:00:00Z", "2001-01-01 1:2:3"),
)
"""What some reader of YAML could take for no text."""
PLAIN = (
    *("a", "oN", "nULL", "1a", "0x", "0b2", "1:60", "_1", "2001-13-01", "=", "<<", "a b", "a:b", "a#b"),
    *("it's", "a\\b", "€", "é", "http://example.com/?a=b#c", "x" * 200),
)
WRITTEN = {
    " a": "' a'",
    "a ": "'a '",
    "a: b": "'a: b'",
    "a #b": "'a #b'",
    "- a": "'- a'",
    "'": "''''",
    "*a": "'*a'",
    "a\tb": r'"a\tb"',
    "\x00": r'"\0"',
    "😀": r'"\U0001F600"',
    "a\nb": "|-\n    a\n    b",
    "a: b\n": "|\n    a: b",
    "a\n\n": "|+\n    a\n",
    " a\nb": "|2-\n     a\n    b",
    "a \nb": r'"a \nb"',
    "word " * 20: f"'{'word ' * 14}word\n    {'word ' * 5}'",
}
OBJECT_FORMS = "application/json, application/yaml, application/vnd.kubernetes.protobuf"
WATCH_FORMS = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"


async def test_text_in_yaml_stands_in_quotes_where_it_could_be_something_else(
    api: Api, config_maps: str
) -> None:
    texts = {text: f'"{text}"' for text in QUOTED} | {text: text for text in PLAIN} | WRITTEN
    data = {f"key{at:03}": text for at, text in enumerate(texts)}
    (await api.create(config_maps, config_map("a", data))).ok()

    reply = await api.get(f"{config_maps}/a", accept=YAML)

    expected = [f"  {key}: {texts[text]}\n" for key, text in data.items()]
    found, _, _ = reply.body.partition("\nkind: ")
    assert f"{found}\n" == f"apiVersion: v1\ndata:\n{''.join(expected)}"


async def test_keys_in_yaml_are_in_the_order_of_their_numbers(api: Api, config_maps: str) -> None:
    beyond = str(2**64 + 5)  # which in 64 bits is 5
    keys = ["-a", ".a", "_a", beyond, "9", "10", "A", "a", "a-1", "a2", "a02", "a10", "aB", "ab"]
    (await api.create(config_maps, config_map("a", dict.fromkeys(reversed(keys), "v")))).ok()

    reply = await api.get(f"{config_maps}/a", accept=YAML)

    written = [f'"{key}"' if key.isdecimal() else key for key in keys]
    assert [line[2:-3] for line in reply.body.splitlines() if line.endswith(": v")] == written


@pytest.mark.parametrize(
    "accept",
    [
        JSON,
        "*/*",
        "",
        "application/json; charset=utf-8",
        "application/json;stream=watch",
        "text/html, application/json",
        "application/json;as=Nonsense;g=meta.k8s.io;v=v1, application/json",
        "application/json;as=Table;g=nonsense.example.com;v=v1, application/json;q=0.5",
    ],
)
async def test_json_answers_every_accept_header_that_allows_it(
    api: Api, config_maps: str, accept: str
) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.get(f"{config_maps}/a", accept=accept)

    assert reply.ok() == created
    assert reply.headers["content-type"] == JSON


async def test_an_object_and_a_list_can_be_had_as_yaml(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "yes"}))).ok()

    one = await api.get(f"{config_maps}/a", accept=YAML)
    several = await api.get(config_maps, accept=YAML)

    assert one.headers["content-type"] == several.headers["content-type"] == YAML
    assert yaml.safe_load(one.body) == created
    assert yaml.safe_load(several.body)["kind"] == "ConfigMapList"


async def test_a_refusal_has_the_form_that_was_asked_for(api: Api, config_maps: str) -> None:
    reply = await api.get(f"{config_maps}/absent", accept=YAML)

    assert (reply.status, reply.headers["content-type"]) == (404, YAML)
    assert yaml.safe_load(reply.body)["message"] == 'configmaps "absent" not found'


async def test_a_refusal_is_a_status_even_where_a_table_was_asked_for(api: Api, config_maps: str) -> None:
    reply = await api.get(f"{config_maps}/absent", accept=TABLE)

    assert reply.refused(404, "NotFound")["message"] == 'configmaps "absent" not found'


async def test_the_form_of_the_highest_quality_is_chosen(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.get(f"{config_maps}/a", accept="application/json;q=0.1, application/yaml;q=0.9")

    assert reply.headers["content-type"] == YAML


@pytest.mark.parametrize("accept", ["text/plain", "application/*", "application/cbor", ","])
async def test_an_unknown_form_is_not_acceptable(api: Api, config_maps: str, accept: str) -> None:
    refused = (await api.get(f"{config_maps}/absent", accept=accept)).refused(406, "NotAcceptable")

    assert refused["message"] == f"406: Not Acceptable\n\nAvailable representations: {OBJECT_FORMS}"
    assert refused["details"] == {}


async def test_a_collection_has_the_forms_of_a_watch_too(api: Api, config_maps: str) -> None:
    refused = (await api.get(config_maps, accept="text/plain")).refused(406, "NotAcceptable")

    assert refused["message"].endswith(f"Available representations: {OBJECT_FORMS}, {WATCH_FORMS}")


async def test_an_unknown_form_of_a_custom_kind_is_refused_in_other_words(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve()

    for path in (widgets.path, widgets.at("absent")):
        refused = (await api.get(path, accept="text/plain")).refused(406, "NotAcceptable")
        assert refused["message"] == NEITHER_TABLE_NOR_OBJECT


async def test_an_unknown_form_is_refused_before_the_name_is_looked_at(api: Api, config_maps: str) -> None:
    (await api.get(f"{config_maps}/%2E%2E", accept="text/plain")).refused(406, "NotAcceptable")
    (await api.get(f"{config_maps}/%2E%2E")).refused(400, "BadRequest")


@pytest.mark.parametrize(
    "accept",
    [
        "application/json;as=Nonsense;g=meta.k8s.io;v=v1",
        "application/json;as=Table;g=meta.k8s.io;v=v2",
        "application/json;as=Table",
    ],
)
async def test_an_unknown_conversion_is_not_acceptable(api: Api, config_maps: str, accept: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    refused = (await api.get(f"{config_maps}/a", accept=accept)).refused(406, "NotAcceptable")

    assert refused["message"] == NEITHER_TABLE_NOR_OBJECT


async def test_the_first_conversion_that_the_server_knows_is_made(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.get(f"{config_maps}/a", accept=f"application/json;as=Nonsense, {PARTIAL}, {TABLE}")

    assert reply.ok()["kind"] == "PartialObjectMetadata"


async def test_built_in_kinds_can_be_had_as_protobuf(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    response = await raw(api, f"{config_maps}/a", Accept=f"{PROTOBUF}, {JSON}")

    assert (response.status, response.headers["content-type"]) == (200, PROTOBUF)
    assert response.body.startswith(b"k8s\0")


async def test_custom_kinds_are_not_to_be_had_as_protobuf(crds: Definitions, api: Api) -> None:
    widgets = await crds.serve()

    either = await raw(api, widgets.path, Accept=f"{PROTOBUF}, {JSON}")
    only = await raw(api, widgets.path, Accept=PROTOBUF)

    assert (either.status, either.headers["content-type"]) == (200, JSON)
    assert only.status == 406


async def test_a_custom_kind_may_be_had_in_any_form_of_an_application(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    created = (await widgets.create("a")).ok()

    assert (await api.get(widgets.at("a"), accept="application/*")).ok() == created

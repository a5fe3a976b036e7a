"""validation: what counts as an integer, and what becomes of large and odd numbers."""

import orjson
import pytest

from contract import APPLY, JSON_PATCH, Api, Reply
from contract_crd import CustomKind, Definitions, integer, invalid, number, obj, spec

NOT_AN_INTEGER = {
    'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f',
}


async def send(api: Api, kind: CustomKind, literal: str) -> Reply:
    """Create an object whose field is this very piece of JSON."""
    group_version = f"{kind.group}/{kind.version}"
    body = f'{{"apiVersion":"{group_version}","kind":"Widget","metadata":{{"name":"a"}},"spec":{{"f":{literal}}}}}'
    return await api.create(kind.path, body.encode())


@pytest.mark.parametrize(
    ("literal", "stored"),
    [
        ("1.0", 1),
        ("1e2", 100),
        ("-0", 0),
        ("9007199254740993", 9007199254740993),
        ("9223372036854775807", 9223372036854775807),
        ("-9223372036854775808", -9223372036854775808),
    ],
)
async def test_a_whole_number_is_an_integer_however_it_is_written(
    api: Api, crds: Definitions, literal: str, stored: int
) -> None:
    widgets = await crds.serve(spec(f=integer()))

    value = (await send(api, widgets, literal)).ok()["spec"]["f"]

    assert value == stored
    assert isinstance(value, int)


@pytest.mark.parametrize("literal", ["1.5", "1e-2", "9223372036854775808", "-9223372036854775809", "1e19"])
async def test_a_fraction_or_more_than_64_bits_is_no_integer(
    api: Api, crds: Definitions, literal: str
) -> None:
    widgets = await crds.serve(spec(f=integer()))

    assert invalid(await send(api, widgets, literal)) == NOT_AN_INTEGER


@pytest.mark.parametrize(
    ("literal", "stored"),
    [
        ("1", 1),
        ("1.0", 1),
        ("1.50", 1.5),
        ("0.1", 0.1),
        ("1e21", 1e21),
        ("100000000000000000000000", 1e23),
        ("9007199254740993", 9007199254740993),
    ],
)
async def test_a_number_is_an_integer_where_it_can_be_and_a_double_elsewhere(
    api: Api, crds: Definitions, literal: str, stored: float
) -> None:
    widgets = await crds.serve(spec(f=number()))

    value = (await send(api, widgets, literal)).ok()["spec"]["f"]

    assert value == stored
    assert type(value) is type(stored)


async def test_a_number_beyond_a_double_cannot_be_read(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=number()))

    assert (await send(api, widgets, "1e400")).refused(400, "BadRequest")["message"] == (
        'Widget in version "v1" cannot be handled as a Widget: '
        "json: cannot unmarshal number 1e400 into Go value of type float64"
    )


@pytest.mark.parametrize(
    ("schema", "good", "bad", "kind"),
    [
        (integer(format="int32"), "2147483647", "2147483648", "integer with format int32"),
        (integer(format="int32"), "-2147483648", "-2147483649", "integer with format int32"),
        (number(format="float"), "3e38", "4e38", "number with format float"),
    ],
    ids=["int32", "negative-int32", "float"],
)
async def test_the_range_of_a_number_format_is_enforced(
    api: Api, crds: Definitions, *, schema: dict[str, str], good: str, bad: str, kind: str
) -> None:
    widgets = await crds.serve(spec(f=schema))

    assert invalid(await send(api, widgets, bad)) == {
        f'<nil>: Invalid value: "": Checked value must be of type {kind} in spec.f'
    }
    assert (await send(api, widgets, good)).status == 201


async def test_the_numbers_of_metadata_are_read_as_go_writes_them(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(obj(spec=obj()))
    (await widgets.create("a")).ok()

    (await api.patch(widgets.at("a"), b'{"metadata":{"generation":1e3}}')).ok()
    reply = await api.patch(widgets.at("a"), b'{"metadata":{"generation":9223372036854775808}}')

    assert reply.refused(422, "Invalid")["message"].endswith(
        "cannot unmarshal number 9223372036854776000 into Go struct field ObjectMeta.generation of type int64"
    )


async def test_what_is_applied_beyond_64_bits_is_no_integer(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(obj(spec=obj(a=integer())))
    body = f'{{"apiVersion":"{crds.group}/v1","kind":"Widget","metadata":{{"name":"a"}},"spec":{{"a":%s}}}}'

    for beyond in ("9223372036854775808", "-9223372036854775809"):
        reply = await api.patch(widgets.at("a"), (body % beyond).encode(), APPLY, fieldManager="b")
        assert 'spec.a: Invalid value: "number": spec.a in body must be of type integer: "number"' in (
            invalid(reply)
        )


async def test_a_json_patch_tests_a_number_by_its_digits(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=number()))
    (await send(api, widgets, "1.5")).ok()

    replies = [
        await api.patch(widgets.at("a"), b'[{"op":"test","path":"/spec/f","value":%b}]' % literal, JSON_PATCH)
        for literal in (b"1.5", b"1.50", b"2.5")
    ]

    assert [reply.status for reply in replies] == [200, 422, 422]


@pytest.mark.parametrize(
    ("sent", "owned", "yaml"),
    [
        ("9223372036854775807", "9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854776000", "9223372036854776000"),
        ("18446744073709551615", "18446744073709552000", "1.8446744073709552e+19"),
        ("-9223372036854775809", "-9223372036854776000", "-9.223372036854776e+18"),
        ("1e3", "1000", "1000"),
        ("1e-7", "1e-07", "1e-07"),
        ("1e21", "1e+21", "1e+21"),
    ],
)
async def test_a_number_that_no_integer_of_64_bits_is_becomes_a_float(
    api: Api, crds: Definitions, sent: str, owned: str, yaml: str
) -> None:
    port = {"type": "object", "properties": {"number": {"type": "number"}}, "required": ["number"]}
    by_number = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["number"]}
    kind = await crds.serve(spec(f={"type": "array", "items": port} | by_number))

    created = (await send(api, kind, f'[{{"number": {sent}}}]')).ok()
    shown = str((await api.get(kind.at("a"), accept="application/yaml")).body)

    (ports,) = (entry["fieldsV1"]["f:spec"]["f:f"] for entry in created["metadata"]["managedFields"])
    assert set(ports) == {".", f'k:{{"number":{owned}}}'}
    assert created["spec"]["f"] == [{"number": orjson.loads(owned)}]
    assert f"- number: {yaml}\n" in shown

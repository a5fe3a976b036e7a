"""labelSelector: which objects each expression selects, and which expressions are none."""

import pytest

from contract import Api, config_map
from contract_reads import names

LABELS = {
    "one": {"size": "1", "tier": "web"},
    "two": {"size": "2"},
    "ten": {"size": "10", "tier": "db"},
    "empty": {"size": "", "example.com/team": "a"},
    "none": {},
}
KEY_RULE = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
VALUE_RULE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
TOO_LONG = "x" * 64
BAD_KEY = "unable to parse requirement: <nil>: Invalid value:"
BAD_SIZE = "unable to parse requirement: values[0][size]: Invalid value:"
NO_INTEGER = "for 'Gt', 'Lt' operators, the value must be an integer"


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        ("", "empty none one ten two"),
        ("size", "empty one ten two"),
        ("!size", "none"),
        ("! size", "none"),
        ("size=1", "one"),
        ("size==1", "one"),
        (" size = 1 ", "one"),
        ("size!=1", "empty none ten two"),
        ("size=", "empty"),
        ("size==", "empty"),
        ("size!=", "none one ten two"),
        ("size in (1,2)", "one two"),
        ("size in(1, 2 )", "one two"),
        ("size in (,1)", "empty one"),
        ("size in ()", "empty"),
        ("size notin (1,2)", "empty none ten"),
        ("size notin ()", "none one ten two"),
        ("size>1", "ten two"),
        ("size<5", "one two"),
        ("size>1,size<10", "two"),
        ("size in (1,10),tier", "one ten"),
        ("size,tier=web", "one"),
        ("size,tier!=web", "empty ten two"),
        ("size=1,size=2", ""),
        ("example.com/team=a", "empty"),
        ("example.com/team", "empty"),
        ("team", ""),
        ("in=in", ""),
    ],
)
async def test_a_selector_selects_by_labels(api: Api, config_maps: str, selector: str, selected: str) -> None:
    for name, labels in LABELS.items():
        (await api.create(config_maps, config_map(name, labels=labels))).ok()

    listing = (await api.get(config_maps, labelSelector=selector)).ok()

    assert names(listing) == selected.split()


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("=1", "found '=', expected: !, identifier, or 'end of string'"),
        ("(", "found '(', expected: !, identifier, or 'end of string'"),
        (",size", "found ',', expected: !, identifier, or 'end of string'"),
        ("size,", "found '', expected: identifier after ','"),
        ("size,,tier", "found ',', expected: identifier after ','"),
        ("size=1 2", "found '2', expected: ',' or 'end of string'"),
        ("size=1=2", "found '=', expected: ',' or 'end of string'"),
        ("!size=1", "found '=', expected: ',' or 'end of string'"),
        ("!!size", "unable to parse requirement: found '!', expected: identifier"),
        ("size>=1", "unable to parse requirement: found '=', expected: identifier"),
        ("size gt 1", "unable to parse requirement: found 'gt', expected: in, notin, =, ==, !=, gt, lt"),
        ("size in 1", "unable to parse requirement: found '1' expected: '('"),
        ("size in (1", "unable to parse requirement: found '', expected: ',' or ')'"),
        ("size>x", f'unable to parse requirement: values[0]: Invalid value: "x": {NO_INTEGER}'),
        ("size<", f'unable to parse requirement: values[0]: Invalid value: "": {NO_INTEGER}'),
        ("-size", f'{BAD_KEY} "-size": {KEY_RULE}'),
        ("example.com/", f'{BAD_KEY} "example.com/": name part must be non-empty; {KEY_RULE}'),
        ("size=-1", f'{BAD_SIZE} "-1": {VALUE_RULE}'),
        (f"size={TOO_LONG}", f'{BAD_SIZE} "{TOO_LONG}": must be no more than 63 bytes'),
    ],
)
async def test_a_malformed_selector_is_refused_with_the_reason(
    api: Api, config_maps: str, selector: str, message: str
) -> None:
    refused = (await api.get(config_maps, labelSelector=selector)).refused(400, "BadRequest")

    assert refused["message"] == message


async def test_both_kinds_of_selector_must_agree(api: Api, config_maps: str) -> None:
    for name, labels in LABELS.items():
        (await api.create(config_maps, config_map(name, labels=labels))).ok()

    listing = (await api.get(config_maps, labelSelector="tier", fieldSelector="metadata.name!=one")).ok()

    assert names(listing) == ["ten"]

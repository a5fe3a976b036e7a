from typing import Any

import orjson
import pytest

from windlass.api import Kind
from windlass.apiserver.decode import Draft, builtin_types, decode_custom
from windlass.apiserver.refusal import Refusal

WIDGET = Kind("example.com", "v1", "Widget", "widgets")
UNRECOGNIZED = "the object provided is unrecognized (must be of type Widget): "
HANDLED = 'Widget in version "v1" cannot be handled as a Widget: '


def draft(text: str = "", validation: str = "Warn", media: str = "application/json") -> Draft:
    return decode_custom(text.encode(), media, WIDGET, builtin_types(), validation)


def widget(more: str = "") -> str:
    return f'{{"apiVersion":"example.com/v1","kind":"Widget"{more}}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"{UNRECOGNIZED}couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"),
        ("null", f"{UNRECOGNIZED}Object 'Kind' is missing in 'null' (6e756c6c)"),
        ("{}", f"{UNRECOGNIZED}Object 'Kind' is missing in '{{}}' ({{}})"),
        ('{"kind":"Widget","apiVersion":"x/y/z"}', f'{UNRECOGNIZED}unexpected GroupVersion string: x/y/z ({{"kind":"Widget","apiVersion": ...)'),
        (widget(',"metadata":[]'), f"{HANDLED}json: cannot unmarshal array into Go value of type v1.ObjectMeta"),
        (widget(',"metadata":{"name":1}'), f"{HANDLED}json: cannot unmarshal number into Go struct field ObjectMeta.name of type string"),
        (widget(',"spec":{"a":1e400}'), f"{HANDLED}json: cannot unmarshal number 1e400 into Go value of type float64"),
    ],
)  # fmt: skip
def test_a_body_that_is_no_custom_resource_is_a_bad_request(text: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        draft(text)

    assert (refused.value.code, refused.value.message) == (400, message)


def test_who_ignores_unknown_fields_is_told_of_a_missing_kind_in_other_words() -> None:
    with pytest.raises(Refusal) as refused:
        draft("{}", "Ignore")

    assert refused.value.message == f"{HANDLED}Object 'Kind' is missing in '{{}}'"


@pytest.mark.parametrize("claimed", ["", "v1", "example.com/v2"])
def test_another_version_is_refused_once_the_fields_were_judged(claimed: str) -> None:
    sent = draft(orjson.dumps({"kind": "Widget", "apiVersion": claimed}).decode())

    with pytest.raises(Refusal) as refused:
        sent.check_version()

    assert refused.value.message == (
        f"the API version in the data ({claimed}) does not match the expected API version (example.com/v1)"
    )


def test_another_kind_is_for_validation_to_refuse() -> None:
    assert draft('{"apiVersion":"example.com/v1","kind":"Gadget"}').object["kind"] == "Gadget"


def test_repeated_and_unknown_fields_are_judged_together() -> None:
    sent = draft(
        widget(',"metadata":{"name":"a","colour":1},"spec":{"a":1,"a":2,"l":[{"b":1,"b":2}]},"spec":{"x":1}')
    )
    expected = (
        'duplicate field "spec.a"',
        'duplicate field "spec.l[0].b"',
        'duplicate field "spec"',
        'unknown field "metadata.colour"',
        'unknown field "spec.x"',
    )

    assert sent.object["spec"] == {"x": 1}
    assert sent.object["metadata"] == {"name": "a"}
    assert sent.judge(["spec.x"], "Warn") == expected
    assert sent.judge(["spec.x"], "Ignore") == ()
    with pytest.raises(Refusal) as refused:
        sent.judge(["spec.x"], "Strict")
    assert refused.value.message == f"{HANDLED}strict decoding error: {', '.join(expected)}"


def test_repeated_keys_in_yaml_are_judged_by_their_lines() -> None:
    text = "apiVersion: example.com/v1\nkind: Widget\nspec:\n  a: 1\n  a: 2\n"
    sent = draft(text, media="application/yaml")

    assert sent.judge((), "Warn") == ('line 5: key "a" already set in map',)
    with pytest.raises(Refusal) as refused:
        sent.judge(["spec.a"], "Strict")
    assert refused.value.message == (
        f"{HANDLED}strict decoding error: yaml: unmarshal errors:\n"
        '  line 5: key "a" already set in map, unknown field "spec.a"'
    )


@pytest.mark.parametrize(
    ("given", "read"), [("1.0", 1.0), ("1e3", 1000.0), ("1.5", 1.5), ("1", 1), ("99999999999999999999", 1e20)]
)
def test_a_number_that_is_no_integer_stays_one_until_it_is_validated(given: str, read: Any) -> None:
    found = draft(widget(f',"spec":{given}')).object["spec"]

    assert (type(found), found) == (type(read), read)

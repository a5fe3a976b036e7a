import pytest

from windlass.apiserver.go_json import DEEPEST, NotJsonError, parse


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unexpected end of JSON input"),
        ("[", "unexpected end of JSON input"),
        ('{"a":', "unexpected end of JSON input"),
        ('"abc', "unexpected end of JSON input"),
        ("[] x", "invalid character 'x' after top-level value"),
        ("[}", "invalid character '}' looking for beginning of value"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        ("[1 2", "invalid character '2' after array element"),
        ("{'a'", r"invalid character '\'' looking for beginning of object key string"),
        ('{"a":1,}', "invalid character '}' looking for beginning of object key string"),
        ('{"a" 1', "invalid character '1' after object key"),
        ('{"a":1 "b"', "invalid character '\"' after object key:value pair"),
        ("nul", "invalid character ' ' in literal null (expecting 'l')"),
        ("[tru}", "invalid character '}' in literal true (expecting 'e')"),
        ("-", "invalid character ' ' in numeric literal"),
        ("01", "invalid character '1' after top-level value"),
        ("1.", "invalid character ' ' after decimal point in numeric literal"),
        ("1e+", "invalid character ' ' in exponent of numeric literal"),
        ('"\x01"', r"invalid character '\x01' in string literal"),
        (r'"\x"', "invalid character 'x' in string escape code"),
        (r'"\u12"', "invalid character '\"' in \\u hexadecimal character escape"),
    ],
)
def test_a_text_that_is_no_json_is_refused_in_the_words_of_go(text: str, message: str) -> None:
    with pytest.raises(NotJsonError) as caught:
        parse(text.encode())

    assert str(caught.value) == message


def test_bytes_and_escapes_that_stand_for_no_character_are_replaced() -> None:
    assert parse(b'{"a": ["\xff", "\\ud800"]}') == {"a": ["\ufffd", "\ufffd"]}


@pytest.mark.parametrize("depth", [DEEPEST, 5000])
def test_values_nest_only_so_deeply(depth: int) -> None:
    assert parse(b"[" * DEEPEST + b"]" * DEEPEST)

    with pytest.raises(NotJsonError, match="exceeded max depth"):
        parse(b"[" * (depth + 1) + b"]" * (depth + 1))

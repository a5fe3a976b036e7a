"""Texts without the values of Secrets: in which forms they are found, and what is left as it is."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import string
import traceback
from base64 import b64encode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest

from windlass.api import (
    Kind,
    SecretFilter,
    Snapshot,
    Untyped,
    mark,
    mask,
    mask_all,
    masked_error,
    masked_logger,
    masking_secrets,
    note_secret,
)
from windlass.kinds.core.v1 import ConfigMap, Secret

if TYPE_CHECKING:
    from collections.abc import Callable

PASSWORD = b"correct horse battery"
ODD = 'p4ss w0rd/"x"+\\\'é?'
WORD = "hunter22"  # by a name, so that no other line of source has it
CHARACTERS = string.printable + "äß€密🔑"

FORMS: dict[str, Callable[[bytes], str]] = {
    "raw": lambda value: value.decode(),
    "base64": lambda value: b64encode(value).decode(),
    "base64 without padding": lambda value: b64encode(value).decode().rstrip("="),
    "base64 for URLs": lambda value: urlsafe_b64encode(value).decode(),
    "base64 for URLs without padding": lambda value: urlsafe_b64encode(value).decode().rstrip("="),
    "quote": lambda value: quote(value.decode()),
    "quote with slashes": lambda value: quote(value.decode(), safe=""),
    "quote_plus": lambda value: quote_plus(value.decode()),
    "JSON": lambda value: json.dumps(value.decode())[1:-1],
    "JSON as UTF-8": lambda value: json.dumps(value.decode(), ensure_ascii=False)[1:-1],
    "repr": lambda value: repr(value.decode())[1:-1],
}


def secret(name: str = "db", **values: bytes | str) -> dict[str, Any]:
    data = {
        key: b64encode(each).decode() if isinstance(each, bytes) else each for key, each in values.items()
    }
    return {"metadata": {"name": name, "namespace": "team-a"}, "data": data, "type": "Opaque"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", [PASSWORD, ODD.encode(), "密码🔑".encode(), b"+/+/+/>>>???"])
def test_a_value_is_masked_in_each_form(form: str, value: bytes) -> None:
    with masking_secrets():
        note_secret(secret(password=value))
        assert mask(f"<{FORMS[form](value)}>") == "<***>"


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_any_value_is_left(form: str) -> None:
    chance = random.Random(form)
    for _ in range(300):
        value = "".join(chance.choices(CHARACTERS, k=chance.randint(6, 40))).strip()
        if len(value.encode()) < 6:
            continue
        shown = FORMS[form](value.encode())
        with masking_secrets():
            note_secret(secret(password=value.encode()))
            assert shown not in mask(f"a{shown}z{shown}")


@pytest.mark.parametrize("before", ["", "u", "us", "use", "user:"])
@pytest.mark.parametrize("after", ["", "!", "!!", "!!!"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
def test_a_value_inside_a_text_in_base64_is_masked(
    before: str, after: str, encode: Callable[[bytes], bytes]
) -> None:
    text = encode(before.encode() + PASSWORD + after.encode()).decode()
    with masking_secrets():
        note_secret(secret(password=PASSWORD))
        left, masked, right = mask(text).partition("***")
    # A character of base64 that tells of a neighbour, too, is left.
    assert masked
    assert len(left) <= len(before) * 4 // 3 + 1
    assert len(right) <= len(after) * 4 // 3 + 4


def test_binary_values_are_masked_as_base64_and_as_python_writes_them() -> None:
    value = bytes(range(250, 256)) + b"\x00key"
    with masking_secrets():
        note_secret(secret(key=value))
        assert mask(f"{b64encode(value).decode()} {value!r}") == "*** b'***'"


@pytest.mark.parametrize("space", ["\n", "\r\n", "  \n"])
def test_a_value_is_masked_with_and_without_the_space_around_it(space: str) -> None:
    value = f"{PASSWORD.decode()}{space}"
    with masking_secrets():
        note_secret(secret(password=value.encode()))
        assert mask(f"{PASSWORD.decode()}{space}next") == f"***{space}next"
        assert mask(b64encode(value.encode()).decode()) == "***"
        assert mask(b64encode(PASSWORD).decode()) == "***"


def test_the_longest_of_several_values_is_masked() -> None:
    with masking_secrets():
        note_secret(secret(one=b"hunter2", two=b"hunter22-and-more"))
        assert mask("hunter22-and-more hunter2x") == "*** ***x"


def test_values_under_six_bytes_are_left() -> None:
    with masking_secrets():
        note_secret(secret(pin=b"12345", code=b"123456"))
        assert mask("12345 123456 54321") == "12345 *** 54321"


def test_names_that_texts_show_anyway_are_left() -> None:
    with masking_secrets("the-shop", "team-one"):
        note_secret(secret("shop-db-login", a=b"the-shop", b=b"team-one", c=b"shop-db", d=b"default"))
        note_secret(secret("other", username=b"username", e=b"secret-value"))
        text = "the-shop in team-one: Secret shop-db-login, default, username"
        assert mask(f"{text}: secret-value") == f"{text}: ***"


def test_nothing_is_masked_outside_of_a_block_and_in_another_task() -> None:
    async def other() -> str:
        return mask("hunter22")

    async def inner() -> tuple[str, str]:
        with masking_secrets():
            note_secret(secret(password=b"hunter22"))
            beside = asyncio.create_task(other())
            return mask("hunter22"), await asyncio.to_thread(mask, "hunter22") + await beside

    assert asyncio.run(inner()) == ("***", "******")
    note_secret(secret(password=b"hunter22"))
    assert mask("hunter22") == "hunter22"


def test_what_is_kept_of_a_long_value_masks_the_rest_of_a_text() -> None:
    value = "".join(random.Random(1).choices(string.ascii_letters, k=5000)).encode()
    encoded = b64encode(value).decode()
    with masking_secrets() as values:
        note_secret(secret(key=value))
        assert mask(f"it is {value.decode()} ok") == "it is ***"
        assert mask(f"it is {encoded} ok") == "it is ***"
        assert mask(value.decode()[:200]) == value.decode()[:200]
        assert sum(len(each.value) for each in values._noted) < 500


def test_a_text_is_withheld_where_there_are_more_values_than_can_be_masked() -> None:
    with masking_secrets() as values:
        for number in range(10_001):
            values.note({"stringData": {"key": f"value-{number}"}})
        assert mask("some text").startswith("(withheld: ")
        assert len(values._noted) == 10_001


def test_many_values_are_masked_as_well_as_few() -> None:
    with masking_secrets() as values:
        for number in range(1000):
            values.note({"stringData": {"key": f"value-{number:04}"}})
        assert mask("value-0000, value-0999, value-1000") == "***, ***, value-1000"


@pytest.mark.parametrize("made", [Secret, Untyped.of(Secret.__kind__)], ids=["typed", "untyped"])
def test_a_secret_that_is_decoded_is_noted(made: Any) -> None:
    wire = secret(password=PASSWORD)
    text = json.dumps({"apiVersion": "v1", "kind": "Secret", **wire}).encode()
    reads: list[Callable[[], object]] = [
        lambda: made.from_wire(wire),
        lambda: made.from_wire_list([dict(wire)]),
        lambda: Snapshot(made, text).decode(),
        lambda: Snapshot(made, text).data,
    ]
    known = Snapshot(made, text)
    assert known.shared.metadata.name == "db"
    reads += [lambda: known.shared]
    for read in reads:
        with masking_secrets():
            read()
            assert mask(PASSWORD.decode()) == "***"


def test_other_kinds_of_that_name_and_values_that_are_not_cached_are_not_noted() -> None:
    other = Untyped.of(Kind("acme.io", "v1", "Secret", "secrets"))
    with masking_secrets() as values:
        other.from_wire(secret(password=PASSWORD))
        ConfigMap.from_wire({"metadata": {"name": "x"}, "data": {"password": "hunter22"}})
        Secret.from_wire({**secret(), "data": {}})
        note_secret(secret(password=mark("abcdefgh")))
        note_secret({"data": None, "stringData": None, "metadata": None})
        assert not values


def test_plain_data_is_masked_inside_and_anything_else_by_its_text() -> None:
    class Thing:
        def __str__(self) -> str:
            return "a hunter22"

    harmless = object()
    with masking_secrets():
        note_secret(secret(password=b"hunter22"))
        shown = mask_all({"a hunter22": ["hunter22", 1, None, True], "t": ("hunter22",), "o": Thing()})
        assert shown == {"a ***": ["***", 1, None, True], "t": ("***",), "o": "a ***"}
        assert mask_all(harmless) is harmless
        assert mask_all(b"hunter22") == "b'***'"


def raised(call: Callable[[], object]) -> BaseException:
    try:
        call()
    except BaseException as error:  # noqa: BLE001 - it is what is looked at
        return error
    raise AssertionError("nothing was raised")


class Demanding(Exception):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]}"


def chained() -> None:
    try:
        try:
            dict[str, str]()[WORD]
        except KeyError as error:
            raise Demanding(7, f"login with {WORD}") from error
    except Demanding:
        problem = ValueError("while handling")
        problem.add_note(f"tried {WORD}")
        raise problem  # noqa: B904 - the context is what is tested


def grouped() -> None:
    raise ExceptionGroup(f"all of {WORD}", [ValueError(WORD), TypeError("harmless")])


@pytest.mark.parametrize("call", [chained, grouped])
def test_an_exception_reads_the_same_without_values(call: Callable[[], object]) -> None:
    error = raised(call)
    expected = "".join(traceback.format_exception(error))
    with masking_secrets():
        note_secret(secret(password=WORD.encode()))
        shown = masked_error(error)
    text = "".join(traceback.format_exception(shown))
    assert WORD in expected
    assert text == expected.replace(WORD, "***")
    assert isinstance(shown, type(error))
    assert WORD not in repr(shown)


def test_a_syntax_error_is_masked_with_the_line_that_it_shows() -> None:
    error = raised(lambda: compile(f"{WORD} =", WORD, "exec"))
    with masking_secrets():
        note_secret(secret(password=WORD.encode()))
        text = "".join(traceback.format_exception(masked_error(error)))
    assert text.endswith("SyntaxError: invalid syntax (***, line 1)\n")
    assert WORD not in text


def test_an_exception_without_values_is_the_same_one() -> None:
    error = raised(chained)
    with masking_secrets():
        note_secret(secret(password=b"something else"))
        assert masked_error(error) is error


def test_a_chain_that_is_a_ring_ends() -> None:
    one, two = ValueError("hunter22"), ValueError("two")
    one.__context__, two.__context__ = two, one
    with masking_secrets():
        note_secret(secret(password=b"hunter22"))
        assert str(masked_error(one)) == "***"


class Speechless:
    def __str__(self) -> str:
        raise RuntimeError("no text")


def test_a_log_call_that_is_wrong_raises_nothing_and_shows_no_value(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = masked_logger("test.windlass.masked")
    stream, wrong = logging.StreamHandler(), "too few: %s %s"
    monkeypatch.setattr(logger, "handlers", [stream])
    monkeypatch.setattr(logger, "propagate", False)
    with masking_secrets():
        note_secret(secret(password=WORD.encode()))
        logger.warning(wrong, WORD)
        logger.warning(f"{WORD} %d", WORD)  # noqa: G004 - a message that has a value
        logger.warning("an object", extra={"thing": Speechless(), "word": WORD})

    said = capsys.readouterr().err
    assert said.count("Arguments: ('***',)") == 2
    assert "an object" in said
    assert WORD not in said


def test_a_logger_is_masked_once() -> None:
    assert masked_logger("test.windlass.once") is masked_logger("test.windlass.once")
    assert [type(each) for each in masked_logger("test.windlass.once").filters] == [SecretFilter]

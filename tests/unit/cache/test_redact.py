"""Secrets without their values."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from typing import Any

import pytest

from windlass.cache.redact import Redactor

REDACTOR = Redactor(b"key")


def redacted(**secret: Any) -> dict[str, Any]:
    return REDACTOR.redact({"metadata": {"name": "s"}, **secret})


def encoded(value: bytes) -> str:
    return b64encode(value).decode()


def test_equal_values_have_equal_digests_and_others_have_others() -> None:
    data = redacted(data={"a": encoded(b"x"), "b": encoded(b"x"), "c": encoded(b"y")})["data"]

    assert data["a"] == data["b"] != data["c"]
    assert data["a"] != Redactor(b"other").redact({"data": {"a": encoded(b"x")}})["data"]["a"]


def test_a_mark_is_no_value_that_a_server_takes() -> None:
    marked = redacted(data={"a": encoded(b"x")})["data"]["a"]

    with pytest.raises(Error):
        b64decode(marked, validate=True)


def test_text_is_compared_with_the_data_that_a_server_makes_of_it() -> None:
    wanted = redacted(data={"a": encoded(b"1"), "b": encoded(b"2")}, stringData={"b": "3"})
    live = redacted(data={"a": encoded(b"1"), "b": encoded(b"3")})

    assert wanted == live
    assert redacted(stringData={"b": "3"})["data"]["b"] == live["data"]["b"]


def test_the_way_in_which_a_value_is_written_does_not_count() -> None:
    assert redacted(data={"a": "eA=="}) == redacted(data={"a": "eA==\n"})
    assert redacted(data={"a": None}) == redacted(data={"a": ""})
    assert redacted(data={"a": "x"})["data"]["a"] != "x"


def test_the_copy_that_kubectl_keeps_is_redacted_too() -> None:
    name = "kubectl.kubernetes.io/last-applied-configuration"
    secret = {"metadata": {"annotations": {name: '{"stringData":{"a":"hunter2"}}', "other": "stays"}}}
    shown = REDACTOR.redact(secret)["metadata"]["annotations"]

    assert "hunter2" not in shown[name]
    assert shown["other"] == "stays"
    assert "hunter2" in secret["metadata"]["annotations"][name]


def test_what_is_given_stays_as_it_is() -> None:
    secret = {"metadata": {}, "data": {"a": "eA=="}, "stringData": {"b": "y"}}
    REDACTOR.redact(secret)

    assert secret == {"metadata": {}, "data": {"a": "eA=="}, "stringData": {"b": "y"}}

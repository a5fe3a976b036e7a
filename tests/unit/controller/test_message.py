"""Messages of conditions and events have no requests, links of libraries, addresses or credentials."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from windlass.controller import Exit, error_message, plain_message
from windlass.errors import ConnectionFailedError
from windlass.reconcile import Result


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no room", "no room"),
        ("GET /api/v1/configmaps: 403 not allowed", "403 not allowed"),
        (
            "Client error '404 Not Found' for url 'https://api.test/a'\nFor more information check: https://x",
            "Client error '404 Not Found'",
        ),
        ("404, message='Not Found', url='https://a.test/b'", "404, message='Not Found'"),
        (
            "HTTPSConnectionPool(host='x', port=443): Max retries exceeded with url: /p?t=1 (Caused by X)",
            "HTTPSConnectionPool(host='x', port=443): Max retries exceeded (Caused by X)",
        ),
        ('Get "https://10.0.0.1:443/api/v1/x?y=1": dial tcp: refused', "dial tcp: refused"),
        ("<Pump object at 0x7f12ab34> is stuck", "<Pump object> is stuck"),
        ("cannot fetch https://user:pw@h.test/p?token=s3#f: 404", "cannot fetch https://h.test/p: 404"),
        ("postgres://user:pw@db.test/x does not answer", "postgres://db.test/x does not answer"),
        ("chart https://charts.test/x-1.tgz not found", "chart https://charts.test/x-1.tgz not found"),
        ("oci://registry.test/chart@sha256:12 not found", "oci://registry.test/chart@sha256:12 not found"),
    ],
)
def test_a_message_is_plain(text: str, shown: str) -> None:
    assert plain_message(text) == shown
    assert Exit.of_result(Result.waiting("Waiting", text)).message == shown
    assert Exit.of_error(OSError(text)).message == shown


class Pump(BaseModel):
    """Something that can be invalid."""

    size: int
    password: int


def test_an_invalid_model_is_named_by_its_fields_without_values_and_links() -> None:
    with pytest.raises(ValidationError) as caught:
        Pump.model_validate({"size": "large", "password": "hunter2"})

    message = error_message(caught.value)
    assert message == (
        "Pump: size: Input should be a valid integer, unable to parse string as an integer; "
        "password: Input should be a valid integer, unable to parse string as an integer"
    )
    wrapped = error_message(OSError(f"cannot read the answer: {caught.value}"))
    assert "hunter2" not in wrapped
    assert "errors.pydantic.dev" not in wrapped
    assert "unable to parse" in wrapped


def test_a_failed_connection_is_said_without_the_request() -> None:
    error = ConnectionFailedError(
        "PATCH /api/v1/x?fieldManager=a: https://10.96.0.1:443: the connection was refused"
    )
    assert error_message(error) == "no answer from the API server: the connection was refused"


def test_the_faults_of_a_group_are_all_told() -> None:
    group = ExceptionGroup(
        "unhandled errors in a TaskGroup", [OSError("one"), ExceptionGroup("", [KeyError("a")])]
    )
    assert error_message(group) == "one; KeyError: 'a'"

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ConnectionFailedError
from windlass.pki import authority
from windlass.testing.https import request
from windlass.testing.port import hold_port

if TYPE_CHECKING:
    from collections.abc import Callable

    from https_server import Answers, Server


def test_a_request_carries_the_token_and_the_body_and_returns_the_answer(
    serve: Callable[[Answers], Server],
) -> None:
    server = serve({"POST /things": (201, b"made")})

    answer = request(server.access, "POST", f"{server.access.server}/things", {"a": 1})

    ((line, authorization, body),) = server.asked
    assert answer == (201, b"made")
    assert (line, authorization, json.loads(body)) == ("POST /things", "Bearer s3cret", {"a": 1})


def test_a_refusal_is_an_answer_too(serve: Callable[[Answers], Server]) -> None:
    server = serve({})

    assert request(server.access, "GET", f"{server.access.server}/none") == (404, b"nothing here")


def test_a_server_of_another_authority_is_not_talked_to(serve: Callable[[Answers], Server]) -> None:
    server = serve({"GET /": (200, b"")})
    elsewhere = replace(server.access, authority=authority("other"))

    with pytest.raises(ConnectionFailedError, match="CERTIFICATE_VERIFY_FAILED"):
        request(elsewhere, "GET", f"{server.access.server}/")
    assert server.asked == []


def test_a_port_on_which_nobody_listens_is_a_failed_connection(serve: Callable[[Answers], Server]) -> None:
    server = serve({})
    with hold_port() as held:
        url = f"https://127.0.0.1:{held.getsockname()[1]}/readyz"

        with pytest.raises(ConnectionFailedError, match=f"GET {url}: ConnectionRefusedError"):
            request(server.access, "GET", url)

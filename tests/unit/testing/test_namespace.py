from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from windlass.errors import Forbidden
from windlass.testing.namespace import create_namespace, delete_namespace

if TYPE_CHECKING:
    from collections.abc import Callable

    from https_server import Answers, Server


def test_the_server_chooses_a_name_that_is_fresh(serve: Callable[[Answers], Server]) -> None:
    server = serve({"POST /api/v1/namespaces": (201, b'{"metadata": {"name": "test-x7x7x"}}')})

    name = create_namespace(server.access)

    ((_, _, body),) = server.asked
    assert name == "test-x7x7x"
    assert json.loads(body)["metadata"] == {"generateName": "test-"}


def test_a_refusal_says_what_was_asked_and_what_the_server_answered(
    serve: Callable[[Answers], Server],
) -> None:
    server = serve({"DELETE /api/v1/namespaces/a": (403, b"not yours")})

    with pytest.raises(Forbidden, match="DELETE /api/v1/namespaces/a: 403 not yours"):
        delete_namespace(server.access, "a")

from __future__ import annotations

import json
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from windlass.errors import Answer, NotFound, ToolError, api_error
from windlass.testing.https import request

if TYPE_CHECKING:
    from windlass.cluster import Access

_PATIENCE = 10.0


def create_namespace(access: Access) -> str:
    """Create a namespace under a fresh name and return the name, when pods can be created in it.

    Raises:
        ApiError: the server refused.
        ToolError: kube-controller-manager does not get round to the namespace.
    """
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"generateName": "test-"}}
    created = json.loads(_send(access, "POST", "/api/v1/namespaces", body))
    name = str(created["metadata"]["name"])
    if access.controllers:
        _await_account(access, name)
    return name


def delete_namespace(access: Access, name: str) -> None:
    """Ask for the deletion of a namespace, and do not wait for it; one that is gone is no fault.

    Raises:
        ApiError: the server refused.
    """
    try:
        _send(access, "DELETE", f"/api/v1/namespaces/{name}")
    except NotFound:
        return


def _await_account(access: Access, name: str) -> None:
    """Wait for the ServiceAccount without which the server takes no pods."""
    path = f"/api/v1/namespaces/{name}/serviceaccounts/default"
    deadline = time.monotonic() + _PATIENCE
    while request(access, "GET", access.server + path)[0] != HTTPStatus.OK:
        if time.monotonic() > deadline:
            raise ToolError(f"{path} does not appear; see kube-controller-manager.log in {access.folder}")
        time.sleep(0.02)


def _send(access: Access, method: str, path: str, body: object = None) -> bytes:
    code, answer = request(access, method, access.server + path, body)
    if code >= HTTPStatus.BAD_REQUEST:
        raise api_error(
            Answer(code=code, message=answer.decode(errors="replace"), request=f"{method} {path}")
        )
    return answer

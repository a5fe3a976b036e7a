from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from windlass.cluster import Access

_TIMEOUT = 10.0


def request(access: Access, method: str, url: str, body: Any = None) -> tuple[int, bytes]:
    """Send one request as `admin`; return the status code and the body of the answer.

    This is all the HTTP that a fixture needs before a client exists, and it needs no event loop.

    Raises:
        ConnectionFailedError: no answer came.
    """
    import http.client
    import ssl
    from urllib.parse import urlsplit

    context = ssl.create_default_context(cadata=access.ca)
    address = urlsplit(url)
    connection = http.client.HTTPSConnection(address.netloc, context=context, timeout=_TIMEOUT)
    headers = {"Authorization": f"Bearer {access.token()}", "Content-Type": "application/json"}
    try:
        connection.request(method, address.path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise ConnectionFailedError(f"{method} {url}: {type(error).__name__}: {error}") from error
    finally:
        connection.close()

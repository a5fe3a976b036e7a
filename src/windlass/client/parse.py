from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from windlass.client.transport import Request


def parsed(request: Request, body: bytes) -> Any:
    """An answer as JSON.

    Raises:
        ConnectionFailedError: it is something else: a login page, or an answer that was cut.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        start = body[:80].decode(errors="replace")
        raise ConnectionFailedError(
            f"{request}: the answer is not JSON but {start!r}; is this an API server?", sent=True
        ) from error

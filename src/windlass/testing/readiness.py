from __future__ import annotations

import time
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

from windlass.errors import ConnectionFailedError
from windlass.testing.https import request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.cluster import Access
    from windlass.testing.processes import Processes

_PAUSE = timedelta(milliseconds=50)


def await_answers(urls: Sequence[str], access: Access, processes: Processes, deadline: float) -> None:
    """Return when each URL, in this order, has answered 200.

    Raises:
        ToolError: a program ended meanwhile, or `deadline` (on the monotonic clock) passed; the message says
            what was awaited.
    """
    for url in urls:
        while (answer := _ask(access, url)) != "":
            if time.monotonic() > deadline:
                raise processes.not_ready(f"{url}: {answer}")
            processes.check(_PAUSE)


def _ask(access: Access, url: str) -> str:
    """Nothing when the answer is 200, else the answer."""
    try:
        code, body = request(access, "GET", url)
    except ConnectionFailedError as error:
        return str(error)
    return "" if code == HTTPStatus.OK else f"{code} {body.decode(errors='replace').strip()}"

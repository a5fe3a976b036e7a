"""Faults of the server itself: told to its owner in full, to the client as far as it concerns them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call

_log = logging.getLogger("windlass.apiserver")
_MESSAGE: Final = 'an error on the server ("") has prevented the request from succeeding'


def report(call: Call, error: Exception) -> Refusal:
    """Log what went wrong with a request, and the 500 that the real server answers after a panic.

    A refusal is no fault of the server, and is returned as it is. Neither names a header, a parameter or the
    body: they may be secret.
    """
    if isinstance(error, Refusal):
        return error
    _log.error("cannot answer %s %s", call.method, call.path, exc_info=error)
    return Refusal(500, _MESSAGE, details={})

"""Fetch one URL into a file: `python fetch.py URL FILE`.

A program of its own, because looking up a host name can take long and cannot be interrupted, but a process
can be ended. It imports nothing of Windlass, so that it starts quickly. Proxies come from the environment.
The last line on standard error says what went wrong.
"""

from __future__ import annotations

import http.client
import shutil
import sys
import urllib.error
import urllib.request
from pathlib import Path

REFUSED = 2
"""The exit code that says: the server answered, but not with the file."""

_STALLED_SECONDS = 30
_CHUNK = 1 << 20


def fetch(url: str, target: Path) -> None:
    """Write what the URL holds into the file.

    Raises:
        OSError: there was no answer, a refusal (`urllib.error.HTTPError`), or only a part of the answer.
    """
    request = urllib.request.Request(url, headers={"User-Agent": "windlass"})  # noqa: S310 - from the catalogue
    with urllib.request.urlopen(request, timeout=_STALLED_SECONDS) as answer, target.open("wb") as file:  # noqa: S310
        shutil.copyfileobj(answer, file, _CHUNK)
        expected = answer.headers.get("Content-Length")
        if expected is not None and file.tell() != int(expected):
            raise OSError(f"the connection was cut after {file.tell()} of {expected} bytes")


def main(url: str, target: str) -> int:
    """Fetch, and return the exit code."""
    try:
        fetch(url, Path(target))
    except urllib.error.HTTPError as error:
        error.close()
        print(f"the answer was {error.code} {error.reason}", file=sys.stderr)  # noqa: T201 - for our parent
        return REFUSED
    except (OSError, http.client.HTTPException) as error:
        print(getattr(error, "reason", None) or error, file=sys.stderr)  # noqa: T201 - for our parent
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Messages for people: without requests, links of libraries, addresses in memory and credentials of URLs."""

from __future__ import annotations

import re
from typing import Final

_REMOVED: Final = re.compile(
    r"""
    \s*For\ further\ information\ visit\ \S+                    # pydantic
    |\s*For\ more\ information\ check:\ \S+                     # httpx
    |\ \[type=\w+,\ input_value=.*?,\ input_type=\w+\]          # pydantic; the value may be a secret
    |\ (?:for|with)\ url:?\ (?:'[^']*'|"[^"]*"|\S+)             # httpx, requests, urllib3
    |,\ url=(?:URL\('[^']*'\)|'[^']*')                          # aiohttp
    |\b(?:GET|HEAD|POST|PUT|PATCH|DELETE)\ (?:https?:/)?/\S*:\ (?:https?://[^/\s]+:\ )?   # our own client
    |\b(?:Get|Head|Post|Put|Patch|Delete)\ "https?://[^"]*":\   # Go
    |(?<=[\w>])\ at\ 0x[0-9a-fA-F]+(?=>)                        # repr
    """,
    re.VERBOSE,
)
_USER: Final = re.compile(r"(?<=://)[^\s/@'\"]+@")
_QUERY: Final = re.compile(r"(\bhttps?://[^\s?'\"<>]+)\?[^\s'\"<>)]*[^\s'\"<>),.:;]")


def plain_message(text: str) -> str:
    """Return a message without what is no use to its reader: URLs of requests, links to a library's manual.

    URLs that remain lose their user and query, which may hold credentials.
    """
    if "://" not in text and "0x" not in text and " /" not in text and "input_value" not in text:
        return text
    text = _REMOVED.sub("", text)
    return _QUERY.sub(r"\1", _USER.sub("", text)).strip()


def bounded(text: str, longest: int) -> str:
    """Return a text, or its beginning and an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1] + "…"

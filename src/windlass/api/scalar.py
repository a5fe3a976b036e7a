"""Scalars that Kubernetes has and Python has not: a number or a percentage, bytes in base64."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from windlass.api.marker import Marker
from windlass.api.wire import Encoded


class IntOrStringMarker(Marker):
    """Marks the schema of `IntOrString`."""

    __slots__ = ()


IntOrString = Annotated[Annotated[int, Field(strict=True)] | str, IntOrStringMarker()]
"""A number or a text: a port by number or by name, an amount or a percentage."""


def scaled(value: int | str, total: int, *, round_up: bool) -> int:
    """An amount, or a percentage of `total`: `scaled("25%", 3, round_up=True)` is 1.

    Raises:
        ValueError: the text is not a whole percentage.
    """
    if isinstance(value, int):
        return value
    if not re.fullmatch(r"[0-9]+%", value):
        raise ValueError(f"{value!r} is neither a number nor a percentage such as 25%")
    part = int(value[:-1]) * total
    return -(-part // 100) if round_up else part // 100


def _from_base64(value: Any) -> Any:
    """Go ignores line breaks and refuses the rest; Python alone would drop whatever is not base64."""
    if not isinstance(value, str):
        return value
    return b64decode(value.replace("\n", "").replace("\r", ""), validate=True)


def _to_base64(value: bytes) -> str:
    return b64encode(value).decode()


Base64 = Annotated[bytes, BeforeValidator(_from_base64), Encoded(_to_base64)]
"""Bytes in Python, base64 on the wire: the values of a Secret's `data`."""

"""What a real API server makes of an object: it keeps it, or refuses it with the fields that it blames."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from windlass.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from windlass.api import Untyped
    from windlass.client import Client


async def kept(client: Client, resource: Untyped) -> Any:
    """The spec of an object that the server must take, as it keeps it. The object is deleted again."""
    made = await client.create(resource)
    read = await client.get(type(made), made.metadata.name, made.metadata.namespace)
    await client.delete(type(made), made.metadata.name, made.metadata.namespace)
    return read["spec"]


async def refused(call: Awaitable[object]) -> dict[str, str]:
    """The fields that the server blames in a write that it must refuse, each with all that it says of it.

    It writes the entry `a` of a map now as `labels.a`, now as `labels[a]`; here it is always the first.
    """
    with pytest.raises(Invalid) as raised:
        await call
    said: dict[str, str] = {}
    for cause in raised.value.answer.causes:
        field = re.sub(r"\[([^\]\d][^\]]*)\]", r".\1", cause["field"])
        said[field] = said.get(field, "") + cause["message"]
    return said

"""ServiceAccount."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.schema import Fault

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A ServiceAccount, of which only the metadata is checked."""
    return validate_object_meta(obj, old, dns_subdomain)

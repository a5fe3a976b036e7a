from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Kind
    from windlass.apiserver.resource import Subresource


@dataclass(frozen=True, kw_only=True)
class BuiltinKind:
    """A resource that every server has, in one version.

    `definition` names its schema in the library, `forms` those of its subresources, by their names; the form
    of a subresource that only connects (`exec`) has none. `storage_hash` tells the version that it is stored
    in; what is not stored has none.
    """

    kind: Kind
    singular: str
    definition: str
    verbs: frozenset[str]
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subresources: Mapping[str, Subresource] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)
    storage_hash: str = ""
    custom: bool = False

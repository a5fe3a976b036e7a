from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.api.selector import Selector


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which objects of a kind are watched, and how much of each is kept.

    `keep` are the fields to keep besides the metadata, such as `.spec.nodeName`; without it everything is
    kept. `metadata_only` does not even transfer more than the metadata. The values of a Secret are kept if an
    object of the reconciler owns it or refers to it by `Watch(Secret, by=…)`, or if `values` is set; of other
    Secrets, the names and a digest of each value, which shows that it changed.
    """

    namespace: str = ""
    labels: str | Selector = ""
    fields: str = ""
    keep: tuple[str, ...] = ()
    metadata_only: bool = False
    values: bool = False


EVERYTHING = Selection()
"""All objects of a kind, whole."""

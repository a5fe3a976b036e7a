"""The subresources of a version: a scale knows where its numbers are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.crd.check.column import simple_path_faults
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator


def subresource_faults(subresources: dict[str, Any] | None, path: Path) -> Iterator[Fault]:
    """What is wrong with the subresources of a version."""
    scale = (subresources or {}).get("scale")
    if scale is None:
        return
    below = path.child("scale")
    for name, place in (("specReplicasPath", ".spec"), ("statusReplicasPath", ".status")):
        if not scale.get(name):
            yield Fault.required(below.child(name))
        else:
            yield from _path_faults(scale[name], below.child(name), place)
    if scale.get("labelSelectorPath"):
        yield from _path_faults(scale["labelSelectorPath"], below.child("labelSelectorPath"))


def _path_faults(text: str, path: Path, place: str = "") -> Iterator[Fault]:
    """A path leads to the place, or without one into either of the two there are."""
    if not text.startswith("."):
        yield from simple_path_faults(text, path)
    elif place and not text.startswith(f"{place}."):
        yield Fault.invalid(path, text, f"should be a json path under {place}")
    elif not text.startswith((".spec.", ".status.")):
        yield Fault.invalid(path, text, "should be a json path under either .spec or .status")

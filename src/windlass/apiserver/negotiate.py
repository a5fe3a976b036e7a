"""In which form an answer is wanted, as the Accept header says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from windlass.apiserver.refusal import Refusal

JSON: Final = "application/json"
YAML: Final = "application/yaml"
PROTOBUF: Final = "application/vnd.kubernetes.protobuf"

_OBJECTS: Final = (JSON, YAML, PROTOBUF)
_WATCHES: Final = (f"{JSON};stream=watch", f"{PROTOBUF};stream=watch")
_WRITTEN: Final = {"": JSON, "*/*": JSON, JSON: JSON, YAML: YAML}
_VERSIONS: Final = ("v1", "v1beta1")
_CONVERSIONS: Final = frozenset({"Table", "PartialObjectMetadata", "PartialObjectMetadataList"})


@dataclass(frozen=True, slots=True)
class Form:
    """The form of an answer: how it is written, and what objects are turned into, if anything."""

    media: str = JSON
    conversion: str = ""
    version: str = "v1"

    @property
    def plain(self) -> bool:
        """Whether objects are wanted as they are, in JSON: the form that costs least."""
        return not self.conversion and self.media == JSON


@lru_cache(maxsize=256)
def negotiate(accept: str, *, collection: bool = False) -> Form:
    """The best form that is both wanted and known.

    Raises:
        Refusal: 406, there is none.
    """
    known = False
    for media, parameters in _clauses(accept):
        written = _WRITTEN.get(media)
        if written is None:
            continue
        known = True
        conversion = parameters.get("as", "")
        if not conversion:
            return Form(written)
        version = parameters.get("v", "")
        if conversion in _CONVERSIONS and parameters.get("g") == "meta.k8s.io" and version in _VERSIONS:
            return Form(written, conversion, version)
    if known:
        message = f"only the following media types are accepted: {', '.join(_OBJECTS)}"
    else:
        forms = ", ".join(_OBJECTS + (_WATCHES if collection else ()))
        message = f"406: Not Acceptable\n\nAvailable representations: {forms}"
    raise Refusal(406, message, details={})


def _clauses(accept: str) -> list[tuple[str, dict[str, str]]]:
    """The parts of an Accept header, best quality first, otherwise in their order."""
    clauses = []
    for part in accept.split(","):
        media, *pairs = (piece.strip() for piece in part.split(";"))
        parameters = {name: value for name, _, value in (pair.partition("=") for pair in pairs)}
        clauses.append((media, parameters))
    return sorted(clauses, key=lambda clause: -_quality(clause[1].get("q", "1")))


def _quality(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0

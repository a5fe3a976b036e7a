"""In which form an answer is wanted, as the Accept header says, and which one a body has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

JSON: Final = "application/json"
YAML: Final = "application/yaml"
PROTOBUF: Final = "application/vnd.kubernetes.protobuf"

_OBJECTS: Final = (JSON, YAML, PROTOBUF)
_WATCHES: Final = (f"{JSON};stream=watch", f"{PROTOBUF};stream=watch")
_WRITTEN: Final = {"": JSON, "*/*": JSON, JSON: JSON, YAML: YAML, PROTOBUF: PROTOBUF}
_ANY_OF_OURS: Final = "application/*"
_VERSIONS: Final = ("v1", "v1beta1")
_METADATA: Final = frozenset({"PartialObjectMetadata", "PartialObjectMetadataList"})
_CONVERTING: Final = frozenset({"as", "g", "v"})
_WORD: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_PARAMETER: Final = re.compile(rf'\s*;\s*({_WORD})\s*=\s*({_WORD}|"(?>\\[()<>@,;:\\"/\[\]?=]|[^"\r\n])*+")')


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
def media_type(content_type: str) -> str | None:
    """The media type of a body, JSON where nothing is said of it; `None` where that cannot be understood."""
    media, semicolon, rest = content_type.partition(";")
    rest, known = semicolon + rest, dict[str, str]()
    while match := _PARAMETER.match(rest):
        name, value = match[1].lower(), match[2]
        if known.setdefault(name, value) != value:
            return None
        rest = rest[match.end() :]
    if rest.strip() not in ("", ";"):
        return None
    return media.strip().lower() if content_type else JSON


@lru_cache(maxsize=256)
def check_media(accept: str, *, collection: bool) -> None:
    """Refuse what wants none of the media types that a built-in resource can be written in.

    Raises:
        Refusal: 406.
    """
    if not any(media in _WRITTEN for media, _ in _clauses(accept)):
        forms = ", ".join(_OBJECTS + (_WATCHES if collection else ()))
        raise Refusal(406, f"406: Not Acceptable\n\nAvailable representations: {forms}", details={})


@lru_cache(maxsize=256)
def negotiate(accept: str, *, custom: bool = False) -> Form:
    """The best form that is both wanted and known. Custom resources have no protobuf but for their metadata.

    Raises:
        Refusal: 406, there is none.
    """
    for media, parameters in _clauses(accept):
        written = JSON if media == _ANY_OF_OURS else _WRITTEN.get(media)
        if written is None:
            continue
        form = _form(written, parameters)
        if form is not None and (not custom or form.media != PROTOBUF or form.conversion):
            return form
    raise Refusal(406, f"only the following media types are accepted: {', '.join(_OBJECTS)}")


@lru_cache(maxsize=256)
def negotiate_status(accept: str) -> Form:
    """The best form of what is no resource: a Status, or a document. It is never turned into anything else.

    JSON where nothing else can be had.
    """
    for media, parameters in _clauses(accept):
        written = _WRITTEN.get(media)
        if written is not None and not parameters.keys() & _CONVERTING:
            return Form(written)
    return Form()


def _form(media: str, parameters: Mapping[str, str]) -> Form | None:
    """The form that a clause asks for, `None` where there is no such form."""
    stream = parameters.get("stream")
    if stream and (stream != "watch" or media == YAML):
        return None
    if not parameters.keys() & _CONVERTING:
        return Form(media)
    conversion, version = parameters.get("as", ""), parameters.get("v", "")
    if parameters.get("g") != "meta.k8s.io" or version not in _VERSIONS:
        return None
    if conversion in _METADATA or (conversion == "Table" and media != PROTOBUF):
        return Form(media, conversion, version)
    return None


def _clauses(accept: str) -> list[tuple[str, dict[str, str]]]:
    """The parts of an Accept header, best quality first, otherwise in their order."""
    clauses = []
    for part in accept.split(","):
        media, *pairs = (piece.strip() for piece in part.split(";"))
        parameters = {name: value for name, _, value in (pair.partition("=") for pair in pairs)}
        if media or not accept:
            clauses.append((media, parameters))
    return sorted(clauses, key=lambda clause: -_quality(clause[1].get("q", "1")))


def _quality(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0

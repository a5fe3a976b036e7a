from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from windlass.api import UNCONVERTED, Definition, Resource, Unconverted
from windlass.errors import ConfigError, ConversionError
from windlass.webhook.conversion.kept import annotation_of, lost, restored
from windlass.webhook.conversion.placeholder import body_of, original, placeholder
from windlass.webhook.conversion.refusal import REFUSALS, Refusal
from windlass.webhook.conversion.review import answer_conversion, named
from windlass.webhook.conversion.spoke import Spoke

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import Json
    from windlass.webhook.declare import Webhook

H = TypeVar("H", bound=Resource)
Heard = Callable[["Json", str, str], None]
_log: Final = logging.getLogger("windlass.webhook")


@dataclass(frozen=True, kw_only=True)
class Conversion(Generic[H]):
    """The versions of a kind: one is the hub, and every other one, a spoke, knows the way to it and back.

    So n versions need n - 1 pairs of functions, and any can be made of any other. What a version cannot say
    is kept in an annotation, unless `keep` is off: then it is gone.

    Raises:
        TypeError: a spoke is no `Spoke`, or its functions are annotated for other versions.
        ValueError: two are of the same version, one is of another kind, or the path has no slash.
    """

    hub: type[H]
    spokes: tuple[Spoke[Any, H], ...]
    path: str = "/convert"
    keep: bool = True

    def __post_init__(self) -> None:
        if not self.path.startswith("/"):
            raise ValueError(f"{self.path!r} is no path: it begins with a slash")
        spokes: object = self.spokes
        if not isinstance(spokes, tuple | list) or not all(isinstance(each, Spoke) for each in spokes):
            raise TypeError(
                f"Conversion({self.hub.__kind__}): spokes is {spokes!r}, which is no tuple of Spoke: "
                "write spokes=(Spoke(v1beta1.WebApp, to_hub=…, from_hub=…),), with the comma"
            )
        if not self.spokes:
            raise ValueError(f"{self.hub.__kind__} has no spokes: nothing would ever be converted")
        hub, seen = self.hub.__kind__, {self.hub.__kind__.version}
        for spoke in self.spokes:
            known = spoke.of.__kind__
            if (known.group, known.name) != (hub.group, hub.name):
                raise ValueError(f"{known} cannot be a spoke of {hub}: it is another kind")
            if known.version in seen:
                which = "is the hub's version" if known.version == hub.version else "has two spokes"
                raise ValueError(f"{hub.name}: {known.version} {which}")
            seen.add(known.version)
            spoke.check_types(self.hub)

    @property
    def versions(self) -> Mapping[str, type[Resource]]:
        """The type of each version by its apiVersion, the hub's first."""
        return {each.__kind__.api_version: each for each in (self.hub, *(spoke.of for spoke in self.spokes))}

    def check_covers(self, kinds: Iterable[type[Resource]]) -> None:
        """Make sure that every version which these say is served can be converted.

        Raises:
            ConfigError: one is not the hub, and has no spoke.
        """
        hub = self.hub.__kind__
        for each in kinds:
            known, said = each.__kind__, each.__definition__ or Definition()
            same = (known.group, known.name) == (hub.group, hub.name)
            if same and said.served and known.api_version not in self.versions:
                raise ConfigError(
                    f"{hub.name}: {known.version} is served, but nobody can convert it; add a Spoke for "
                    f"{each.__module__}.{each.__qualname__}, or say Definition(served=False)"
                )

    def convert(self, obj: Json, api_version: str) -> Json:
        """An object in another version; the same object where it is of that version already.

        Metadata stays as it is, but for labels and annotations that a function changes.

        Raises:
            ConversionError: a version is not known, or a function returns what it should not.
            UndecodableError: the object does not fit the type of its version.
            ValueError: a function refuses the object.
        """
        source, target = self._type(obj.get("apiVersion", "")), self._type(api_version)
        if source is target:
            return obj
        obj, _ = _without(obj, UNCONVERTED)
        for spoke in self.spokes:
            if spoke.of is source:
                obj = self._step(obj, (spoke.of, self.hub), (spoke.to_hub, spoke.from_hub))
        for spoke in self.spokes:
            if spoke.of is target:
                obj = self._step(obj, (self.hub, spoke.of), (spoke.from_hub, spoke.to_hub))
        return obj

    def show(self, obj: Json, api_version: str, heard: Heard | None = None) -> Json:
        """An object in another version, or a placeholder where a function refuses or fails.

        The placeholder has the object's metadata, an empty body, and the annotation
        `windlass.dev/unconverted` with the object's own body. Shown in its own version it is the object
        again; in any other one, conversion is tried again. `heard` is called with the object, the version
        and the reason where there is a placeholder.

        Raises:
            ConversionError: a version is not known, or the annotation would be too large.
        """
        source, target = self._type(obj.get("apiVersion", "")), self._type(api_version)
        note = Unconverted.of((obj.get("metadata") or {}).get("annotations"))
        if source is target:
            return obj
        if note is not None:
            own = self.versions.get(note.api_version)
            if own is None:  # a version that was given up meanwhile
                return placeholder(target, obj, note)
            obj = original((source, own), obj, note)
            if own is target:
                return obj
        made = self.attempt(obj, api_version)
        if not isinstance(made, Refusal):
            return made
        if heard is not None:
            heard(obj, api_version, made.message)
        return placeholder(target, obj, Unconverted(obj["apiVersion"], made.message, body_of(obj)))

    def attempt(self, obj: Json, api_version: str) -> Json | Refusal:
        """An object in another version, or why it cannot be converted; a function that fails is logged."""
        try:
            return self.convert(obj, api_version)
        except REFUSALS as error:
            return Refusal.of(error)
        except Exception as error:  # noqa: BLE001 - a fault of a function concerns one object, and not a whole list
            _log.exception("%s cannot be converted to %s", named(obj), api_version)
            return Refusal.of(error)

    @property
    def guards(self) -> tuple[Webhook[Any], ...]:
        """The webhooks that refuse to store what cannot be converted, one for each version."""
        from windlass.webhook.conversion.guard import guards

        return guards(self)

    def answer(self, body: bytes, heard: Heard | None = None) -> bytes:
        """The ConversionReview that answers another one: each object as `show` has it.

        Raises:
            UndecodableError: the body is no ConversionReview.
        """
        return answer_conversion(lambda obj, api_version: self.show(obj, api_version, heard), body)

    def _type(self, api_version: str) -> type[Resource]:
        found = self.versions.get(api_version)
        if found is None:
            known = ", ".join(self.versions)
            raise ConversionError(f"{api_version or 'it'} is no version that can be converted: {known} are")
        return found

    def _step(
        self,
        obj: Json,
        types: tuple[type[Resource], type[Resource]],
        functions: tuple[Callable[[Any], Any], Callable[[Any], Any]],
    ) -> Json:
        """From one version to the next, with what was kept of that one and what has to be kept of this."""
        (source, target), (forth, back) = types, functions
        obj, _ = _without(obj, annotation_of(source.__kind__.version))
        made, kept = _without(_made(obj, types, forth), annotation_of(target.__kind__.version))
        if not self.keep:
            return made
        if kept:
            made = restored(target, made, kept)
        if text := lost(source, obj, _made(made, (target, source), back)):
            metadata = made.get("metadata") or {}
            notes = {**(metadata.get("annotations") or {}), annotation_of(source.__kind__.version): text}
            made = {**made, "metadata": {**metadata, "annotations": notes}}
        return made


def _made(obj: Json, types: tuple[type[Resource], type[Resource]], function: Callable[[Any], Any]) -> Json:
    """What a function makes of an object, with the object's metadata but for labels and annotations."""
    source, target = types
    made = function(source.from_wire(obj))
    if type(made) is not target:
        name = getattr(function, "__qualname__", repr(function))
        raise ConversionError(f"{name} returned a {type(made).__name__}, not a {target.__kind__}")
    wire: Json = made.to_wire()
    said = wire.pop("metadata", {})
    changed = {name: said[name] for name in ("labels", "annotations") if name in said}
    head = {"apiVersion": wire.pop("apiVersion"), "kind": wire.pop("kind")}
    return {**head, "metadata": {**(obj.get("metadata") or {}), **changed}, **wire}


def _without(obj: Json, annotation: str) -> tuple[Json, str]:
    """An object without an annotation, and what that said."""
    metadata = obj.get("metadata") or {}
    notes = dict(metadata.get("annotations") or {})
    text = notes.pop(annotation, None)
    if text is None:
        return obj, ""
    others = {name: value for name, value in metadata.items() if name != "annotations"}
    return {**obj, "metadata": {**others, **({"annotations": notes} if notes else {})}}, text

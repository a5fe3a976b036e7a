from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, Self

from pydantic import Field, ValidationError
from typing_extensions import override

from windlass._declaration import check_words, hint
from windlass.api.definition import Definition
from windlass.api.kind import Kind, plural
from windlass.api.marker import TypeMarker
from windlass.api.masking import note_secret
from windlass.api.metadata import ObjectMeta, OwnerReference
from windlass.api.model import Model
from windlass.api.nesting import UNREADABLE
from windlass.api.shared import share, share_text
from windlass.api.uncached import is_secret
from windlass.api.wire import Json


class Resource(Model):
    """A Kubernetes object of one kind.

    The class line says which: group and version, and the kind and its plural where they are not what the
    class name suggests. `definition` holds what matters only to a custom resource definition.

        class WebApp(Resource, group="demo.example.com", version="v1"):
            spec: WebAppSpec
            status: WebAppStatus = Field(default_factory=WebAppStatus)

    A further version may inherit: `class WebApp(v1.WebApp, version="v2")` keeps the group, plural and scope.
    """

    __kind__: ClassVar[Kind]
    __definition__: ClassVar[Definition | None] = None

    metadata: ObjectMeta = Field(default_factory=ObjectMeta)

    def __init_subclass__(  # noqa: PLR0913 - the class line of every resource: each of these is one word there
        cls,
        *,
        group: str | None = None,
        version: str = "",
        kind: str = "",
        plural: str = "",
        namespaced: bool | None = None,
        subresources: tuple[str, ...] = (),
        definition: Definition | None = None,
        markers: Sequence[TypeMarker] = (),
        **kwargs: Any,
    ) -> None:
        _check_words(cls, kwargs)
        _check_values(cls, definition, subresources, namespaced)
        super().__init_subclass__(markers=markers, **kwargs)
        base: Kind | None = getattr(cls, "__kind__", None)
        if version:
            name = kind or cls.__name__
            inherited = base if base and base.name == name else Kind("", "", name, _plural(name))
            cls.__kind__ = Kind(
                inherited.group if group is None else group,
                version,
                name,
                plural or inherited.plural,
                inherited.namespaced if namespaced is None else namespaced,
                subresources or inherited.subresources,
            )
            if cls.__definition__ and base:  # of several versions, each says for itself whether it is stored
                cls.__definition__ = replace(cls.__definition__, storage=False)
        elif group is not None:
            raise TypeError(f"{cls.__name__} has a group but no version: class {cls.__name__}(…, version=…)")
        if definition is not None:
            cls.__definition__ = definition

    @property
    def api_version(self) -> str:
        """Group and version, as the object states them."""
        return self.__kind__.api_version

    @property
    def kind(self) -> str:
        """The name of the kind."""
        return self.__kind__.name

    @classmethod
    @override
    def from_wire(cls, data: Mapping[str, Any]) -> Self:
        if UNREADABLE in data:
            from windlass.errors import UndecodableError  # rarely needed

            name = (data.get("metadata") or {}).get("name")
            raise UndecodableError(f"{cls.__kind__.name} {name} nests too deeply: {data[UNREADABLE]}")
        stated, known = data.get("kind"), cls.__kind__
        if is_secret(known):
            note_secret(data)
        if stated is None and "apiVersion" not in data:  # an item of a list, whose kind the list states
            return super().from_wire(data)
        if stated is not None and (stated, data.get("apiVersion")) != (known.name, known.api_version):
            from windlass.errors import UndecodableError  # rarely needed

            raise UndecodableError(f"a {stated} of {data.get('apiVersion')} is not a {known}")
        return super().from_wire({key: value for key, value in data.items() if key not in _TYPE_META})

    @classmethod
    def from_wire_list(cls, items: list[Json]) -> list[Self]:
        """The typed form of the items of a list, which is emptied; `from_wire` for each, but quicker.

        What the items have in common is kept once, which nobody can tell but from the memory that it takes.

        Raises:
            UndecodableError: an item does not fit; the message names object and field.
        """
        if not cls.__pydantic_complete__:
            cls.model_rebuild()
        validate = cls.__pydantic_validator__.validate_python
        made = []
        for item in items if is_secret(cls.__kind__) else ():
            note_secret(item)
        items.reverse()  # an item is let go as soon as it is read
        while items:
            item = items.pop()
            try:
                if "kind" in item or "apiVersion" in item or UNREADABLE in item:
                    made.append(cls.from_wire(item))
                else:
                    made.append(validate(item, by_alias=True, by_name=False))
            except ValidationError:
                made.append(cls.from_wire(item))
        all_metadata = [each.metadata for each in made]
        share(made)
        share(all_metadata)
        share_text(all_metadata)
        return made

    @override
    def to_wire(self) -> Json:
        return {"apiVersion": self.api_version, "kind": self.kind, **super().to_wire()}

    @override
    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """What `repr` shows: everything, but of a Secret only the names of its values."""
        hidden = ("data", "string_data") if self.kind == "Secret" else ()
        for name, value in super().__repr_args__():
            yield name, dict.fromkeys(value, "…") if name in hidden and isinstance(value, dict) else value

    def owner_reference(self, *, controller: bool = True) -> OwnerReference:
        """A reference by which others can belong to this object, which must have been created (uid)."""
        return OwnerReference(
            api_version=self.api_version,
            kind=self.kind,
            name=self.metadata.name,
            uid=self.metadata.uid,
            controller=controller,
            block_owner_deletion=controller,
        )

    def __str__(self) -> str:
        """Kind and name, for messages: `Deployment default/web`."""
        namespace = f"{self.metadata.namespace}/" if self.metadata.namespace else ""
        return f"{self.kind} {namespace}{self.metadata.name or self.metadata.generate_name + '*'}"


def _check_words(cls: type[Resource], words: Mapping[str, Any]) -> None:
    """Refuse what the class line of a resource does not know, unless a base of the class does."""
    own = cls.__mro__[cls.__mro__.index(Resource) + 1 :]
    if not words or any("__init_subclass__" in vars(each) for each in own if each not in _WITHOUT_WORDS):
        return
    word = next(iter(words))
    if word in Definition.__dataclass_fields__:
        advice = f"write definition=Definition({word}={words[word]!r})"
    else:
        advice = hint(
            word, ("group", "version", "kind", "plural", "namespaced", "subresources", "definition")
        )
    raise TypeError(
        f"class {cls.__name__}(…, {word}=…): a resource has no such word in its class line; {advice}"
    )


def _check_values(cls: type[Resource], definition: object, subresources: object, namespaced: object) -> None:
    """Refuse values of the class line that Python takes, and that mean something else."""
    where = f"class {cls.__name__}(…)"
    check_words(where, "subresources", subresources, "status")
    if definition is not None and not isinstance(definition, Definition):
        raise TypeError(f"{where}: definition is {definition!r}: write definition=Definition(…)")
    if namespaced not in (None, True, False):
        raise TypeError(f"{where}: namespaced is {namespaced!r}: write namespaced=False for a cluster's kind")


_WITHOUT_WORDS = (*Model.__mro__, Generic)
_TYPE_META = ("apiVersion", "kind")
_plural = plural

from functools import lru_cache
from typing import Any, ClassVar, cast

from windlass.api.kind import Kind
from windlass.api.resource import Resource
from windlass.api.wire import Json


class Untyped(Resource):
    """An object of any kind, with plain dictionaries beside the metadata: `app["spec"]["replicas"]`."""

    __open__: ClassVar[bool] = True

    @classmethod
    def of(cls, kind: Kind) -> "type[Untyped]":
        """The class for objects of this kind; the same one each time, unless its subresources are others."""
        return _untyped(kind, kind.subresources)

    def __getitem__(self, field: str) -> Any:
        return self._fields_beside(field)[field]

    def __setitem__(self, field: str, value: Any) -> None:
        self._fields_beside(field)[field] = value

    def __delitem__(self, field: str) -> None:
        del self._fields_beside(field)[field]

    def _fields_beside(self, field: str) -> Json:
        if field in ("apiVersion", "kind", "metadata"):
            raise KeyError(f"{field} is an attribute of an untyped object: .api_version, .kind, .metadata")
        if self.__pydantic_extra__ is None:
            object.__setattr__(self, "__pydantic_extra__", {})
        return cast("Json", self.__pydantic_extra__)

    def __contains__(self, field: str) -> bool:
        return field in (self.__pydantic_extra__ or {})

    def get(self, field: str, default: Any = None) -> Any:
        """A field by its wire name, or the default."""
        return (self.__pydantic_extra__ or {}).get(field, default)


def _restored(kind: Kind, state: dict[Any, Any]) -> Untyped:
    made = Untyped.of(kind).model_construct()
    made.__setstate__(state)
    return made


@lru_cache(maxsize=1024)
def _untyped(kind: Kind, subresources: tuple[str, ...]) -> type[Untyped]:
    class Made(
        Untyped,
        group=kind.group,
        version=kind.version,
        kind=kind.name,
        plural=kind.plural,
        namespaced=kind.namespaced,
        subresources=subresources,
    ):
        def __reduce__(self) -> tuple[Any, ...]:  # no module holds this class
            return _restored, (kind, self.__getstate__())

    Made.__name__ = Made.__qualname__ = kind.name
    return Made

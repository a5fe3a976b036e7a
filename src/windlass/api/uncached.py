"""Values of Secrets that a cache does not keep: their names are known, and reading one raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn

from typing_extensions import override

from windlass.errors import NotCachedError

if TYPE_CHECKING:
    from _collections_abc import dict_keys
    from collections.abc import Iterator, Mapping

    from windlass.api.kind import Kind
    from windlass.api.wire import Json

_MARK: Final = "not cached:"  # no base64, so that no server takes it for a value


def mark(digest: str) -> str:
    """Return what stands in the place of a value, with the digest by which a change is seen."""
    return f"{_MARK}{digest}"


def is_mark(value: Any) -> bool:
    """Whether this stands in the place of a value."""
    return type(value) is str and value.startswith(_MARK)


def is_secret(kind: Kind) -> bool:
    """Whether objects of a kind have values that are kept only where they are needed."""
    return kind.name == "Secret" and not kind.group


def is_uncached(secret: Mapping[str, Any]) -> bool:
    """Whether a Secret, as it is kept, lacks its values; a server always states a type."""
    data = secret.get("data")
    return any(map(is_mark, data.values())) if data else "type" not in secret and "metadata" in secret


class _Uncached:
    """Stands for a value; it can be compared, and cannot be written."""

    __slots__ = ("_mark",)

    def __init__(self, mark: str) -> None:
        self._mark = mark

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Uncached) and other._mark == self._mark

    @override
    def __hash__(self) -> int:
        return hash(self._mark)

    @override
    def __repr__(self) -> str:
        return "…"


class UncachedValues(dict[str, Any]):
    """The values of a Secret that is cached without them.

    The names can be read. Reading a value, or writing the Secret, raises `NotCachedError`. Where not even the
    names are kept, reading those raises too.
    """

    def __init__(self, secret: str, marks: Json | None) -> None:
        super().__init__({name: _Uncached(each) for name, each in (marks or {}).items()})
        self._secret = secret
        self._has_names = marks is not None

    @override
    def __iter__(self) -> Iterator[str]:  # also keeps `dict(…)` and `{**…}` from copying the placeholders
        return iter(list(self.keys()))

    @override
    def __len__(self) -> int:
        return super().__len__() if self._has_names else self._refuse()

    @override
    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) if self._has_names else self._refuse()

    @override
    def keys(self) -> dict_keys[str, Any]:
        return super().keys() if self._has_names else self._refuse()

    @override
    def __getitem__(self, name: str) -> Any:
        found = super().get(name)
        if not self._has_names or isinstance(found, _Uncached):
            self._refuse(f" of {name!r}")
        return super().__getitem__(name)

    @override
    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if self.__contains__(name) else default

    def _refuse(self, of: str = "", *_: object) -> NoReturn:
        which = f"the value{of} is" if of else "the values are"
        raise NotCachedError(
            f"{self._secret}: {which} not cached; read it with `await ctx.live.get(Secret, …)`, or keep the "
            "values: owns=(Secret,), Watch(Secret, by=…) or Selection(values=True)"
        )

    def _refuse_all(self, *_: object) -> NoReturn:
        self._refuse()

    def __deepcopy__(self, _: Any) -> UncachedValues:
        return self

    values = items = copy = popitem = _refuse_all
    pop = setdefault = __or__ = __ror__ = __ior__ = __reduce_ex__ = _refuse_all


def without_marks(kind: Kind, secret: Json) -> tuple[Json, UncachedValues | None]:
    """Split a Secret, as it is kept, into what can be decoded and the values that cannot be read."""
    if not is_uncached(secret):
        return secret, None
    metadata = secret["metadata"]
    namespace = f"{metadata['namespace']}/" if metadata.get("namespace") else ""
    values = UncachedValues(f"{kind.name} {namespace}{metadata.get('name', '')}", secret.get("data"))
    return {name: each for name, each in secret.items() if name != "data"}, values

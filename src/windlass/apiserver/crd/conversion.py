"""Objects of a custom kind in terms of another of its versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterable

Object = dict[str, Any]


class Converter(Protocol):
    """How a definition says that objects are converted.

    `faithful`: nothing but the apiVersion changes, so that an object that fits both schemas stays the same.
    """

    faithful: bool

    def convert(self, obj: Object, api_version: str) -> Object:
        """An object, whose kind and version it says, in another version; it may share parts with the given.

        Raises:
            Refusal: 500, it cannot be converted.
            Unanswered: somebody is to be asked first.
        """

    def prepare(self, objects: Iterable[Object], api_version: str) -> None:
        """Make ready to convert these objects, all at once where that is better.

        Raises:
            Unanswered: somebody is to be asked first.
        """


class Renaming(Converter):
    """The strategy `None`: versions differ in their names."""

    faithful = True

    @override
    def convert(self, obj: Object, api_version: str) -> Object:
        return {**obj, "apiVersion": api_version}

    @override
    def prepare(self, objects: Iterable[Object], api_version: str) -> None:
        """There is nothing to prepare."""


def converter_of(crd: Object) -> Converter:
    """The way in which a definition wants its objects to be converted."""
    conversion = crd["spec"].get("conversion") or {}
    if conversion.get("strategy") != "Webhook":
        return Renaming()
    from windlass.apiserver.crd.webhook import Webhook

    return Webhook(conversion["webhook"])

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.builtin import library
from windlass.apiserver.crd.conversion import converter_of
from windlass.apiserver.refusal import Refusal
from windlass.schema.custom import MalformedError
from windlass.schema.ownership import Grammar, Rules, Unfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.apiserver.store import Record
    from windlass.schema.custom import CustomSchema

Object = dict[str, Any]

_METADATA: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


class Family:
    """The versions of one custom kind: how each of them reads what was stored in another.

    `schemas` are those of the versions, by their apiVersion; `stored_as` is the one that is written now.
    """

    def __init__(self, crd: Object, schemas: Mapping[str, CustomSchema]) -> None:
        self.schemas = schemas
        self.kind: str = crd["spec"]["names"]["kind"]
        self._group: str = crd["spec"]["group"]
        stored = next(each["name"] for each in crd["spec"]["versions"] if each["storage"])
        self.stored_as = self.version(stored)
        self._converter = converter_of(crd)

    def version(self, name: str) -> str:
        """The apiVersion of a version."""
        return f"{self._group}/{name}"

    def canon(self, record: Record, api_version: str) -> object:
        """By what a stored object is read in a version; `None` where it has to be converted each time."""
        stored_as = self._version_of(record)
        if stored_as == api_version:
            return self.schemas[api_version]
        return (self.schemas[stored_as], self.schemas[api_version]) if self._converter.faithful else None

    def read(self, record: Record, api_version: str) -> bytes:
        """A stored object in a version, without kind and apiVersion.

        It is pruned and defaulted by the schema that it was stored under, as that is today, then converted,
        and pruned by the schema of the version.

        Raises:
            Refusal: 500, it cannot be converted.
        """
        obj = self._stored(record)
        if obj["apiVersion"] != api_version:
            obj = self.convert(obj, api_version)
            _prune(obj, self.schemas[api_version])
        del obj["kind"], obj["apiVersion"]
        return orjson.dumps(obj)

    def prepare(self, records: Iterable[Record], api_version: str) -> None:
        """Make ready to read these in a version, where that takes asking somebody.

        Raises:
            Unanswered: somebody is to be asked first.
        """
        if not self._converter.faithful:
            self._converter.prepare(map(self._stored, records), api_version)

    def _stored(self, record: Record) -> Object:
        """An object in the version that it is stored in, pruned and defaulted by the schema of that."""
        stored_as = self._version_of(record)
        obj = {"kind": self.kind, "apiVersion": stored_as, **record.object()}
        _prune(obj, self.schemas[stored_as])
        self.schemas[stored_as].fill(obj)
        return obj

    def _version_of(self, record: Record) -> str:
        return record.version if record.version in self.schemas else self.stored_as

    def write(self, obj: Object) -> Object:
        """An object of any version as it is stored; a new one, unless it has that version.

        Raises:
            Refusal: 500, it cannot be converted.
        """
        if obj["apiVersion"] == self.stored_as:
            return obj
        stored: Object = orjson.loads(orjson.dumps(self.convert(obj, self.stored_as)))
        _prune(stored, self.schemas[self.stored_as])
        return stored

    def convert(self, obj: Object, api_version: str) -> Object:
        """An object in terms of another version, whatever the schema of that says to it.

        Raises:
            Refusal: 500, it cannot be converted.
        """
        return obj if obj["apiVersion"] == api_version else self._converter.convert(obj, api_version)

    def rules(self, reset: Mapping[str, Object]) -> Rules:
        """Who can own what; `reset` says for each version what nobody can."""
        return Rules(
            shapes={version: schema.shape for version, schema in self.schemas.items()},
            convert=self._convert_owned,
            custom=True,
            reset=reset,
            grammar=Grammar(_metadata()),
        )

    def _convert_owned(self, obj: Object, api_version: str) -> Object:
        """An object in the version in which a field manager owns fields of it.

        Ownership is worked out before the object is validated, so a webhook may refuse an invalid one here.
        An update goes on to the validation, which tells what is invalid; only an apply ends.

        Raises:
            Unfit: it cannot be converted.
        """
        try:
            return self.convert(obj, api_version)
        except Refusal as refusal:
            raise Unfit(refusal.message) from refusal


def _prune(obj: Object, schema: CustomSchema) -> None:
    # What the server itself has stored is read even if the schema has become stricter about it.
    with suppress(MalformedError):
        schema.prune(obj)


@cache
def _metadata() -> Any:
    return library().shape(_METADATA)

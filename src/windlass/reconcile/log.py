from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

    from windlass.api import Key, Kind

_OPTIONS: Final = frozenset({"exc_info", "extra", "stack_info", "stacklevel"})


class BoundLog(logging.LoggerAdapter[logging.Logger]):
    """A logger whose lines carry fields, its own and those of the call: `log.info("scaled", replicas=3)`.

    The fields are in the attribute `windlass` of each record, whatever formats it. A line whose level is off
    costs no more than with a plain logger.
    """

    def __init__(self, logger: logging.Logger, fields: Mapping[str, Any]) -> None:
        super().__init__(logger, fields)
        self._fields = fields

    def bound(self, **fields: Any) -> BoundLog:
        """The same logger with more fields."""
        return BoundLog(self.logger, {**self._fields, **fields})

    @override
    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        fields = {**self._fields}
        for name in kwargs.keys() - _OPTIONS:
            fields[name] = kwargs.pop(name)
        kwargs["extra"] = {**(kwargs.get("extra") or {}), "windlass": fields}
        return msg, kwargs


def bound(logger: logging.Logger, **fields: Any) -> BoundLog:
    """A logger whose lines carry these fields."""
    return BoundLog(logger, fields)


def controller_fields(name: str, kind: Kind | None) -> dict[str, Any]:
    """What every line of a controller carries, under controller-runtime's names."""
    about = {"controllerGroup": kind.group, "controllerKind": kind.name} if kind else {}
    return {"controller": name, **about}


def object_fields(kind: Kind | None, key: Key, reconcile_id: str) -> dict[str, Any]:
    """What every line of one reconcile carries besides, under controller-runtime's names."""
    place = {"name": key.name, "namespace": key.namespace} if key.namespace else {"name": key.name}
    return {
        **({kind.name: place} if kind else {}),
        "namespace": key.namespace,
        "name": key.name,
        "reconcileID": reconcile_id,
    }

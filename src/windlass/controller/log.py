"""Log lines that carry what they are about, under the names that controller-runtime uses."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.reconcile import Reconciler

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

    from windlass.api import Key
    from windlass.reconcile import KeyReconciler

FIELDS = "windlass"
"""The attribute of a log record that holds its fields."""


class BoundLogger(logging.LoggerAdapter[logging.Logger]):
    """A logger whose every line carries some fields; keyword arguments of `fields` add to them."""

    def __init__(self, logger: logging.Logger, fields: Mapping[str, Any]) -> None:
        super().__init__(logger)
        self.fields = fields

    def bind(self, **fields: Any) -> BoundLogger:
        """The same with more fields."""
        return BoundLogger(self.logger, {**self.fields, **fields})

    @override
    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        kwargs["extra"] = {**(kwargs.get("extra") or {}), FIELDS: self.fields}
        return msg, kwargs


def about_controller(reconciler: Reconciler[Any] | KeyReconciler) -> dict[str, Any]:
    """The fields of everything that a controller says."""
    if not isinstance(reconciler, Reconciler):
        return {"controller": reconciler.name}
    kind = reconciler.of.__kind__
    return {"controller": reconciler.name, "controllerGroup": kind.group, "controllerKind": kind.name}


def about_object(reconciler: Reconciler[Any] | KeyReconciler, key: Key, reconcile_id: str) -> dict[str, Any]:
    """The fields of what a controller says about one object, in one run."""
    reference = {"name": key.name, **({"namespace": key.namespace} if key.namespace else {})}
    named = {reconciler.of.__kind__.name: reference} if isinstance(reconciler, Reconciler) else {}
    return {**about_controller(reconciler), **named, **reference, "reconcileID": reconcile_id}

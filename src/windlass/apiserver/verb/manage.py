"""Who manages which fields: where writes meet `windlass.schema.ownership`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions

Object = dict[str, Any]


def manage_create(operation: Operation, obj: Object, options: WriteOptions) -> None:
    pass


def manage_update(operation: Operation, old: Object, obj: Object, options: WriteOptions) -> None:
    pass


def read_config(operation: Operation, options: WriteOptions) -> Object:
    raise Refusal.internal("not yet")


def apply_config(operation: Operation, old: Object | None, config: Object, options: WriteOptions) -> Object:
    raise Refusal.internal("not yet")

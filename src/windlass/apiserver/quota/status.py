"""Writing down what is used of a quota."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.route import Route
from windlass.apiserver.verb.manage import manage_update
from windlass.apiserver.verb.operation import as_admitted
from windlass.apiserver.verb.options import WriteOptions
from windlass.apiserver.verb.update import change

if TYPE_CHECKING:
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation

QUOTAS: Final = "/resourcequotas"
"""The collection of the quotas."""


def write_status(operation: Operation, record: Record, status: dict[str, Any], manager: str) -> None:
    """Give a quota a status, as a write to `/status` by a field manager does.

    It is a part of another write: nobody is asked about it, as that write would have to wait for the answer.
    """
    quotas = operation.catalog.find("", "v1", "resourcequotas")
    assert quotas is not None  # noqa: S101 - every server has them
    old, quota = quotas.object(record), quotas.object(record)
    quota["status"] = status
    route = Route("update", "", "v1", "resourcequotas", record.namespace, record.name, "status")
    writing = operation._replace(resource=quotas, route=route, judge=as_admitted)
    options = WriteOptions(manager=manager)
    manage_update(writing, old, quota, options)
    change(writing, record, old, quota, options)

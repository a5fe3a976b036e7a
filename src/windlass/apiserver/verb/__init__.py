"""The verbs: what each does to a resource, from the request to the answer.

    reply = await create(Operation(world=world, resource=pods, route=route, call=call, form=form))

Each takes an `Operation` and returns the `Reply`, or raises the `Refusal` that is the answer. What is
particular to a kind is not here but in its traits.
"""

from windlass.apiserver.verb.create import create
from windlass.apiserver.verb.delete import delete, delete_collection
from windlass.apiserver.verb.operation import Operation
from windlass.apiserver.verb.patch import patch
from windlass.apiserver.verb.read import get, list_objects
from windlass.apiserver.verb.update import update
from windlass.apiserver.verb.watch import watch

__all__ = [
    "Operation",
    "create",
    "delete",
    "delete_collection",
    "get",
    "list_objects",
    "patch",
    "update",
    "watch",
]

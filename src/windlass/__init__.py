"""Windlass, the operator SDK for Python.

The names that most programs need stand here; each is loaded when it is first used. The packages hold the
rest: `windlass.api` (types and their markers), `windlass.kinds` (built-in kinds), `windlass.client`,
`windlass.reconcile`, `windlass.manager`, `windlass.codegen`, `windlass.testing`.

    from windlass import Context, Reconciler, Resource, Result, Spec
    from windlass.kinds.apps.v1 import Deployment
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes
from windlass._version import __version__

if TYPE_CHECKING:
    from windlass.api import Cel as Cel
    from windlass.api import Column as Column
    from windlass.api import Condition as Condition
    from windlass.api import Definition as Definition
    from windlass.api import Duration as Duration
    from windlass.api import Field as Field
    from windlass.api import Immutable as Immutable
    from windlass.api import IntOrString as IntOrString
    from windlass.api import Key as Key
    from windlass.api import Kind as Kind
    from windlass.api import LabelSelector as LabelSelector
    from windlass.api import ListMap as ListMap
    from windlass.api import Model as Model
    from windlass.api import ObjectMeta as ObjectMeta
    from windlass.api import Quantity as Quantity
    from windlass.api import Resource as Resource
    from windlass.api import Scale as Scale
    from windlass.api import Selector as Selector
    from windlass.api import Spec as Spec
    from windlass.api import Status as Status
    from windlass.api import Time as Time
    from windlass.api import Untyped as Untyped
    from windlass.client import Client as Client
    from windlass.client import ClientOptions as ClientOptions
    from windlass.client import connect as connect
    from windlass.client import load_config as load_config
    from windlass.errors import AlreadyExists as AlreadyExists
    from windlass.errors import ApiError as ApiError
    from windlass.errors import Conflict as Conflict
    from windlass.errors import Invalid as Invalid
    from windlass.errors import NotFound as NotFound
    from windlass.errors import Terminal as Terminal
    from windlass.errors import WindlassError as WindlassError
    from windlass.manager import Manager as Manager
    from windlass.manager import ManagerOptions as ManagerOptions
    from windlass.reconcile import Context as Context
    from windlass.reconcile import Reconciler as Reconciler
    from windlass.reconcile import Result as Result
    from windlass.reconcile import Watch as Watch

__lazy__ = {
    "AlreadyExists": "windlass.errors",
    "ApiError": "windlass.errors",
    "Cel": "windlass.api",
    "Client": "windlass.client",
    "ClientOptions": "windlass.client",
    "Column": "windlass.api",
    "Condition": "windlass.api",
    "Conflict": "windlass.errors",
    "Context": "windlass.reconcile",
    "Definition": "windlass.api",
    "Duration": "windlass.api",
    "Field": "windlass.api",
    "Immutable": "windlass.api",
    "IntOrString": "windlass.api",
    "Invalid": "windlass.errors",
    "Key": "windlass.api",
    "Kind": "windlass.api",
    "LabelSelector": "windlass.api",
    "ListMap": "windlass.api",
    "Manager": "windlass.manager",
    "ManagerOptions": "windlass.manager",
    "Model": "windlass.api",
    "NotFound": "windlass.errors",
    "ObjectMeta": "windlass.api",
    "Quantity": "windlass.api",
    "Reconciler": "windlass.reconcile",
    "Resource": "windlass.api",
    "Result": "windlass.reconcile",
    "Scale": "windlass.api",
    "Selector": "windlass.api",
    "Spec": "windlass.api",
    "Status": "windlass.api",
    "Terminal": "windlass.errors",
    "Time": "windlass.api",
    "Untyped": "windlass.api",
    "Watch": "windlass.reconcile",
    "WindlassError": "windlass.errors",
    "connect": "windlass.client",
    "load_config": "windlass.client",
}
__all__ = ["__version__", *__lazy__]  # noqa: PLE0604 - one list of names is enough
__getattr__, __dir__ = attributes(__name__, __lazy__)

"""The functions that expressions can call, in libraries as Kubernetes enables them.

    environment = Environment(variables={"self": STRING}, libraries=KUBERNETES)

A library is data: names, signatures with cel-go's ids of them, and the Python functions behind. What a call
costs is told elsewhere, by the id of its signature, in `windlass.schema.cel.cost`.
"""

from windlass.schema.cel.library.authorization import AUTHORIZATION as AUTHORIZATION
from windlass.schema.cel.library.authorization import AUTHORIZER as AUTHORIZER
from windlass.schema.cel.library.authorization import RESOURCE_CHECK as RESOURCE_CHECK
from windlass.schema.cel.library.authorization import Authorizer as Authorizer
from windlass.schema.cel.library.authorization import Caller as Caller
from windlass.schema.cel.library.authorization import Decision as Decision
from windlass.schema.cel.library.authorization import ResourceCheck as ResourceCheck
from windlass.schema.cel.library.comprehension import COMPREHENSIONS as COMPREHENSIONS
from windlass.schema.cel.library.form import FORMATS as FORMATS
from windlass.schema.cel.library.interpolate import WANTED as WANTED
from windlass.schema.cel.library.interpolate import clause as clause
from windlass.schema.cel.library.jsonpatch import JSON_PATCH as JSON_PATCH
from windlass.schema.cel.library.jsonpatch import JSON_PATCH_OBJECTS as JSON_PATCH_OBJECTS
from windlass.schema.cel.library.lists import KUBERNETES_LISTS as KUBERNETES_LISTS
from windlass.schema.cel.library.lists import LISTS as LISTS
from windlass.schema.cel.library.network import NETWORK_CIDR as NETWORK_CIDR
from windlass.schema.cel.library.network import NETWORK_IP as NETWORK_IP
from windlass.schema.cel.library.quantity import QUANTITIES as QUANTITIES
from windlass.schema.cel.library.regex import REGEX as REGEX
from windlass.schema.cel.library.semver import SEMVERS as SEMVERS
from windlass.schema.cel.library.sets import SETS as SETS
from windlass.schema.cel.library.standard import OPTIONAL as OPTIONAL
from windlass.schema.cel.library.standard import STANDARD as STANDARD
from windlass.schema.cel.library.strings import STRINGS as STRINGS
from windlass.schema.cel.library.url import URLS as URLS

# The order is that of Kubernetes, in which the overloads of a name in several libraries are tried.
KUBERNETES = (
    STANDARD,
    URLS,
    REGEX,
    KUBERNETES_LISTS,
    AUTHORIZATION,
    OPTIONAL,
    QUANTITIES,
    STRINGS,
    SETS,
    NETWORK_IP,
    NETWORK_CIDR,
    FORMATS,
    COMPREHENSIONS,
    SEMVERS,
    LISTS,
)
"""What all expressions in Kubernetes 1.36 have."""

__all__ = [
    "AUTHORIZATION",
    "AUTHORIZER",
    "COMPREHENSIONS",
    "FORMATS",
    "JSON_PATCH",
    "JSON_PATCH_OBJECTS",
    "KUBERNETES",
    "KUBERNETES_LISTS",
    "LISTS",
    "NETWORK_CIDR",
    "NETWORK_IP",
    "OPTIONAL",
    "QUANTITIES",
    "REGEX",
    "RESOURCE_CHECK",
    "SEMVERS",
    "SETS",
    "STANDARD",
    "STRINGS",
    "URLS",
    "WANTED",
    "Authorizer",
    "Caller",
    "Decision",
    "ResourceCheck",
    "clause",
]

"""The functions that expressions can call, in libraries as Kubernetes enables them.

    environment = Environment(variables={"self": STRING}, libraries=KUBERNETES)

A library is data: names, signatures with cel-go's ids of them, and the Python functions behind. What a call
costs is told elsewhere, by the id of its signature, in `windlass.schema.cel.cost`.
"""

from windlass.schema.cel.library.lists import KUBERNETES_LISTS as KUBERNETES_LISTS
from windlass.schema.cel.library.lists import LISTS as LISTS
from windlass.schema.cel.library.maps import MAPS as MAPS
from windlass.schema.cel.library.network import NETWORK_CIDR as NETWORK_CIDR
from windlass.schema.cel.library.network import NETWORK_IP as NETWORK_IP
from windlass.schema.cel.library.quantity import QUANTITIES as QUANTITIES
from windlass.schema.cel.library.regex import REGEX as REGEX
from windlass.schema.cel.library.semver import SEMVERS as SEMVERS
from windlass.schema.cel.library.sets import SETS as SETS
from windlass.schema.cel.library.strings import STRINGS as STRINGS

KUBERNETES = (
    STRINGS,
    KUBERNETES_LISTS,
    LISTS,
    MAPS,
    NETWORK_CIDR,
    NETWORK_IP,
    QUANTITIES,
    REGEX,
    SEMVERS,
    SETS,
)
"""What expressions in Kubernetes 1.36 have."""

__all__ = [
    "KUBERNETES",
    "KUBERNETES_LISTS",
    "LISTS",
    "MAPS",
    "NETWORK_CIDR",
    "NETWORK_IP",
    "QUANTITIES",
    "REGEX",
    "SEMVERS",
    "SETS",
    "STRINGS",
]

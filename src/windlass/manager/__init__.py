"""One process of an operator: controllers, election, health, metrics and logs under one roof.

You need it to run reconcilers for real. It takes no signals, no ports and no logging setup unless it is
asked to, so that it can live inside another program and beside a second one of its kind; `windlass run` asks
for all of them.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.manager.address import Address as Address
    from windlass.manager.options import ManagerOptions as ManagerOptions
    from windlass.manager.options import MetricsOptions as MetricsOptions

__lazy__ = {
    "Address": "windlass.manager.address",
    "ManagerOptions": "windlass.manager.options",
    "MetricsOptions": "windlass.manager.options",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)

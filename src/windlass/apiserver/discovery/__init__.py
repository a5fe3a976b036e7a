"""What a server tells about itself: which groups, versions and resources it has, its version, its health.

Pure functions from what is served to the documents that clients read.

    discovery = Discovery(catalog.resources())
    discovery.resource_list("apps", "v1")
    discovery.aggregated(core=False).etag

`answer_discovery` is the answer to a request for `/api` or `/apis`, whose form depends on what is asked for.
"""

from windlass.apiserver.discovery.answer import answer_discovery
from windlass.apiserver.discovery.discovery import Described, Discovery, storage_hash
from windlass.apiserver.discovery.document import Document
from windlass.apiserver.discovery.health import check_health, health_checks
from windlass.apiserver.discovery.maturity import by_maturity
from windlass.apiserver.discovery.release import release

__all__ = [
    "Described",
    "Discovery",
    "Document",
    "answer_discovery",
    "by_maturity",
    "check_health",
    "health_checks",
    "release",
    "storage_hash",
]

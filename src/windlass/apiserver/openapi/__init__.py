"""The documents that describe kinds and paths to clients: OpenAPI v3 per group and version, and one in v2.

They hold facts, no prose: descriptions are those that custom resource definitions bring along.

    openapi = OpenApi(catalog.resources(), library())
    openapi.index()                      # /openapi/v3
    openapi.document("apis/apps/v1")     # /openapi/v3/apis/apps/v1

`answer_openapi` is the answer to a request for one of them.
"""

from windlass.apiserver.openapi.answer import answer_openapi
from windlass.apiserver.openapi.openapi import OpenApi, Published

__all__ = ["OpenApi", "Published", "answer_openapi"]

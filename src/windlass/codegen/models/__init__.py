"""Typed models from OpenAPI: of an API server's own kinds, of anybody's CRD file, of a live cluster.

`from_crds(crds)` makes one module per kind; `from_openapi(definitions, kinds)` lays out a whole API server's
kinds so that importing one loads little else. The text is returned, not written.
"""

from windlass.codegen.models.crd import from_crds
from windlass.codegen.models.openapi import from_openapi

__all__ = ["from_crds", "from_openapi"]

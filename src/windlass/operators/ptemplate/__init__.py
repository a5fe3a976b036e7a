"""Loads a kernel module and runs who uses its devices: each `Ptemplate` is a KMM Module and a DaemonSet.

`add_to(manager)` serves both groups of the kind; `windlass run windlass.operators.ptemplate` runs that.
`windlass.operators.ptemplate.simulator` stands in for KMM where there are no kernels to load modules into.
"""

from windlass.operators.ptemplate.controller import (
    AliasPtemplateController,
    PtemplateController,
    add_to,
)
from windlass.operators.ptemplate.types import OPERATOR, AliasPtemplate, Ptemplate, PtemplateV1alpha

__all__ = [
    "OPERATOR",
    "AliasPtemplate",
    "AliasPtemplateController",
    "Ptemplate",
    "PtemplateController",
    "PtemplateV1alpha",
    "add_to",
]

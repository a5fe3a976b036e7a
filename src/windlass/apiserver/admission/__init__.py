"""The admission that is built into every server: what it adds to objects, and what it keeps out.

`mutate` sees every object on its way in, after it is known who manages its fields; what is particular to a
kind is in `Traits.admit`, made of the functions here that are named for what they do to a pod or a claim.
"""

from windlass.apiserver.admission.account import check_account, check_added_containers, set_account
from windlass.apiserver.admission.claim import check_growth, protect
from windlass.apiserver.admission.default_class import choose_ingress_class, choose_storage_class
from windlass.apiserver.admission.gate import (
    charge,
    check_mortal,
    connecting,
    deleting,
    drop_repeated_owners,
    is_reviewed,
    mutate,
    reviewing,
    validate,
)
from windlass.apiserver.admission.limit import check_claim, check_limits, set_limits
from windlass.apiserver.admission.priority import check_default, set_priority
from windlass.apiserver.admission.resize import check_resize
from windlass.apiserver.admission.runtime_class import check_overhead, set_runtime
from windlass.apiserver.admission.toleration import taint, tolerate

__all__ = [
    "charge",
    "check_account",
    "check_added_containers",
    "check_claim",
    "check_default",
    "check_growth",
    "check_limits",
    "check_mortal",
    "check_overhead",
    "check_resize",
    "choose_ingress_class",
    "choose_storage_class",
    "connecting",
    "deleting",
    "drop_repeated_owners",
    "is_reviewed",
    "mutate",
    "protect",
    "reviewing",
    "set_account",
    "set_limits",
    "set_priority",
    "set_runtime",
    "taint",
    "tolerate",
    "validate",
]

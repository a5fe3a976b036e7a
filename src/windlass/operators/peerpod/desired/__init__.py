"""What a PeerPodConfig asks for, as pure functions: config and options in, objects out."""

from windlass.operators.peerpod.desired.access import (
    ADAPTOR_RULES,
    role,
    role_binding,
    role_name,
    service_account,
)
from windlass.operators.peerpod.desired.adaptor import PROVIDERS, daemon_set, daemon_set_key
from windlass.operators.peerpod.desired.mark import CONFIG, MADE_HERE, config_of, is_made_here, place_of
from windlass.operators.peerpod.desired.runtime import runtime_class

__all__ = [
    "ADAPTOR_RULES",
    "CONFIG",
    "MADE_HERE",
    "PROVIDERS",
    "config_of",
    "daemon_set",
    "daemon_set_key",
    "is_made_here",
    "place_of",
    "role",
    "role_binding",
    "role_name",
    "runtime_class",
    "service_account",
]

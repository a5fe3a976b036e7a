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
from windlass.operators.peerpod.desired.webhook import (
    certificate_name,
    certificate_secret,
    configuration_name,
    hosts,
    service_name,
    webhook_configuration,
    webhook_deployment,
    webhook_name,
    webhook_service,
)

__all__ = [
    "ADAPTOR_RULES",
    "CONFIG",
    "MADE_HERE",
    "PROVIDERS",
    "certificate_name",
    "certificate_secret",
    "config_of",
    "configuration_name",
    "daemon_set",
    "daemon_set_key",
    "hosts",
    "is_made_here",
    "place_of",
    "role",
    "role_binding",
    "role_name",
    "runtime_class",
    "service_account",
    "service_name",
    "webhook_configuration",
    "webhook_deployment",
    "webhook_name",
    "webhook_service",
]

"""Names of objects and labels; each check takes a text and returns what is wrong with it, as servers say it.

The patterns are part of the messages, so they stand here as the server prints them.
"""

from windlass.schema.naming.rule import LABEL_LENGTH as LABEL_LENGTH
from windlass.schema.naming.rule import SUBDOMAIN as SUBDOMAIN
from windlass.schema.naming.rule import SUBDOMAIN_LENGTH as SUBDOMAIN_LENGTH
from windlass.schema.naming.rule import compiled as compiled
from windlass.schema.naming.rule import dns_1035_label as dns_1035_label
from windlass.schema.naming.rule import dns_label as dns_label
from windlass.schema.naming.rule import dns_subdomain as dns_subdomain
from windlass.schema.naming.rule import in_bytes as in_bytes
from windlass.schema.naming.rule import label_key as label_key
from windlass.schema.naming.rule import label_value as label_value
from windlass.schema.naming.rule import matches as matches
from windlass.schema.naming.rule import mismatch as mismatch
from windlass.schema.naming.rule import subdomain_says as subdomain_says
from windlass.schema.naming.rule import too_long as too_long

__all__ = [
    "LABEL_LENGTH",
    "SUBDOMAIN",
    "SUBDOMAIN_LENGTH",
    "compiled",
    "dns_1035_label",
    "dns_label",
    "dns_subdomain",
    "in_bytes",
    "label_key",
    "label_value",
    "matches",
    "mismatch",
    "subdomain_says",
    "too_long",
]

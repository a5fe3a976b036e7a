"""What both kinds have in common."""

from typing import Final

GROUP: Final = "confidentialcontainers.org"
VERSION: Final = "v1alpha1"

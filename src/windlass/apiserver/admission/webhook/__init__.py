"""Admission webhooks: others who are asked whether an object may come in, and who may change it.

`admit` asks those that change objects, one after the other, `validate` those that judge them, all at once.
"""

from windlass.apiserver.admission.webhook.mutating import admit
from windlass.apiserver.admission.webhook.validating import validate

__all__ = ["admit", "validate"]

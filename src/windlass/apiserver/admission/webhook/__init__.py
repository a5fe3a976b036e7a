"""Admission webhooks: others who are asked whether an object may come in, and who may change it.

`Webhooks` asks those that change objects, one after the other, `validate` those that judge them, all at once.
"""

from windlass.apiserver.admission.webhook.mutating import Webhooks
from windlass.apiserver.admission.webhook.validating import validate

__all__ = ["Webhooks", "validate"]

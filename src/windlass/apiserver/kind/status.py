"""Which metadata a write to `/status` leaves alone, kind by kind.

Most kinds take any metadata through that door. What is listed here is not taken, and so owned by nobody who
writes there.
"""

from __future__ import annotations

from typing import Final

from windlass.apiserver.traits import WHOLE_METADATA

KEPT_BY_STATUS: Final[dict[str, tuple[str, ...]]] = {
    "/Pod": ("ownerReferences", "deletionTimestamp"),
    "admissionregistration.k8s.io/ValidatingAdmissionPolicy": WHOLE_METADATA,
    "apps/Deployment": ("labels",),
    "networking.k8s.io/ServiceCIDR": WHOLE_METADATA,
    "storage.k8s.io/VolumeAttachment": WHOLE_METADATA,
}

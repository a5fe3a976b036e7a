"""Volumes: claims are bound to volumes that fit, and volumes are made for claims that nothing fits.

`add_to` has the part of kube-controller-manager: binding, phases, reclaiming, and the finalizers that keep a
claim while a pod uses it. `add_provisioner_to` has what a driver does besides: it makes the volumes of the
storage class `standard`, which hold nothing and are there for all nodes. It runs on a real cluster as well:
`provisioner_running`.
"""

from windlass.cluster.controller.volume.provisioner import STORAGE_CLASS
from windlass.cluster.controller.volume.wiring import add_provisioner_to, add_to, provisioner_running

__all__ = ["STORAGE_CLASS", "add_provisioner_to", "add_to", "provisioner_running"]

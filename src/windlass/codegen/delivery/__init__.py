"""How an operator gets into a cluster: its Deployment and what belongs to it, as objects, files and chart."""

from windlass.codegen.delivery.delivery import Delivery, Extended
from windlass.codegen.delivery.workload import KINDS_ANNOTATION, MANAGER_LABELS, Workload, service_name

__all__ = ["KINDS_ANNOTATION", "MANAGER_LABELS", "Delivery", "Extended", "Workload", "service_name"]

"""How an operator gets into a cluster: its Deployment and what belongs to it, as objects, files and chart."""

from windlass.codegen.delivery.delivery import Delivery, Extended
from windlass.codegen.delivery.workload import Workload, service_name

__all__ = ["Delivery", "Extended", "Workload", "service_name"]

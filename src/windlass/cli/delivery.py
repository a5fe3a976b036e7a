"""An operator that somebody named on the command line, with its webhooks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from windlass.cli.shipped import full_target

if TYPE_CHECKING:
    from windlass.codegen import Delivery, Workload


def load_delivery(
    target: str,
    operator: str = "",
    namespace: str = "",
    *,
    workload: Workload | None = None,
    cert_manager: bool = False,
) -> Delivery:
    """What is generated and deployed for an operator that ships, a module or a file.

    Raises:
        ConfigError: it cannot be imported, or has no kinds.
    """
    from windlass.codegen import Delivery, Workload, load_module, load_project
    from windlass.webhook import parts_of, with_webhooks

    module = full_target(target)
    extend = partial(with_webhooks, parts=parts_of(load_module(module)), cert_manager=cert_manager)
    project = load_project(module, operator, namespace)
    return Delivery(project=project, workload=workload or Workload(), extend=extend)

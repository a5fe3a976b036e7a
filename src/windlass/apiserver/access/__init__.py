"""Who asks, and whether they may: credentials, impersonation, and the rules of stored roles.

    gate = Gate(world, tokens={"secret": User("admin", ("system:masters",))})
    call.user = gate.identify(call, route)
    gate.admit(call, route)

`Gate.audit` tells each request to those who want to know, with what was decided and answered.

The roles and bindings that every cluster has from its start are in `roles.json`, facts of a real server that
`scripts/dump_roles.py` writes.
"""

from windlass.apiserver.access.attempt import Attempt
from windlass.apiserver.access.audit import Audit
from windlass.apiserver.access.event import AuditEvent, Decision
from windlass.apiserver.access.gate import Gate
from windlass.apiserver.access.rbac import Rbac, Verdict

__all__ = ["Attempt", "Audit", "AuditEvent", "Decision", "Gate", "Rbac", "Verdict"]

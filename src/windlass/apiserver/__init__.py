"""A Kubernetes API server in Python: starts in milliseconds, in this process or on a port, and behaves.

    server = ApiServer(ServerOptions(tokens={"secret": User("admin", ("system:masters",))}))
    reply = await server.handle(Call(method="GET", path="/api/v1/namespaces", headers=...))

You need it under `windlass.cluster`, which joins it with the client and with controllers. What it does is
compared with the real kube-apiserver by one contract suite; what it does not do is on the page
`docs/design/limits.md`.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.apiserver.access import AuditEvent as AuditEvent
    from windlass.apiserver.access import Decision as Decision
    from windlass.apiserver.exchange import Call as Call
    from windlass.apiserver.exchange import Cut as Cut
    from windlass.apiserver.exchange import Query as Query
    from windlass.apiserver.exchange import Reply as Reply
    from windlass.apiserver.exchange import User as User
    from windlass.apiserver.http import Listening as Listening
    from windlass.apiserver.http import listen as listen
    from windlass.apiserver.server import ApiServer as ApiServer
    from windlass.apiserver.server import ServerOptions as ServerOptions
    from windlass.apiserver.world import World as World

__lazy__ = {
    "ApiServer": "windlass.apiserver.server",
    "AuditEvent": "windlass.apiserver.access",
    "Call": "windlass.apiserver.exchange",
    "Cut": "windlass.apiserver.exchange",
    "Decision": "windlass.apiserver.access",
    "Listening": "windlass.apiserver.http",
    "Query": "windlass.apiserver.exchange",
    "Reply": "windlass.apiserver.exchange",
    "ServerOptions": "windlass.apiserver.server",
    "User": "windlass.apiserver.exchange",
    "World": "windlass.apiserver.world",
    "listen": "windlass.apiserver.http",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)

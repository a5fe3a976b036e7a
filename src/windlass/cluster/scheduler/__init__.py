"""The scheduler of a cluster: gives each pod a node, by the rules of the real one's default profile.

    manager = Manager(client)
    add_to(manager)

From the inside out: `request`, `term` and `pod` say what a pod asks for; `ledger` and `node` keep who lies
where; `lone`, `between` and `volume` are the rules, `score` weighs; `search` and `preemption` decide;
`sight` keeps the ledger in step and wakes whom a change may help; `controller` acts.
"""

from windlass.cluster.scheduler.wiring import add_to

__all__ = ["add_to"]

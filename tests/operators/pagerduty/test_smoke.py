from __future__ import annotations
from on_call import *
from windlass.kinds.core.v1 import Secret
async def test_smoke(operator) -> None:
    account = an_account()
    ada = account.add_user("Ada", "ada@example.com")
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p", integrations=[{"name":"alerts","secret_name":"keys"}]))
        await trial.client.create(business_service("b", supporting_services=[{"ref": "s"}]))
        b = await trial.ready(BusinessService, "b")
        s = await trial.ready(PagerdutyService, "s")
        p = await trial.ready(EscalationPolicy, "p")
        print(b.to_wire()["status"]); print(s.to_wire()["status"]); print(p.to_wire()["status"])
        for e in account.journal: print(e)
        k = await trial.client.get(Secret, "keys"); print(k.to_wire())
        await trial.settled()
        await trial.client.delete(EscalationPolicy, "p")
        x = await trial.until(EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "InUse")
        print(x.to_wire()["status"])
        await trial.client.delete(PagerdutyService, "s")
        await trial.gone(PagerdutyService, "s")
        await trial.gone(EscalationPolicy, "p")
        await trial.client.delete(BusinessService, "b")
        await trial.gone(BusinessService, "b")
        assert not len(account.books.services)

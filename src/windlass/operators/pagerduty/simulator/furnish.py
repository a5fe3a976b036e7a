from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.operators.pagerduty.simulator.account import Account

_ON_CALL = "P1NKFZC"


def furnish(account: Account) -> None:
    """What an organisation has before it has an operator: people, schedules, teams, and a default policy.

    Ada has the id P1NKFZC, whom the operator's samples tell.
    """
    hand = account.by_hand
    ada = hand.add_user("Ada Lovelace", "ada@example.com", id_=_ON_CALL)
    grace = hand.add_user("Grace Hopper", "grace@example.com")
    katherine = hand.add_user("Katherine Johnson", "katherine@example.com")
    primary = hand.add_schedule("Primary", ada, grace)
    hand.add_schedule("Secondary", grace, katherine)
    for team in ("Platform", "Shop"):
        hand.add_team(team)
    for vendor in ("Prometheus", "Datadog", "Amazon CloudWatch"):
        hand.add_vendor(vendor)
    target = {"id": primary, "type": "schedule_reference"}
    policy = {
        "type": "escalation_policy",
        "name": "Default",
        "description": "Every account has one.",
        "escalation_rules": [{"escalation_delay_in_minutes": 30, "targets": [target]}],
    }
    hand("POST", "/escalation_policies", {"escalation_policy": policy})

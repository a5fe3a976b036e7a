from __future__ import annotations

from typing import Any

from windlass.apiserver.validation.network_policy import validate

ODD = "192.0.2.1/024"


def policy(**spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": "a", "namespace": "b", "resourceVersion": "1"}, "spec": spec}


def blocks(*ranges: str) -> list[dict[str, Any]]:
    return [{"from": [{"ipBlock": {"cidr": text}} for text in ranges]}]


def test_a_range_that_an_old_server_took_may_stay_and_move() -> None:
    old = policy(ingress=blocks("198.51.100.0/24", ODD))
    new = policy(ingress=blocks(ODD))

    assert list(validate(new, old)) == []
    assert [fault.field for fault in validate(new, None)] == ["spec.ingress[0].from[0].ipBlock.cidr"]


def test_an_odd_value_of_a_selector_may_stay() -> None:
    selector = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b c"]}]}
    odd = policy(podSelector=selector)

    assert list(validate(odd, odd)) == []
    assert len(list(validate(odd, None))) == 1

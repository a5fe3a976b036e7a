from typing import Any

from windlass.apiserver.crd.condition import (
    EMPTYING,
    ESTABLISHED,
    INSTALLING,
    INVALID_BUNDLE,
    MARKED,
    condition_of,
    establishment,
    is_true,
    set_condition,
)

EARLY, LATE = "2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"


def fresh() -> dict[str, Any]:
    return {"spec": {}, "status": {"conditions": None}}


def test_a_condition_that_is_not_there_is_neither_true_nor_false() -> None:
    assert condition_of(fresh(), "Established") == {}
    assert not is_true(fresh(), "Established")


def test_the_time_of_a_condition_moves_with_its_status() -> None:
    crd = fresh()

    assert set_condition(crd, INSTALLING, EARLY)
    assert set_condition(crd, ESTABLISHED, LATE)

    assert condition_of(crd, "Established")["lastTransitionTime"] == LATE
    assert is_true(crd, "Established")


def test_the_time_of_a_condition_stays_when_only_its_reason_changes() -> None:
    crd = fresh()
    set_condition(crd, MARKED, EARLY)

    assert set_condition(crd, EMPTYING, LATE)

    assert condition_of(crd, "Terminating")["lastTransitionTime"] == EARLY


def test_the_same_condition_again_is_no_change() -> None:
    crd = fresh()
    set_condition(crd, ESTABLISHED, EARLY)

    assert not set_condition(crd, ESTABLISHED, LATE)


def test_the_fields_of_a_condition_have_their_usual_order() -> None:
    crd = fresh()
    set_condition(crd, ESTABLISHED, EARLY)

    assert list(crd["status"]["conditions"][0]) == [
        "type",
        "status",
        "lastTransitionTime",
        "reason",
        "message",
    ]


def test_a_kind_whose_webhook_cannot_be_trusted_is_not_established() -> None:
    def with_bundle(bundle: str) -> dict[str, Any]:
        return {"spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": bundle}}}}}

    assert establishment(fresh()) == ESTABLISHED
    assert establishment(with_bundle("")) == ESTABLISHED
    assert establishment(with_bundle("aGk=")) == INVALID_BUNDLE

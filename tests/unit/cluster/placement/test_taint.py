from __future__ import annotations

import pytest

from windlass.cluster.placement import EVICTING, tolerates, untolerated
from windlass.kinds.core.v1 import Taint, Toleration

_GPU = Taint(key="gpu", value="yes", effect="NoSchedule")
_LOST = Taint(key="lost", effect="NoExecute")
_BUSY = Taint(key="busy", effect="PreferNoSchedule")


@pytest.mark.parametrize(
    ("toleration", "expected"),
    [
        (Toleration(key="gpu", value="yes"), True),
        (Toleration(key="gpu", operator="Equal", value="yes", effect="NoSchedule"), True),
        (Toleration(key="gpu", operator="Exists"), True),
        (Toleration(operator="Exists"), True),
        (Toleration(operator="Exists", effect="NoExecute"), False),
        (Toleration(key="gpu", value="no"), False),
        (Toleration(key="gpu"), False),
        (Toleration(key="cpu", operator="Exists"), False),
        (Toleration(key="gpu", operator="Gt", value="0"), False),
    ],
)
def test_a_toleration_covers_a_taint_by_key_value_and_effect(
    toleration: Toleration, *, expected: bool
) -> None:
    assert tolerates([toleration], [_GPU]) is expected


def test_only_taints_with_the_effects_in_question_count() -> None:
    assert tolerates([], [_BUSY])
    assert tolerates([], [_GPU, _BUSY], EVICTING)
    assert not tolerates([], [_LOST], EVICTING)
    assert not tolerates([], [_BUSY], {"PreferNoSchedule"})


def test_the_first_taint_that_is_not_tolerated_is_named() -> None:
    lenient = [Toleration(key="gpu", operator="Exists")]
    assert untolerated(lenient, [_BUSY, _GPU, _LOST]) is _LOST
    assert untolerated(lenient, [_GPU]) is None

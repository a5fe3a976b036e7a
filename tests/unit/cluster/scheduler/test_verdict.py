from __future__ import annotations

from windlass.cluster.scheduler.verdict import Rule, Verdict, told


def test_reasons_are_counted_and_sorted_as_texts() -> None:
    few = Verdict(Rule.FIT, ("Too many pods", "Insufficient cpu"))
    tainted = Verdict(Rule.TAINT, ("node(s) had untolerated taint(s)",))

    assert told(12, [few, *[tainted] * 11]) == (
        "0/12 nodes are available: 1 Insufficient cpu, 1 Too many pods, 11 node(s) had untolerated taint(s)."
    )

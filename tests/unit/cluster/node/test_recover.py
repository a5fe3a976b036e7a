from __future__ import annotations

from pod_story import START, Story, pod_of
from windlass.cluster.node.pod import recover


def test_a_node_that_comes_back_goes_on_where_the_status_says() -> None:
    before = Story(pod_of(annotations={"crash": "3"}))
    before.after(12)
    before.annotate("crash", None)
    before.after(30)
    assert before.state == "running"
    after = Story(before.pod, life=recover(before.pod, START))
    assert after.main.restart_count == before.main.restart_count
    assert after.state == "running"
    assert after.told == []


def test_a_pod_that_was_over_stays_over() -> None:
    before = Story(pod_of(restartPolicy="Never"))
    before.after(5)
    after = Story(before.pod, life=recover(before.pod, START))
    assert after.pod.status.phase == "Succeeded"
    assert after.due is None


def test_a_pod_without_a_status_has_just_come() -> None:
    assert recover(pod_of(), START).began == START

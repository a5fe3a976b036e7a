"""The life of a pod, step by step on a clock that the test moves."""

from __future__ import annotations

import pytest

from pod_story import Story, pod_of, shown

CRASHING = {"crash": "1"}


def _conditions(story: Story) -> dict[str, str]:
    return {each.type: each.status for each in story.pod.status.conditions}


def test_a_pod_is_created_then_runs_and_is_ready() -> None:
    story = Story(pod_of())
    assert (story.pod.status.phase, story.state) == ("Pending", "ContainerCreating")
    assert _conditions(story)["PodReadyToStartContainers"] == "False"
    story.after(1)
    assert (story.pod.status.phase, story.state, story.main.ready) == ("Running", "running", True)
    assert set(_conditions(story).values()) == {"True"}
    assert story.due is None
    assert [each.reason for each in story.told] == ["Pulling", "Pulled", "Created", "Started"]


def test_back_off_begins_after_the_first_restart_and_doubles_to_five_minutes() -> None:
    story = Story(pod_of(annotations=CRASHING))
    story.after(1)
    restarts, waits = [], []
    for _ in range(8):
        assert story.due is not None
        waits.append((story.due - story.now).total_seconds())
        restarts.append(story.main.restart_count)
        story.after(waits[-1])
    assert waits == [10, 20, 40, 80, 160, 300, 300, 300]
    assert restarts == [1, 2, 3, 4, 5, 6, 7, 8]
    assert story.state == "CrashLoopBackOff"
    assert story.pod.status.phase == "Running"


def test_a_container_that_ran_for_long_is_forgiven() -> None:
    story = Story(pod_of(annotations=CRASHING))
    story.after(200)
    story.annotate("crash", None)
    story.after(600)
    assert story.state == "running"
    before = story.main.restart_count
    story.after(601)
    story.annotate("crash", "1")
    story.go()
    assert story.main.restart_count == before + 1  # at once
    assert story.state == "CrashLoopBackOff"
    assert story.due is not None
    assert (story.due - story.now).total_seconds() == 10


def test_an_image_is_tried_again_ever_later_and_then_starts() -> None:
    story = Story(pod_of(annotations={"fail-pull": "gone"}))
    story.after(1)
    assert story.state == "ErrImagePull"
    story.after(1)
    assert story.state == "ImagePullBackOff"
    story.after(9)
    assert story.state == "ErrImagePull"
    story.after(1)
    story.annotate("fail-pull", None)
    story.after(18)
    assert story.state == "ImagePullBackOff"
    story.after(1)
    assert (story.state, story.main.restart_count) == ("running", 0)


@pytest.mark.parametrize(
    ("policy", "code", "phase", "state"),
    [
        ("Always", 0, "Running", "CrashLoopBackOff"),
        ("Always", 1, "Running", "CrashLoopBackOff"),
        ("OnFailure", 0, "Succeeded", "Completed 0"),
        ("OnFailure", 1, "Running", "CrashLoopBackOff"),
        ("Never", 0, "Succeeded", "Completed 0"),
        ("Never", 1, "Failed", "Error 1"),
    ],
)
def test_a_restart_policy_says_what_an_end_means(policy: str, code: int, phase: str, state: str) -> None:
    story = Story(pod_of(restartPolicy=policy, annotations={"run-seconds": "0", "exit-code": str(code)}))
    story.after(1)
    assert (story.pod.status.phase, story.state) == (phase, state)


def test_init_containers_run_one_after_the_other_and_sidecars_stay() -> None:
    before = [
        {"name": "one", "image": "a"},
        {"name": "side", "image": "b", "restartPolicy": "Always"},
        {"name": "two", "image": "c"},
    ]
    story = Story(pod_of(initContainers=before))
    assert story.state == "PodInitializing"

    def states() -> list[str]:
        return [shown(each) for each in story.pod.status.init_container_statuses]

    story.after(1)
    assert states() == ["running", "PodInitializing", "PodInitializing"]
    assert _conditions(story)["Initialized"] == "False"
    story.after(1)
    assert states() == ["Completed 0", "running", "running"]
    assert story.pod.status.phase == "Pending"
    story.after(1)
    assert states() == ["Completed 0", "running", "Completed 0"]
    assert (story.state, story.pod.status.phase) == ("running", "Running")
    assert set(_conditions(story).values()) == {"True"}


def test_sidecars_end_after_all_others_and_then_the_pod_is_done() -> None:
    side = [{"name": "side", "image": "b", "restartPolicy": "Always"}]
    story = Story(pod_of(initContainers=side, restartPolicy="Never", annotations={"stop-seconds.side": "2"}))
    story.after(2)
    assert (story.state, story.pod.status.phase) == ("Completed 0", "Running")
    assert [each.container for each in story.stops] == ["side"]
    story.after(2)
    assert story.pod.status.phase == "Succeeded"


def test_an_init_container_that_fails_fails_a_pod_that_is_never_restarted() -> None:
    init = [{"name": "init", "image": "a"}]
    story = Story(pod_of(initContainers=init, restartPolicy="Never", annotations={"exit-code.init": "4"}))
    story.after(5)
    assert (story.pod.status.phase, story.state) == ("Failed", "PodInitializing")
    assert story.due is None


def test_a_deleted_pod_stops_is_given_its_grace_and_killed_after_it() -> None:
    story = Story(pod_of(annotations={"stop-seconds": "60"}))
    story.after(1)
    story.delete(grace=5)
    story.go()
    assert (story.state, story.main.ready, story.pod.status.phase) == ("running", False, "Running")
    assert [(each.container, each.grace.total_seconds()) for each in story.stops] == [("main", 5)]
    assert story.told[-1] == ("Killing", "Stopping container main", False)
    story.after(5)
    assert (story.state, story.pod.status.phase) == ("Error 137", "Failed")
    assert story.life.is_at_rest


def test_a_pod_that_is_deleted_before_it_ran_is_over_at_once() -> None:
    story = Story(pod_of())
    story.delete()
    story.go()
    assert story.pod.status.phase == "Failed"
    assert story.life.is_at_rest
    assert story.due is None


def test_a_container_that_is_not_alive_is_killed_and_started_again() -> None:
    probe = {"httpGet": {"port": 80}}
    alive = [{"name": "main", "image": "web:1", "livenessProbe": probe}]
    story = Story(pod_of(containers=alive))
    story.after(1)
    story.annotate("not-alive", "yes")
    story.go()
    assert "Liveness probe failed: the container is said not to be alive" in [
        each.message for each in story.told
    ]
    assert "Container main failed liveness probe, will be restarted" in [each.message for each in story.told]
    story.annotate("not-alive", None)
    story.after(30)
    assert (story.state, story.main.ready) == ("running", True)
    assert story.main.restart_count >= 1


def test_a_pod_past_its_deadline_fails_with_the_reason() -> None:
    story = Story(pod_of(activeDeadlineSeconds=5))
    story.after(4)
    assert story.pod.status.phase == "Running"
    story.after(1)
    assert (story.pod.status.phase, story.pod.status.reason) == ("Failed", "DeadlineExceeded")


def test_what_is_missing_keeps_a_container_or_the_pod_from_starting() -> None:
    story = Story(pod_of())
    story.unmounted = 'MountVolume.SetUp failed for volume "v" : configmap "c" not found'
    story.after(3)
    assert story.state == "ContainerCreating"
    assert story.told[-1].reason == "FailedMount"
    story.unmounted, story.unfit = "", {"main": 'secret "s" not found'}
    story.after(1)
    assert story.state == "CreateContainerConfigError"
    story.unfit = {}
    story.after(1)
    assert story.state == "running"


def test_readiness_waits_for_its_probe_and_for_gates() -> None:
    slow = {"initialDelaySeconds": 5, "httpGet": {"port": 80}}
    container = [{"name": "main", "image": "web:1", "readinessProbe": slow}]
    gates = [{"conditionType": "example.com/checked"}]
    story = Story(pod_of(containers=container, readinessGates=gates))
    story.after(1)
    ready = next(each for each in story.pod.status.conditions if each.type == "Ready")
    assert (ready.reason, ready.message) == ("ContainersNotReady", "containers with unready status: [main]")
    story.after(5)
    ready = next(each for each in story.pod.status.conditions if each.type == "Ready")
    assert ready.reason == "ReadinessGatesNotReady"
    assert (
        ready.message == 'corresponding condition of pod readiness gate "example.com/checked" does not exist.'
    )
    assert _conditions(story)["ContainersReady"] == "True"


def test_the_time_of_a_condition_moves_only_with_its_status() -> None:
    story = Story(pod_of())
    story.after(1)
    first = {each.type: each.last_transition_time for each in story.pod.status.conditions}
    story.after(50)
    assert {each.type: each.last_transition_time for each in story.pod.status.conditions} == first
    assert first["Initialized"] != first["Ready"]


def test_a_container_whose_image_is_changed_is_started_again_at_once() -> None:
    story = Story(pod_of())
    story.after(1)
    story.pod.spec.containers[0].image = "web:2"
    story.go()
    assert (story.state, story.main.image, story.main.restart_count) == ("running", "web:2", 1)
    assert "Container main definition changed, will be restarted" in [each.message for each in story.told]

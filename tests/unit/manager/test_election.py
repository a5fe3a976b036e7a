"""One process leads: how it comes to that, how long it lasts, and how it ends."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from elections import Process, elapse, forever, settle
from windlass.client import NO_RETRY, Client, ClientOptions, MergePatch
from windlass.cluster import Cluster
from windlass.errors import NotLeadingError
from windlass.kinds.coordination.v1 import Lease
from windlass.manager import Election, ElectionOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.client import Request
    from windlass.controller import Fence

    Start = Callable[..., Process]

SECOND = timedelta(seconds=1)
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    async with Cluster() as cluster:
        yield cluster


@pytest.fixture
def client(cluster: Cluster) -> Client:
    return Client(cluster.transport())


@pytest.fixture
async def start(cluster: Cluster) -> AsyncIterator[Start]:
    """Start a process that takes part; all end with the test."""
    started: list[Process] = []

    def start(name: str, *args: Any, **options: Any) -> Process:
        started.append(Process(cluster, name, *args, **options))
        return started[-1]

    yield start
    for process in started:
        await process.stop()


async def spec(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = (await client.get(Lease, "election", "default")).to_wire()["spec"]
    return found


def lease(**spec: Any) -> Lease:
    return Lease.from_wire({"metadata": {"name": "election", "namespace": "default"}, "spec": spec})


async def test_the_first_leads_at_once_and_writes_what_client_go_would(start: Start, client: Client) -> None:
    a = start("a")
    await elapse(2.5, a)
    assert a.passes()
    assert await spec(client) == {
        "holderIdentity": "a",
        "leaseDurationSeconds": 15,
        "leaseTransitions": 0,
        "acquireTime": "2026-01-01T00:00:00.000000Z",
        "renewTime": "2026-01-01T00:00:02.000000Z",
    }


async def test_the_second_waits_as_long_as_the_first_renews(start: Start) -> None:
    a, b = start("a"), start("b")
    await elapse(120, a, b, step=0.5)
    assert (a.terms, b.terms) == (1, 0)
    assert len(a.fences) == 1


async def test_a_lease_that_is_not_renewed_passes_on_after_its_duration_and_never_two_act(
    start: Start, client: Client
) -> None:
    a = start("a")
    await elapse(0.5, a)
    b = start("b")
    await elapse(0.5, a, b)
    a.link.way = "silent"
    taken = None
    for tenth in range(250):
        await elapse(0.1, a, b)
        assert not (a.passes() and b.passes())
        if b.passes() and taken is None:
            taken = tenth / 10
    assert taken is not None
    assert taken >= 14, "the second saw the lease less than a second before"
    assert (a.terms, b.terms) == (0, 1)
    assert await spec(client) | {"holderIdentity": "b", "leaseTransitions": 1} == await spec(client)


async def test_who_cannot_renew_stops_acting_before_the_lease_expires(start: Start) -> None:
    a = start("a")
    await elapse(1, a)
    a.link.way = "refused"
    await elapse(8.9, a)
    assert a.passes()
    await elapse(0.2, a)
    assert (a.passes(), a.terms) == (False, 0)


@pytest.mark.parametrize("days", [-1000, 1000])
async def test_a_lease_of_others_is_judged_by_what_we_saw_not_by_the_times_in_it(
    start: Start, client: Client, days: int
) -> None:
    written = EPOCH + timedelta(days=days)
    await client.create(
        lease(holderIdentity="gone", leaseDurationSeconds=5, renewTime=f"{written:%Y-%m-%dT%H:%M:%S.%fZ}")
    )
    a = start("a")
    await elapse(4.9, a)
    assert not a.passes()
    await elapse(4.5, a)
    assert a.passes()
    assert (await spec(client))["leaseTransitions"] == 1


async def test_a_lease_without_a_duration_is_given_ours(start: Start, client: Client) -> None:
    await client.create(lease(holderIdentity="gone"))
    a = start("a")
    await elapse(14.9, a)
    assert not a.passes()
    await elapse(4.5, a)
    assert a.passes()


async def test_a_lease_of_nobody_is_taken_at_once(start: Start, client: Client) -> None:
    await client.create(lease(holderIdentity="", leaseDurationSeconds=1000, leaseTransitions=7))
    a = start("a")
    await settle()
    assert a.passes()
    assert (await spec(client))["leaseTransitions"] == 8
    assert a.election.state.transitions == 8


async def test_a_lease_that_is_still_ours_is_kept(start: Start, client: Client) -> None:
    acquired = "2020-01-01T00:00:00.000000Z"
    await client.create(
        lease(holderIdentity="a", leaseDurationSeconds=60, leaseTransitions=7, acquireTime=acquired)
    )
    a = start("a")
    await settle()
    assert a.passes()
    kept = await spec(client)
    assert (kept["leaseTransitions"], kept["acquireTime"]) == (7, acquired)


async def test_a_label_on_the_lease_costs_nobody_the_lead(start: Start, client: Client) -> None:
    a = start("a")
    await elapse(1, a)
    for number in range(5):
        labelled = MergePatch({"metadata": {"labels": {"n": str(number)}}})
        await client.patch(Lease, "election", labelled, "default")
        await elapse(2, a)
    assert (a.terms, len(a.fences)) == (1, 1)
    assert (await client.get(Lease, "election", "default")).metadata.labels == {"n": "4"}


async def test_a_lease_that_somebody_else_was_given_ends_the_term_at_the_next_renewal(
    start: Start, client: Client
) -> None:
    a = start("a")
    await elapse(1, a)
    await client.patch(Lease, "election", MergePatch({"spec": {"holderIdentity": "b"}}), "default")
    await elapse(2, a)
    assert (a.passes(), a.terms) == (False, 0)
    assert a.election.state.holder == "b"


async def test_the_holder_makes_a_deleted_lease_anew(start: Start, client: Client) -> None:
    a = start("a")
    await elapse(1, a)
    await client.delete(Lease, "election", "default")
    await elapse(30, a, step=0.5)
    assert (a.terms, len(a.fences)) == (1, 1)
    assert (await spec(client))["holderIdentity"] == "a"


async def test_who_saw_a_holder_waits_for_it_even_when_the_lease_is_deleted(
    start: Start, client: Client
) -> None:
    a, b = start("a"), start("b")
    await elapse(1, a, b)
    a.link.way = "silent"
    await client.delete(Lease, "election", "default")
    for _ in range(250):
        await elapse(0.1, a, b)
        assert not (a.passes() and b.passes())
    assert b.passes()


async def test_leaving_hands_the_lease_over_as_client_go_does(start: Start, client: Client) -> None:
    a, b = start("a"), start("b")
    await elapse(1, a, b)
    await a.stop()
    assert await spec(client) == {
        "holderIdentity": "",
        "leaseDurationSeconds": 1,
        "leaseTransitions": 0,
        "acquireTime": "2026-01-01T00:00:01.000000Z",
        "renewTime": "2026-01-01T00:00:01.000000Z",
    }
    await elapse(4.5, b)
    assert b.passes(), "it looks again within 2 s and 1.2 times as much at random"


async def test_the_lease_can_be_left_to_expire(start: Start, client: Client) -> None:
    a = start("a", release=False)
    await elapse(1, a)
    await a.stop()
    assert (await spec(client))["holderIdentity"] == "a"


async def test_work_that_is_done_ends_the_run_and_hands_the_lease_over(start: Start, client: Client) -> None:
    async def briefly(_fence: Fence) -> None:
        await asyncio.sleep(0)

    a = start("a", briefly)
    await a.task
    assert (await spec(client))["holderIdentity"] == ""
    assert not a.passes()


async def test_work_that_fails_fails_the_run_and_hands_the_lease_over(start: Start, client: Client) -> None:
    async def fail(_fence: Fence) -> None:
        raise LookupError("nothing there")

    a = start("a", fail)
    with pytest.raises(LookupError, match="nothing there"):
        await a.task
    assert (await spec(client))["holderIdentity"] == ""


async def test_after_a_loss_it_leads_again_with_another_fence(start: Start) -> None:
    a = start("a")
    await elapse(1, a)
    a.link.way = "refused"
    await elapse(12, a)
    assert a.terms == 0
    a.link.way = "open"
    await elapse(5, a)
    assert (a.terms, len(a.fences)) == (1, 2)
    with pytest.raises(NotLeadingError):
        a.fences[0].check()
    a.fences[1].check()


async def test_a_lease_that_was_lost_is_not_handed_over_but_taken_again(start: Start, client: Client) -> None:
    a = start("a")
    await elapse(1, a)
    a.clock.suspend(12 * SECOND)
    await elapse(5, a)
    assert (a.terms, len(a.fences)) == (1, 2)
    assert (await spec(client))["leaseTransitions"] == 0


async def test_nothing_is_begun_on_a_lease_that_was_granted_too_long_ago(start: Start) -> None:
    a = start("a")

    def sleep_once(request: Request) -> None:
        if request.method == "POST":
            a.clock.suspend(20 * SECOND)

    a.link.answering = sleep_once
    await elapse(5, a)
    assert (a.terms, len(a.fences)) == (1, 1)


async def test_after_a_loss_it_can_give_up(start: Start) -> None:
    a = start("a", rejoin=False)
    await elapse(1, a)
    a.link.way = "refused"
    await elapse(12, a)
    with pytest.raises(NotLeadingError, match="default/election was lost"):
        await a.task


async def refused(fence: Fence) -> None:
    """Ends with the error of the first write that the fence refuses."""
    while True:
        fence.check()
        await asyncio.sleep(0)


async def refused_together(fence: Fence) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(refused(fence))
        group.create_task(refused(fence))


@pytest.mark.parametrize("lead", [refused, refused_together])
async def test_work_that_fails_because_the_lease_was_lost_is_started_again(start: Start, lead: Any) -> None:
    a = start("a", lead)
    await elapse(1, a)
    a.clock.suspend(20 * SECOND)
    await elapse(5, a)
    assert (a.terms, len(a.fences)) == (1, 2)


async def test_work_that_fails_otherwise_when_the_lease_is_lost_fails_the_run(start: Start) -> None:
    async def fail(_fence: Fence) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise LookupError("while ending")

    a = start("a", fail)
    await elapse(1, a)
    a.link.way = "refused"
    await elapse(12, a)
    with pytest.raises(LookupError, match="while ending"):
        await a.task


async def test_the_lease_is_renewed_while_the_work_comes_to_its_end(start: Start, client: Client) -> None:
    slow: list[Process] = []

    async def drain(fence: Fence) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await slow[0].clock.sleep(25 * SECOND)
            fence.check()

    a = start("a", drain)
    slow.append(a)
    b = start("b")
    await elapse(1, a, b)
    a.task.cancel()
    await elapse(24, a, b)
    assert (a.passes(), b.passes()) == (True, False)
    await elapse(6, a, b)
    assert a.task.cancelled()
    assert (a.passes(), b.passes()) == (False, True)


async def test_who_is_cancelled_after_a_loss_still_waits_for_the_work_to_end(start: Start) -> None:
    slow: list[Process] = []

    async def drain(_fence: Fence) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await slow[0].clock.sleep(5 * SECOND)

    a = start("a", drain)
    slow.append(a)
    await elapse(1, a)
    a.link.way = "refused"
    await elapse(10, a)
    a.task.cancel()
    await elapse(1, a)
    assert (a.terms, a.task.done()) == (1, False)
    await elapse(5, a)
    assert (a.terms, a.task.cancelled()) == (0, True)


async def test_who_is_cancelled_twice_waits_for_nothing(start: Start) -> None:
    slow: list[Process] = []

    async def drain(_fence: Fence) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await slow[0].clock.sleep(5 * SECOND)

    a = start("a", drain)
    slow.append(a)
    await elapse(1, a)
    a.task.cancel()
    await elapse(1, a)
    assert not a.task.done()
    a.task.cancel()
    await settle()
    assert a.task.cancelled()
    assert not a.passes()
    await elapse(5, a)
    assert a.terms == 0


async def test_work_that_does_not_end_costs_the_process_its_place_and_nobody_gets_the_lease_early(
    start: Start, client: Client
) -> None:
    enough = asyncio.Event()

    async def stubborn(_fence: Fence) -> None:
        while not enough.is_set():
            try:
                await enough.wait()
            except asyncio.CancelledError:
                continue

    a = start("a", stubborn)
    await elapse(1, a)
    a.task.cancel()
    await elapse(29, a)
    during = a.passes()
    await elapse(2, a)
    after = a.passes()
    enough.set()
    assert (during, after) == (True, False)
    with pytest.raises(NotLeadingError, match="still runs 30 s after it was cancelled"):
        await a.task
    assert (await spec(client))["holderIdentity"] == "a"


async def test_the_lease_is_not_handed_over_while_something_may_still_happen(
    start: Start, client: Client
) -> None:
    async def doubt(fence: Fence) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            fence.doubt()

    a = start("a", doubt)
    await elapse(1, a)
    await a.stop()
    assert (await spec(client))["holderIdentity"] == "a"


async def test_a_doubt_that_is_over_keeps_nobody_waiting(start: Start, client: Client) -> None:
    async def doubt(fence: Fence) -> None:
        fence.doubt()
        await forever(fence)

    a = start("a", doubt)
    await elapse(11, a)
    await a.stop()
    assert (await spec(client))["holderIdentity"] == ""


async def test_a_lease_that_cannot_be_handed_over_does_not_hold_up_the_end(start: Start) -> None:
    a = start("a")
    await elapse(1, a)
    a.link.way = "silent"
    a.task.cancel()
    await elapse(4.9, a)
    assert not a.task.done()
    await elapse(0.2, a)
    assert a.task.cancelled()


async def test_who_was_suspended_may_do_nothing_when_it_wakes(start: Start) -> None:
    a, b = start("a"), start("b")
    await elapse(1, a, b)
    await elapse(20, b)
    assert b.passes()
    a.clock.suspend(20 * SECOND)
    assert not a.passes()
    with pytest.raises(NotLeadingError, match="may have passed to another process"):
        a.fences[0].check()
    await elapse(3, a, b)
    assert (a.terms, b.terms) == (0, 1)


@pytest.mark.parametrize("hours", [-1000, 1000])
async def test_a_jump_of_the_wall_clock_changes_no_leader(start: Start, hours: int) -> None:
    a, b = start("a"), start("b")
    await elapse(1, a, b)
    a.clock.jump(timedelta(hours=hours))
    await elapse(20, a, b)
    b.clock.jump(timedelta(hours=-2 * hours))
    await elapse(20, a, b)
    assert (a.terms, len(a.fences), b.terms) == (1, 1, 0)


async def test_a_renewal_shows_even_when_the_wall_clock_stands_still(start: Start) -> None:
    a, b = start("a"), start("b")
    await elapse(1, a, b)
    for _ in range(100):
        a.clock.jump(-SECOND / 2)
        await elapse(0.5, a, b, step=0.5)
    assert (a.terms, len(a.fences), b.terms) == (1, 1, 0)


async def test_a_renewal_that_hangs_leaves_time_for_another(start: Start) -> None:
    a = start("a")
    await elapse(1, a)
    a.link.way = "silent"
    await elapse(6, a)
    a.link.way = "open"
    await elapse(30, a)
    assert (a.terms, len(a.fences)) == (1, 1)


async def test_a_renewal_whose_answer_is_lost_is_made_again(start: Start) -> None:
    a = start("a")
    await elapse(1, a)
    a.link.way = "deaf"
    await elapse(6, a)
    a.link.way = "open"
    await elapse(30, a)
    assert (a.terms, len(a.fences)) == (1, 1)


async def test_a_lease_whose_granting_was_not_heard_is_found_to_be_ours(start: Start, client: Client) -> None:
    await client.create(lease(holderIdentity=""))
    a = start("a")
    a.link.way = "deaf"
    await elapse(4.9, a)
    assert not a.passes()
    a.link.way = "open"
    await elapse(5, a)
    assert a.passes()


async def test_its_state_can_be_read_and_new_leaders_are_told_once(start: Start) -> None:
    told: list[str] = []
    a, b = start("a"), start("b", on_new_leader=told.append)
    assert b.election.state.holder == ""
    await elapse(10, a, b)
    state = b.election.state
    assert (state.leading, state.holder, state.transitions, state.problem) == (False, "a", 0, "")
    assert a.election.state.leading
    await a.stop()
    await elapse(5, b)
    state = b.election.state
    assert (state.leading, state.holder, state.transitions) == (True, "b", 1)
    assert state.since is not None
    assert EPOCH + 10 * SECOND <= state.since <= b.clock.now()
    assert told == ["a", "b"]
    assert a.election.state.leading is False


async def test_a_problem_can_be_read_and_passes(start: Start) -> None:
    a = start("a")
    a.link.way = "refused"
    await elapse(1, a)
    assert "refused" in a.election.state.problem
    a.link.way = "open"
    await elapse(5, a)
    assert a.election.state.problem == ""
    assert a.passes()


async def test_who_may_not_read_leases_says_so_and_goes_on_trying(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(cluster.transport("nobody"), ClientOptions(retry=NO_RETRY))
    election = Election(client, ElectionOptions(name="election", namespace="default"))
    running = asyncio.create_task(election.run(forever))
    await settle()
    assert "403" in election.state.problem
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert [record.levelname for record in caplog.records if "403" in record.message] == ["WARNING"]


async def test_waiting_for_the_lease_can_be_cancelled(start: Start) -> None:
    a, b = start("a"), start("b")
    await elapse(1, a, b)
    b.task.cancel()
    await settle()
    assert b.task.cancelled()
    assert a.passes()

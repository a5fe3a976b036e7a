"""create: events, which two API groups show."""

import pytest

from contract import Api, Object
from contract_objects import event


@pytest.fixture
def events(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/events"


@pytest.fixture
def new_events(namespace: str) -> str:
    return f"/apis/events.k8s.io/v1/namespaces/{namespace}/events"


def new_event(namespace: str, **fields: str) -> Object:
    return {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"name": "a"},
        "regarding": {"kind": "Pod", "name": "web", "namespace": namespace},
        "reason": "Started",
        "type": "Normal",
        "action": "Starting",
        "reportingController": "example.com/controller",
        "reportingInstance": "controller-0",
        **fields,
    }


async def test_an_event_shows_its_empty_fields(api: Api, namespace: str, events: str) -> None:
    involved = {"kind": "Pod", "name": "web", "namespace": namespace}

    created = (await api.create(events, event("a", involved, reason="Started"))).ok()

    assert {key: created[key] for key in created.keys() - {"kind", "apiVersion", "metadata"}} == {
        "involvedObject": involved,
        "reason": "Started",
        "source": {},
        "firstTimestamp": None,
        "lastTimestamp": None,
        "eventTime": None,
        "reportingComponent": "",
        "reportingInstance": "",
    }


async def test_an_event_lives_in_the_namespace_of_its_object(api: Api, events: str) -> None:
    reply = await api.create(events, event("a", {"kind": "Pod", "name": "web", "namespace": "elsewhere"}))

    assert reply.refused(422, "Invalid")["message"] == (
        'Event "a" is invalid: involvedObject.namespace: '
        'Invalid value: "elsewhere": does not match event.namespace'
    )


async def test_an_event_of_a_cluster_scoped_object_lives_in_default(
    api: Api, namespace: str, events: str
) -> None:
    node = {"kind": "Node", "name": "node-1"}

    reply = await api.create(events, event("a", node))
    name = f"{namespace}-event"
    created = await api.create("/api/v1/namespaces/default/events", event(name, node), dryRun="All")

    reply.refused(422, "Invalid")
    assert reply.fields == ["involvedObject.namespace"]
    assert created.status == 201


async def test_a_repeated_event_is_counted_in_place(api: Api, namespace: str, events: str) -> None:
    (await api.create(events, event("a", {"kind": "Pod", "name": "web", "namespace": namespace}))).ok()

    counted = (await api.patch(f"{events}/a", {"count": 2, "lastTimestamp": "2026-01-01T00:00:00Z"})).ok()

    assert (counted["count"], counted["lastTimestamp"]) == (2, "2026-01-01T00:00:00Z")


async def test_an_event_of_the_new_group_shows_in_the_old_one(
    api: Api, namespace: str, events: str, new_events: str
) -> None:
    body = new_event(namespace, note="all well", eventTime="2026-01-01T00:00:00.000001Z")
    (await api.create(new_events, body)).ok()

    old = (await api.get(f"{events}/a")).ok()

    assert old["apiVersion"] == "v1"
    assert old["message"] == "all well"
    assert old["involvedObject"] == body["regarding"]
    assert old["reportingComponent"] == "example.com/controller"
    assert old["eventTime"] == "2026-01-01T00:00:00.000001Z"


async def test_an_event_of_the_old_group_shows_in_the_new_one(
    api: Api, namespace: str, events: str, new_events: str
) -> None:
    involved = {"kind": "Pod", "name": "web", "namespace": namespace}
    fields = {"message": "all well", "source": {"component": "tester"}, "count": 3}
    (await api.create(events, event("a", involved, **fields))).ok()

    new = (await api.get(f"{new_events}/a")).ok()

    assert new["apiVersion"] == "events.k8s.io/v1"
    assert (new["note"], new["regarding"]) == ("all well", involved)
    assert (new["deprecatedSource"], new["deprecatedCount"]) == ({"component": "tester"}, 3)


async def test_a_write_through_one_group_forgets_who_owns_what_in_the_other(
    api: Api, namespace: str, events: str, new_events: str
) -> None:
    made = new_event(namespace, eventTime="2020-01-01T00:00:00.000000Z", note="said")
    (await api.create(new_events, made, fieldManager="one")).ok()
    about = {"involvedObject": {"namespace": namespace}}
    body: Object = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "a"}, **about}

    applied = (await api.apply(f"{events}/a", body, "two")).ok()
    assert [each["manager"] for each in applied["metadata"]["managedFields"]] == ["two"]
    labels = {"metadata": {"labels": {"a": "b"}}}
    patched = (await api.patch(f"{new_events}/a", labels, fieldManager="three")).ok()
    assert [each["manager"] for each in patched["metadata"]["managedFields"]] == ["three"]


async def test_an_event_of_the_new_group_needs_a_time(api: Api, namespace: str, new_events: str) -> None:
    reply = await api.create(new_events, new_event(namespace))

    reply.refused(422, "Invalid")
    assert reply.fields == ["eventTime"]


async def test_an_event_of_the_new_group_keeps_its_words(api: Api, namespace: str, new_events: str) -> None:
    body = new_event(namespace, note="all well", eventTime="2026-01-01T00:00:00.000001Z")
    (await api.create(new_events, body)).ok()

    reply = await api.patch(f"{new_events}/a", {"note": "not so well"})

    reply.refused(422, "Invalid")
    assert reply.fields == ["message"]

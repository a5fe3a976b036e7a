import pickle

import pytest

from windlass.api import Kind, ObjectMeta, Untyped


def test_the_class_for_a_kind_is_made_once() -> None:
    kind = Kind("g", "v1", "Thing", "things", namespaced=False)
    thing = Untyped.of(kind)
    assert thing is Untyped.of(Kind("g", "v1", "Thing", "things", namespaced=False))
    assert thing is not Untyped.of(Kind("g", "v2", "Thing", "things", namespaced=False))
    assert (thing.__name__, thing.__kind__) == ("Thing", kind)


def test_who_asked_first_does_not_decide_what_subresources_a_kind_has() -> None:
    guessed = Untyped.of(Kind("guessed.example.com", "v1", "Thing", "things"))
    found = Untyped.of(Kind("guessed.example.com", "v1", "Thing", "things", subresources=("scale",)))

    assert (guessed.__kind__.subresources, found.__kind__.subresources) == ((), ("scale",))


def test_an_untyped_object_gives_plain_dictionaries_and_typed_metadata() -> None:
    thing = Untyped.of(Kind("g", "v1", "Thing", "things")).from_wire(
        {"metadata": {"name": "a", "labels": {"b": "c"}}, "spec": {"replicas": 1}}
    )
    assert (thing.metadata.name, thing["spec"], "spec" in thing, "status" in thing) == (
        "a",
        {"replicas": 1},
        True,
        False,
    )
    assert (thing.get("status"), thing.get("status", {}), thing.get("spec")) == (None, {}, {"replicas": 1})
    with pytest.raises(KeyError):
        thing["status"]


def test_an_untyped_object_writes_what_was_changed() -> None:
    thing = Untyped.of(Kind("g", "v1", "Thing", "things"))()
    thing["spec"] = {"replicas": 1}
    thing["spec"]["replicas"] = 2
    thing.metadata.labels["a"] = "b"
    assert thing.to_wire() == {
        "apiVersion": "g/v1",
        "kind": "Thing",
        "metadata": {"labels": {"a": "b"}},
        "spec": {"replicas": 2},
    }


def test_metadata_of_an_untyped_object_is_an_attribute() -> None:
    thing = Untyped.of(Kind("", "v1", "Thing", "things"))(metadata=ObjectMeta(name="a"))
    with pytest.raises(KeyError, match=r"\.metadata"):
        thing["metadata"] = {}
    thing["spec"] = {"a": 1}
    del thing["spec"]
    assert thing.to_wire() == {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "a"}}


def test_an_untyped_object_survives_being_pickled() -> None:
    said = {"apiVersion": "g/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"replicas": 1}}
    thing = Untyped.of(Kind("g", "v1", "Thing", "things")).from_wire(said)
    back = pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own
    assert type(back) is type(thing)
    assert back == thing
    assert back.to_wire() == said

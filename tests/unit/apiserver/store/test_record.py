from windlass.apiserver.store import Record, Store


def test_a_record_remembers_the_version_that_its_object_was_stored_in() -> None:
    record = Record.of("a", 1, {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}})

    assert record.version == "example.com/v1"
    assert b"apiVersion" not in record.body


def test_an_object_that_does_not_say_its_version_keeps_the_one_it_had() -> None:
    widgets = Store().collection("example.com/widgets")
    first = widgets.put("a", {"apiVersion": "example.com/v1", "metadata": {"name": "a"}}, None)

    second = widgets.put("a", first.object(), first)
    last = widgets.delete("a", second)

    assert second.version == last.version == "example.com/v1"

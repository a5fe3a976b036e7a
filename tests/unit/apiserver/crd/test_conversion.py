from windlass.apiserver.crd.conversion import Renaming, converter_of

OBJECT = {"apiVersion": "example.com/v1", "kind": "Widget", "spec": {"a": 1}}


def test_without_a_webhook_versions_differ_in_their_names() -> None:
    converter = converter_of({"spec": {"conversion": {"strategy": "None"}}})

    assert isinstance(converter, Renaming)
    assert converter.convert(OBJECT, "example.com/v2") == {**OBJECT, "apiVersion": "example.com/v2"}
    assert OBJECT["apiVersion"] == "example.com/v1"

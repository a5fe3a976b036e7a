from typing import Any

import pytest

from windlass.apiserver.crd.conversion import Renaming, converter_of
from windlass.apiserver.refusal import Refusal

OBJECT = {"apiVersion": "example.com/v1", "kind": "Widget", "spec": {"a": 1}}


def definition(client: dict[str, Any]) -> dict[str, Any]:
    return {"spec": {"conversion": {"strategy": "Webhook", "webhook": {"clientConfig": client}}}}


def test_without_a_webhook_versions_differ_in_their_names() -> None:
    converter = converter_of({"spec": {"conversion": {"strategy": "None"}}})

    assert isinstance(converter, Renaming)
    assert converter.convert(OBJECT, "example.com/v2") == {**OBJECT, "apiVersion": "example.com/v2"}
    assert OBJECT["apiVersion"] == "example.com/v1"


@pytest.mark.parametrize(
    ("client", "url"),
    [
        ({"url": "https://example.com/convert"}, "https://example.com/convert"),
        ({"service": {"name": "a", "namespace": "b"}}, "https://a.b.svc:443"),
        (
            {"service": {"name": "a", "namespace": "b", "port": 8443, "path": "/x"}},
            "https://a.b.svc:8443/x",
        ),
    ],
    ids=["url", "service", "service-with-a-path"],
)
def test_a_webhook_is_named_when_it_cannot_be_asked(client: dict[str, Any], url: str) -> None:
    with pytest.raises(Refusal) as refused:
        converter_of(definition(client)).convert(OBJECT, "example.com/v2")

    assert refused.value.code == 500
    assert refused.value.message.startswith(
        f'conversion webhook for example.com/v1, Kind=Widget failed: Post "{url}?timeout=30s": '
    )

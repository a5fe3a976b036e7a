from windlass.apiserver.crd.check.shown import versions_text


def test_no_versions_are_shown_as_they_are() -> None:
    assert versions_text(None) == "null"
    assert versions_text([]) == "[]"


def test_a_version_is_shown_with_every_field() -> None:
    assert versions_text([{"name": "v1", "served": True}]) == (
        '[{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,'
        '"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]'
    )


def test_what_is_in_a_version_is_shown_too() -> None:
    version = {
        "name": "v1",
        "schema": {},
        "subresources": {"status": {}, "scale": {"specReplicasPath": ".a"}},
        "additionalPrinterColumns": [{"name": "x", "priority": 2}],
        "selectableFields": [{"jsonPath": ".b"}],
    }

    text = versions_text([version])

    assert '"Schema":{"OpenAPIV3Schema":null}' in text
    assert (
        '"Subresources":{"Status":{},"Scale":{"SpecReplicasPath":".a","StatusReplicasPath":"",'
        '"LabelSelectorPath":null}}'
    ) in text
    assert '[{"Name":"x","Type":"","Format":"","Description":"","Priority":2,"JSONPath":""}]' in text
    assert text.endswith('"SelectableFields":[{"JSONPath":".b"}]}]')

from contract_crd import definition, integer, spec, version
from windlass.apiserver.crd.check.shared import schemas_of, with_shared

COLUMN = {"name": "X", "type": "string", "jsonPath": ".x"}


def test_what_one_version_has_all_versions_have() -> None:
    one = version("v1", spec(), additionalPrinterColumns=[COLUMN])

    shared = with_shared(definition("example.com", one)["spec"])

    assert shared["validation"] == one["schema"]
    assert shared["additionalPrinterColumns"] == [COLUMN]
    assert shared["versions"] == [{"name": "v1", "served": True, "storage": True}]


def test_what_versions_do_not_share_stays_in_them() -> None:
    first, second = version("v1", spec(a=integer())), version("v2", spec(), storage=False)

    shared = with_shared(definition("example.com", first, second)["spec"])

    assert shared["versions"] == [first, second]
    assert "validation" not in shared


def test_no_columns_are_the_same_as_none_but_no_subresources_are_not() -> None:
    first = version("v1", additionalPrinterColumns=[], subresources={})
    second = version("v2", storage=False)

    shared = with_shared(definition("example.com", first, second)["spec"])

    assert "additionalPrinterColumns" not in shared["versions"][0]
    assert [each.get("subresources") for each in shared["versions"]] == [{}, None]


def test_every_schema_is_found_once() -> None:
    alike = [version("v1"), version("v2", storage=False)]
    unlike = [
        version("v1", spec(a=integer()), subresources={"status": {}}),
        version("v2", spec(), storage=False),
    ]

    def found(*versions: dict[str, object]) -> list[tuple[str, bool]]:
        spec = with_shared(definition("example.com", *versions)["spec"])
        return [(str(path), status) for _, path, status in schemas_of(spec)]

    assert found(*alike) == [("spec.validation.openAPIV3Schema", False)]
    assert found(*unlike) == [
        ("spec.versions[0].schema.openAPIV3Schema", True),
        ("spec.versions[1].schema.openAPIV3Schema", False),
    ]
    assert found() == found(version())

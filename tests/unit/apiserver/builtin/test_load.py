import subprocess
import sys

from windlass.api import Kind
from windlass.apiserver.builtin import groups, kinds, library


def test_every_reference_in_the_library_leads_somewhere() -> None:
    def targets(value: object) -> list[str]:
        match value:
            case {"$ref": str(target)}:
                return [target]
            case dict():
                return [target for inner in value.values() for target in targets(inner)]
        return []

    found = library()

    assert [
        target
        for name in found.names()
        for target in targets(found.shape(name).schema)
        if target not in found
    ] == []


def test_every_kind_has_a_definition_that_names_it() -> None:
    for each in kinds():
        schema = library().shape(each.definition).schema
        assert {
            "group": each.kind.group,
            "version": each.kind.version,
            "kind": each.kind.name,
        } in schema["x-kubernetes-group-version-kind"]


def test_lists_have_a_definition_too() -> None:
    listed = [each for each in kinds() if "list" in each.verbs]

    assert len(listed) > 40
    assert all(f"{each.definition}List" in library() for each in listed)


def test_a_subresource_may_have_a_kind_of_another_group() -> None:
    [pods] = [each for each in kinds() if each.kind.plural == "pods"]

    eviction = pods.subresources["eviction"]

    assert (eviction.kind.group, eviction.kind.name) == ("policy", "Eviction")
    assert pods.forms["eviction"] == "io.k8s.api.policy.v1.Eviction"
    assert pods.forms["exec"] == ""
    assert pods.kind == Kind("", "v1", "Pod", "pods", namespaced=True)


def test_groups_come_in_the_order_of_discovery_with_the_preferred_version_first() -> None:
    assert list(groups())[:3] == ["", "apps", "events.k8s.io"]
    assert groups()["autoscaling"] == ("v2", "v1")


def test_fields_carry_the_facts_of_their_go_types() -> None:
    spec = library().shape("io.k8s.api.apps.v1.DeploymentSpec").schema
    volume = library().shape("io.k8s.api.core.v1.Volume").schema

    assert spec["x-go-struct"] == "DeploymentSpec"
    assert spec["properties"]["replicas"]["x-go"] == "*int32"
    assert spec["properties"]["replicas"]["x-proto"] == 1
    assert "x-keep-zero" not in spec["properties"]["replicas"]
    assert spec["properties"]["strategy"]["x-keep-zero"] is True
    assert volume["properties"]["emptyDir"]["x-proto"] == [2, 2]
    assert volume["properties"]["emptyDir"]["x-go-embedded"] == "VolumeSource"


def test_there_is_no_prose_in_the_data() -> None:
    def described(value: object) -> bool:
        match value:
            case {"description": str()}:
                return True
            case dict():
                return any(described(inner) for inner in value.values())
        return False

    assert not any(described(library().shape(name).schema) for name in library().names())


def test_importing_reads_no_file_and_loads_no_pydantic() -> None:
    script = (
        "import sys, windlass.apiserver.builtin as it;"
        "from windlass.apiserver.builtin import load;"
        "assert load._read.cache_info().currsize == 0;"
        "it.library(), it.kinds();"
        "sys.exit('pydantic' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0

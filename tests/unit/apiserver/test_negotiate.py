import pytest

from windlass.apiserver.negotiate import JSON, PROTOBUF, YAML, Form, negotiate, negotiate_status
from windlass.apiserver.refusal import Refusal

METADATA = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
TABLE = ";as=Table;g=meta.k8s.io;v=v1"


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", Form()),
        ("*/*", Form()),
        (f"{PROTOBUF},{JSON}", Form(PROTOBUF)),
        (f"{PROTOBUF};q=0.5,{JSON};q=0.9", Form(JSON)),
        (PROTOBUF + METADATA, Form(PROTOBUF, "PartialObjectMetadata")),
        (f"{PROTOBUF}{TABLE},{JSON}{TABLE}", Form(JSON, "Table")),
        (f"{YAML}{TABLE}", Form(YAML, "Table")),
        (f"{PROTOBUF};stream=watch", Form(PROTOBUF)),
        (f"{YAML};stream=watch,{JSON};stream=watch", Form(JSON)),
        (f"{PROTOBUF};stream=other,{YAML}", Form(YAML)),
        (f"{JSON};v=v1,{YAML}", Form(YAML)),
    ],
)
def test_the_first_form_that_there_is_is_chosen(accept: str, form: Form) -> None:
    assert negotiate(accept) == form


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (f"{PROTOBUF},{JSON}", Form(JSON)),
        (f"{PROTOBUF}{METADATA},{JSON}", Form(PROTOBUF, "PartialObjectMetadata")),
    ],
)
def test_custom_resources_have_no_protobuf_but_for_their_metadata(accept: str, form: Form) -> None:
    assert negotiate(accept, custom=True) == form


@pytest.mark.parametrize("accept", [PROTOBUF, f"{PROTOBUF};stream=watch"])
def test_protobuf_alone_is_not_acceptable_for_custom_resources(accept: str) -> None:
    with pytest.raises(Refusal, match="only the following media types are accepted"):
        negotiate(accept, custom=True)


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (PROTOBUF, Form(PROTOBUF)),
        (PROTOBUF + METADATA, Form(JSON)),
        (f"{PROTOBUF}{METADATA},{YAML}", Form(YAML)),
        ("text/plain", Form(JSON)),
    ],
)
def test_a_status_is_never_turned_into_something_else(accept: str, form: Form) -> None:
    assert negotiate_status(accept) == form

"""What somebody answers, read as a review."""

from __future__ import annotations

from contextlib import suppress

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.api import Kind
from windlass.apiserver.outside import Answer, Unreachable, read_review

ADMISSION = Kind("admission.k8s.io", "v1", "AdmissionReview", "", namespaced=False)
CONVERSION = Kind("apiextensions.k8s.io", "v1", "ConversionReview", "", namespaced=False)
KINDS = st.sampled_from([ADMISSION, CONVERSION])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ("uid", "allowed", "status", "patch", "patchType", "warnings", "auditAnnotations", "result")


@given(KINDS, st.dictionaries(st.sampled_from(FIELDS), JSON), st.sampled_from([200, 201, 403, 500]))
def test_a_response_is_read_or_said_to_be_none(kind: Kind, response: dict[str, object], status: int) -> None:
    review = {"kind": kind.name, "apiVersion": kind.api_version, "response": response}
    try:
        body = orjson.dumps(review)
    except TypeError:  # an integer that no JSON of this sort has
        return

    with suppress(Unreachable):
        assert read_review(Answer(status, body), kind)["kind"] == kind.name


@given(KINDS, st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_read_or_said_to_be_no_review(kind: Kind, body: bytes) -> None:
    with suppress(Unreachable):
        read_review(Answer(200, body), kind)


def test_a_number_beyond_all_numbers_is_none() -> None:
    review = b'{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1",'

    with pytest.raises(Unreachable, match="cannot unmarshal number 1e999"):
        read_review(Answer(200, review + b'"response":{"convertedObjects":[{"a":1e999}]}}'), CONVERSION)

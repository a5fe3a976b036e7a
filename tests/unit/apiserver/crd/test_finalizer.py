import pytest

from windlass.apiserver.crd.finalizer import finalizer_warning

PREFER = "prefer a domain-qualified finalizer name"
WHY = "to avoid accidental conflicts with other finalizer writers"


@pytest.mark.parametrize("name", ["example.com/hold", "orphan", "foregroundDeletion", "kubernetes"])
def test_a_name_that_is_clearly_somebodys_is_fine(name: str) -> None:
    assert finalizer_warning(name) == ""


def test_a_name_that_two_writers_may_choose_is_warned_of() -> None:
    assert finalizer_warning("hold") == f'metadata.finalizers: "hold": {PREFER} {WHY}'
    assert finalizer_warning("hold.example.com") == (
        f'metadata.finalizers: "hold.example.com": {PREFER} including a path (/) {WHY}'
    )

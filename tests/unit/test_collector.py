"""The garbage collector rests while much is made, and is then as it was."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from windlass._collector import collector_at_rest
from windlass._lazy import attributes


@pytest.fixture(autouse=True)
def _undone() -> Iterator[None]:
    enabled = gc.isenabled()
    yield
    (gc.enable if enabled else gc.disable)()


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_rests_and_is_then_as_it_was(enabled: bool) -> None:  # noqa: FBT001 - a case
    (gc.enable if enabled else gc.disable)()

    with collector_at_rest():
        inside = gc.isenabled()

    assert (inside, gc.isenabled()) == (False, enabled)


def test_the_collector_works_again_after_a_failure() -> None:
    gc.enable()

    with pytest.raises(KeyError), collector_at_rest():
        raise KeyError

    assert gc.isenabled()


def test_a_rest_within_a_rest_ends_with_the_outer_one() -> None:
    gc.enable()

    with collector_at_rest():
        with collector_at_rest():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_made_is_kept_with_what_is_old() -> None:
    gc.enable()

    with collector_at_rest():
        made = [[index] for index in range(100)]

    old = {id(each) for each in gc.get_objects(generation=2)}
    assert {id(each) for each in made} <= old


def test_what_somebody_froze_stays_frozen() -> None:
    gc.enable()
    made: list[None] = []
    gc.freeze()
    try:
        with collector_at_rest():
            pass
        watched = {id(each) for each in gc.get_objects()}
    finally:
        gc.unfreeze()

    assert id(made) not in watched


def test_a_module_is_imported_while_the_collector_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made_for_collector.py").write_text("import gc\ncollecting = gc.isenabled()\n")
    monkeypatch.syspath_prepend(tmp_path)
    gc.enable()
    load, _ = attributes(__name__, {"collecting": "made_for_collector"})

    assert load("collecting") is False
    assert gc.isenabled()

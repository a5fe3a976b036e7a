import pytest

from windlass.apiserver.builtin import kinds
from windlass.apiserver.subresource.registry import handler

NAMES = {name for each in kinds() for name in each.subresources} - {"status"}


@pytest.mark.parametrize("name", sorted(NAMES | {"bindings"}))
def test_every_subresource_of_a_built_in_kind_is_answered_for(name: str) -> None:
    assert callable(handler(name))

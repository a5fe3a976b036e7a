import pytest

from preview import Preview, add_to
from preview.types import PreviewSpec
from preview.webhook import CREATED_BY
from windlass import ApiError, ObjectMeta
from windlass.testing import Starter


async def test_a_preview_notes_its_author_and_is_of_our_registry(operator: Starter) -> None:
    async with operator(add_to) as trial:
        spec = PreviewSpec(image="example.com/shop:pr-42")
        made = await trial.client.create(Preview(metadata=ObjectMeta(name="shop-42"), spec=spec))
        assert made.metadata.annotations[CREATED_BY]

        made.spec.image = "elsewhere.example/shop:pr-42"
        with pytest.raises(ApiError, match="is not from"):
            await trial.client.update(made)

import pytest

from preview import PreviewController


@pytest.fixture
def controller() -> PreviewController:
    """What is tested."""
    return PreviewController()

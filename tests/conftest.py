"""Settings that all tests share."""

from hypothesis import HealthCheck, settings

from grouping import pytest_collection_modifyitems, pytest_sessionfinish  # noqa: F401 - hooks for all tests

# No deadline: machines are noisy, and no test asserts a time.
_common = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples each time, so that a change fails only by its own fault; `make soak` goes by chance.
settings.register_profile("default", parent=_common, derandomize=True)
settings.register_profile("soak", parent=_common, derandomize=False, print_blob=True, max_examples=20_000)
settings.load_profile("default")

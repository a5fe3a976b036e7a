"""Settings that all tests share."""

from hypothesis import HealthCheck, settings

# No deadline: machines are noisy, and no test asserts a time. `make soak` takes the second one.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", parent=settings.get_profile("default"), max_examples=20_000)
settings.load_profile("default")

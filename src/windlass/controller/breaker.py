# stand-in
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class BreakerOptions:
    pass


class Breaker:
    def __init__(self, options, clock):
        pass

    def forget(self, key):
        pass

    def ran(self, key, causes, writes):
        return None

    def held(self, key):
        return timedelta()

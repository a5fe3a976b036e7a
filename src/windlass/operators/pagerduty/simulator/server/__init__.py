"""A simulated account over HTTP: PagerDuty's REST API for programs, a page for people.

    async with serving(account, port=8085) as url:
        ...

It is for your own machine: the API asks for a key, the page for none.
"""

from windlass.operators.pagerduty.simulator.server.site import serving

__all__ = ["serving"]

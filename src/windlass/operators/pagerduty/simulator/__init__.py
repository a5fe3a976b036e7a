"""PagerDuty on your own machine: an account in memory that answers as PagerDuty's REST API does.

For tests and for demonstrations, where a real account would be slow, shared and not yours to break. In one
process a client reaches it by a wire, on virtual time if it must be:

    account = Account(clock=SystemClock(), random=Random(4711))
    account.allow("secret")
    wire = AccountWire(account)

`windlass pagerduty-simulator` serves it over HTTP, with a page that shows the account. It checks what
PagerDuty checks: keys and versions, required fields, names, references, what is in use, how fast one asks.
What goes wrong at PagerDuty goes wrong here when asked to: see `Weather` for chance, and `Faults.plant` for
one thing at a time.

Incidents are opened by people, listed and resolved; there are no events and no alerts. It knows the routes
that the operator uses, not all of them.
"""

from windlass.operators.pagerduty.simulator.account import Account, AccountOptions
from windlass.operators.pagerduty.simulator.books import Books, Limits
from windlass.operators.pagerduty.simulator.collection import Collection, Record
from windlass.operators.pagerduty.simulator.faults import FAIR, Fault, Faults, Weather
from windlass.operators.pagerduty.simulator.furnish import furnish
from windlass.operators.pagerduty.simulator.hand import ByHand
from windlass.operators.pagerduty.simulator.journal import Exchange, Journal
from windlass.operators.pagerduty.simulator.rate import RateLimit
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.wire import AccountWire

__all__ = [
    "FAIR",
    "Account",
    "AccountOptions",
    "AccountWire",
    "Books",
    "ByHand",
    "Collection",
    "Exchange",
    "Fault",
    "Faults",
    "Journal",
    "Limits",
    "RateLimit",
    "Record",
    "Refusal",
    "Weather",
    "furnish",
]

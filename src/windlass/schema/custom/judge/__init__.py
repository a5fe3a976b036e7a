"""Judging values by a schema: what is wrong with them, in the words and the order of an API server.

A schema is compiled once into a `Judge`; a valid value then costs little more than the walk through it. Paths
and messages are only made for what is wrong.
"""

from windlass.schema.custom.judge.compile import Judge as Judge
from windlass.schema.custom.judge.compile import Reading as Reading
from windlass.schema.custom.judge.complaint import Complaint as Complaint
from windlass.schema.custom.judge.container import judged as judged
from windlass.schema.custom.judge.ratchet import Link as Link
from windlass.schema.custom.judge.ratchet import by_key as by_key
from windlass.schema.custom.judge.ratchet import key_of as key_of
from windlass.schema.custom.judge.ratchet import values_of as values_of

__all__ = ["Complaint", "Judge", "Link", "Reading", "by_key", "judged", "key_of", "values_of"]

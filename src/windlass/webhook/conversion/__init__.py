"""Conversion between the versions of a kind: one is the hub, and the others know the way to it and back.

You need it when a kind is served in several versions that differ in more than their name. `Conversion` is
the declaration and the webhook in one. What a version cannot say is kept in an annotation, so that a client
which reads and writes an old version takes nothing away from a new one.

    Conversion(hub=v1.WebApp, spokes=(Spoke(v1beta1.WebApp, to_hub=upgraded, from_hub=downgraded),))

`windlass.testing.check_conversion` proves one on objects of all its versions.
"""

from windlass.webhook.conversion.declare import Conversion
from windlass.webhook.conversion.difference import Difference, differences
from windlass.webhook.conversion.kept import annotation_of
from windlass.webhook.conversion.placeholder import AnyMetadata
from windlass.webhook.conversion.spoke import Spoke

__all__ = ["AnyMetadata", "Conversion", "Difference", "Spoke", "annotation_of", "differences"]

"""What is accepted, but not well: the warnings that come with the answer to a write.

    warn = warnings_for("apps/Deployment")
    texts = list(warn(deployment, None))

Each kind that warns has a function of the new object and the old one, which is `None` for a new object; most
kinds have none. `warning_headers` are what they are sent in.
"""

from windlass.apiserver.warning.header import warning_headers
from windlass.apiserver.warning.registry import warnings_for

__all__ = ["warning_headers", "warnings_for"]

"""What a Python type says beyond its schema, served as webhooks without more code.

A structural schema has no place for a default that is made anew each time, for one that depends on other
fields, or for a validator in Python. `defaulting` fills in the former and applies what validators change;
`validation` refuses what they refuse.

    server = WebhookServer([defaulting(WebApp), validation(WebApp)])
"""

from windlass.webhook.typed.hook import defaulting, validation

__all__ = ["defaulting", "validation"]

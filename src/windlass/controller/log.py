"""Log lines that carry what they are about."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

FIELDS = "windlass"
"""The attribute of a log record that holds its fields."""


class BoundLogger(logging.LoggerAdapter[logging.Logger]):
    """A logger whose every line carries some fields; `extra` of a call adds to them."""

    def __init__(self, logger: logging.Logger, fields: Mapping[str, Any]) -> None:
        super().__init__(logger)
        self.fields = fields

    @override
    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        extra = kwargs.get("extra") or {}
        kwargs["extra"] = {**extra, FIELDS: {**self.fields, **extra.get(FIELDS, {})}}
        return msg, kwargs



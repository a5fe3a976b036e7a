from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from random import Random

    from windlass.aio import Clock
    from windlass.client import Client


@dataclass(frozen=True, kw_only=True)
class CacheOptions:
    """How much a cache may hold, and how it follows the server.

    `budget`: bytes for all objects together; past it the largest kind is reduced to its metadata, and read
    from the server when more is wanted. None: no limit.
    `idle`: a watch that is silent for longer is given up and begun anew; a server sends something at least
    every minute or so.
    `page_size`: objects to a page, where a server cannot stream a list.

    Raises:
        ConfigError: a value leaves no room.
    """

    budget: int | None = None
    idle: timedelta = timedelta(minutes=2, seconds=30)
    page_size: int = 500

    def __post_init__(self) -> None:
        if self.budget is not None and self.budget <= 0:
            raise ConfigError(f"budget must be a number of bytes, or None for no limit, not {self.budget}")
        if self.idle <= timedelta():
            raise ConfigError(f"idle must be longer than nothing, not {self.idle.total_seconds():g} s")
        if self.page_size <= 0:
            raise ConfigError(f"page_size must be at least 1, not {self.page_size}")


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What the parts of a cache have of the world. The client sends nothing again: back-off is ours."""

    client: Client
    options: CacheOptions
    clock: Clock
    random: Random

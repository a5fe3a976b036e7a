"""The type of options that are a time: `10s`, `1m30s`, as Go writes it."""

from __future__ import annotations

from datetime import timedelta

import click
from typing_extensions import override

from windlass.api import parse_duration


class Duration(click.ParamType):  # type: ignore[type-arg]  # only in some releases has it any
    """Reads a duration as Go writes it."""

    name = "duration"

    @override
    def convert(
        self, value: str | timedelta, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        try:
            return value if isinstance(value, timedelta) else parse_duration(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

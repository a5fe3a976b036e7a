"""Time: an object that is looked at again, and all of them on weekdays at nine.

Run `windlass run examples/timer.py`, and apply a Reminder with `spec.every: 10s`. `kubectl describe
reminder` shows an Event every ten seconds, merged into one that counts. At nine in Berlin each has one more,
whatever its period.
"""

from datetime import timedelta

from windlass import Condition, Context, Duration, Field, Reconciler, Resource, Result, Spec, Status, Time
from windlass.reconcile import Cron


class ReminderSpec(Spec):
    """When to remind, and of what."""

    every: Duration = timedelta(hours=1)
    text: str = "stand up"


class ReminderStatus(Status):
    """When it last did."""

    reminded: Time | None = None
    conditions: list[Condition] = []


class Reminder(Resource, group="demo.example.com", version="v1"):
    """An Event that repeats."""

    spec: ReminderSpec = Field(default_factory=ReminderSpec)
    status: ReminderStatus = Field(default_factory=ReminderStatus)


class ReminderController(Reconciler[Reminder]):
    """Reminds people."""

    sources = (Cron("0 9 * * mon-fri", "Europe/Berlin"),)

    async def reconcile(self, reminder: Reminder, ctx: Context) -> Result[ReminderStatus]:
        last = reminder.status.reminded
        left = timedelta() if last is None else last + reminder.spec.every - ctx.now
        if left > timedelta() and not any(cause.event.startswith("cron") for cause in ctx.causes):
            return Result.ready(ReminderStatus(reminded=last), again=left)
        ctx.event("Reminder", reminder.spec.text)
        return Result.ready(ReminderStatus(reminded=ctx.now), again=reminder.spec.every)

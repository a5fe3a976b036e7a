# stand-in
import asyncio


class EventRecorder:
    def __init__(self, client, component, *, clock, random):
        self.told = []

    def event(self, kind, obj, reason, message, *, warning=False):
        self.told.append((reason, message))

    async def run(self):
        await asyncio.Event().wait()

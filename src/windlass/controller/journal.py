# stand-in
from __future__ import annotations
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


class Recorder:
    def __init__(self, controller, item, started, random):
        self.id = str(UUID(int=random.getrandbits(128), version=4))
        self.reads = []
        self.writes = []
        self.effects = []

    @property
    def write_count(self):
        return len(self.writes)

    def read(self, kind, key):
        self.reads.append((kind, key))

    def wrote(self, verb, kind, key, old, new):
        self.writes.append((verb, kind, key, old, new))

    def effect(self, what, outcome, why=""):
        self.effects.append((what, outcome))

    def run(self, exit_, took):
        return (self, exit_, took)


class Journal:
    def __init__(self):
        self.all = []

    def add(self, run):
        self.all.append(run)

    def find(self, controller, namespace, name):
        return []

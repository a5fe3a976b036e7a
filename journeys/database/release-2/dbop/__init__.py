"""Runs databases: a StatefulSet with its Services, a generated password and scheduled backups."""

from pathlib import Path

from dbop.adapter import FolderStore
from dbop.controller import DatabaseController
from dbop.conversion import CONVERSION
from dbop.webhook import keep_replicas, with_storage_class
from windlass import Manager
from windlass.webhook import WebhookServer

__all__ = ["add_to"]


def add_to(manager: Manager) -> None:
    """Add the controller, its webhooks and the conversion to a manager."""
    manager.add(DatabaseController(FolderStore(Path("backups"))))
    WebhookServer([with_storage_class, keep_replicas, CONVERSION]).add_to(manager)

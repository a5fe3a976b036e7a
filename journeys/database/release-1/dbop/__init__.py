"""Runs databases: a StatefulSet with its Services, a generated password and scheduled backups."""

from pathlib import Path

from dbop.adapter import FolderStore
from dbop.controller import DatabaseController
from dbop.webhook import keep_replicas, with_storage_class
from windlass import Manager
from windlass.webhook import WebhookServer

__all__ = ["add_to"]


def add_to(manager: Manager) -> None:
    """Add the controller and its webhooks to a manager."""
    manager.add(DatabaseController(FolderStore(Path("backups"))))
    WebhookServer([with_storage_class, keep_replicas]).add_to(manager)

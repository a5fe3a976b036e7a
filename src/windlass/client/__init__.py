"""Talks to an API server: one verb per method, typed by kind.

You need it to read and write objects. It keeps no state but connections; for reads from memory there is the
cache, for a loop around changes the controller.

    async with connect() as client:
        for pod in await client.list(Pod, "default", labels="app=web"):
            print(pod.status.phase)
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.client.action import evict as evict
    from windlass.client.action import get_scale as get_scale
    from windlass.client.action import request_token as request_token
    from windlass.client.action import set_scale as set_scale
    from windlass.client.client import Client as Client
    from windlass.client.config import ClusterConfig as ClusterConfig
    from windlass.client.config import Impersonation as Impersonation
    from windlass.client.connect import connect as connect
    from windlass.client.credentials import FixedCredentials as FixedCredentials
    from windlass.client.discovery import Served as Served
    from windlass.client.discovery import Survey as Survey
    from windlass.client.discovery import discover as discover
    from windlass.client.discovery import find_kind as find_kind
    from windlass.client.discovery import server_version as server_version
    from windlass.client.discovery import survey as survey
    from windlass.client.http import HttpTransport as HttpTransport
    from windlass.client.in_cluster import pod_namespace as pod_namespace
    from windlass.client.interface import Deleter as Deleter
    from windlass.client.interface import Reader as Reader
    from windlass.client.interface import Updater as Updater
    from windlass.client.interface import Watcher as Watcher
    from windlass.client.interface import Writer as Writer
    from windlass.client.loader import load_config as load_config
    from windlass.client.log import LogOptions as LogOptions
    from windlass.client.log import read_logs as read_logs
    from windlass.client.options import DeleteOptions as DeleteOptions
    from windlass.client.options import JsonPatch as JsonPatch
    from windlass.client.options import ListOptions as ListOptions
    from windlass.client.options import MergePatch as MergePatch
    from windlass.client.options import Patch as Patch
    from windlass.client.options import StrategicPatch as StrategicPatch
    from windlass.client.options import WatchOptions as WatchOptions
    from windlass.client.options import WriteOptions as WriteOptions
    from windlass.client.result import Event as Event
    from windlass.client.result import Listing as Listing
    from windlass.client.retry import NO_RETRY as NO_RETRY
    from windlass.client.retry import Retry as Retry
    from windlass.client.session import ClientOptions as ClientOptions
    from windlass.client.stale import Stale as Stale
    from windlass.client.stale import stale_definitions as stale_definitions
    from windlass.client.subresource import SubresourceClient as SubresourceClient
    from windlass.client.transport import Request as Request
    from windlass.client.transport import Response as Response
    from windlass.client.transport import Stream as Stream
    from windlass.client.transport import Transport as Transport

__lazy__ = {
    "Client": "windlass.client.client",
    "ClientOptions": "windlass.client.session",
    "ClusterConfig": "windlass.client.config",
    "DeleteOptions": "windlass.client.options",
    "Event": "windlass.client.result",
    "FixedCredentials": "windlass.client.credentials",
    "HttpTransport": "windlass.client.http",
    "Impersonation": "windlass.client.config",
    "JsonPatch": "windlass.client.options",
    "ListOptions": "windlass.client.options",
    "Listing": "windlass.client.result",
    "LogOptions": "windlass.client.log",
    "MergePatch": "windlass.client.options",
    "NO_RETRY": "windlass.client.retry",
    "Patch": "windlass.client.options",
    "Deleter": "windlass.client.interface",
    "Reader": "windlass.client.interface",
    "Updater": "windlass.client.interface",
    "Request": "windlass.client.transport",
    "Response": "windlass.client.transport",
    "Retry": "windlass.client.retry",
    "Stale": "windlass.client.stale",
    "stale_definitions": "windlass.client.stale",
    "Served": "windlass.client.discovery",
    "Survey": "windlass.client.discovery",
    "survey": "windlass.client.discovery",
    "StrategicPatch": "windlass.client.options",
    "Stream": "windlass.client.transport",
    "SubresourceClient": "windlass.client.subresource",
    "Transport": "windlass.client.transport",
    "WatchOptions": "windlass.client.options",
    "Watcher": "windlass.client.interface",
    "WriteOptions": "windlass.client.options",
    "Writer": "windlass.client.interface",
    "connect": "windlass.client.connect",
    "discover": "windlass.client.discovery",
    "evict": "windlass.client.action",
    "find_kind": "windlass.client.discovery",
    "get_scale": "windlass.client.action",
    "load_config": "windlass.client.loader",
    "read_logs": "windlass.client.log",
    "pod_namespace": "windlass.client.in_cluster",
    "request_token": "windlass.client.action",
    "server_version": "windlass.client.discovery",
    "set_scale": "windlass.client.action",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)

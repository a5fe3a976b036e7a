"""A store on disk: a folder, of which one process at a time may be the owner, with an SQLite database in it.

    folder = Folder(Path("data"))
    server = ApiServer(ServerOptions(world=World(store=folder.store)))
    ...
    await folder.close()

The store itself stays in memory; every change is written behind it, and `Journal.durable` tells when it is
safe. How and why is on the page `docs/design/durability.md`.
"""

from windlass.apiserver.disk.folder import Folder

__all__ = ["Folder"]

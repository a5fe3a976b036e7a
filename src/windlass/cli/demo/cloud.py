"""A cloud that is a folder: `python -m windlass.cli.demo.cloud FOLDER INSTANCE` deletes one of its files."""

import sys
from pathlib import Path


def main() -> None:
    """Delete an instance; one that is not there is gone already."""
    folder, instance = Path(sys.argv[1]), sys.argv[2]
    (folder / instance).unlink(missing_ok=True)


if __name__ == "__main__":
    main()

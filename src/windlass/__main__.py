"""The program `windlass`, which is also `python -m windlass`."""

from windlass._early import exit_on_signals


def main() -> None:
    """Run the command line. A signal that comes while it is loaded ends it without a traceback."""
    exit_on_signals()
    from windlass.cli import main as command  # takes a while

    command()


if __name__ == "__main__":
    main()

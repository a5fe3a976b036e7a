"""Helm's post-renderer: hands what a chart renders to the operator, and prints what the operator answers.

It is run by the path of this file (`python -I -S relay.py SOCKET`), by Helm. In Python and not in sh, because
a Python is certainly there and a shell is not, and because a socket tells that the operator is gone. Nothing
for an answer is a refusal.
"""

from __future__ import annotations

import shutil
import socket
import sys


def main() -> None:
    """Pass the standard input on; the argument is the path of the operator's socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as operator:
        operator.connect(sys.argv[1])
        with operator.makefile("rwb") as talk:
            shutil.copyfileobj(sys.stdin.buffer, talk)
            talk.flush()
            operator.shutdown(socket.SHUT_WR)
            answer = talk.read()
    if not answer:
        sys.exit("the operator refused to change these objects")
    sys.stdout.buffer.write(answer)


if __name__ == "__main__":
    main()

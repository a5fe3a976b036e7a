from __future__ import annotations

import csv

from windlass.testing.start import token_file


def test_the_token_file_reads_back_as_token_user_uid_and_groups() -> None:
    text = token_file(
        {"admin": "s3cret", "nobody": "n0thing"}, {"admin": ("system:masters", "ops"), "nobody": ()}
    )

    assert list(csv.reader(text.splitlines())) == [
        ["s3cret", "admin", "admin", "system:masters,ops"],
        ["n0thing", "nobody", "nobody"],
    ]

import re

from windlass.apiserver.discovery import release


def test_the_release_is_one_of_kubernetes_that_clients_can_compare() -> None:
    found = release()

    assert re.fullmatch(r"v1\.36\.\d+\+[0-9A-Za-z.-]+", found["gitVersion"])
    assert (found["major"], found["minor"]) == ("1", "36")
    assert re.fullmatch(r"\w+/\w+", found["platform"])
    assert all(found.values())

from windlass.apiserver.access.memo import Memo
from windlass.apiserver.store import Collection, Store


def test_what_was_made_is_kept_until_the_collection_changes() -> None:
    collection = Store().collection("/things")
    made: list[str] = []

    def make(_collection: Collection, key: str) -> int:
        made.append(key)
        return len(made)

    memo = Memo(collection, make)

    assert [memo["a"], memo["a"], memo["b"]] == [1, 1, 2]
    collection.put("x", {"metadata": {}}, None)
    assert [memo["a"], memo["a"]] == [3, 3]


def test_nothing_is_a_value_too() -> None:
    made: list[str] = []
    memo = Memo(Store().collection("/things"), lambda _collection, key: made.append(key))

    assert [memo["a"], memo["a"]] == [None, None]
    assert made == ["a"]


def test_keys_without_number_do_not_fill_the_memory() -> None:
    made: list[str] = []
    memo = Memo(Store().collection("/things"), lambda _collection, key: made.append(key))

    for number in range(10_001):
        memo[f"{number}"]
    made.clear()
    memo["last"]
    memo["0"]

    assert made == ["last", "0"]

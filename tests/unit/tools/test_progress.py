from __future__ import annotations

from datetime import timedelta

from windlass.tools.progress import Progress


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_each_line_carries_the_time_since_the_start() -> None:
    lines: list[str] = []
    watch = Watch()
    progress = Progress(lines.append, monotonic=watch)
    progress.say("etcd: downloading")
    watch.now += 61.25
    progress.say("etcd: installed")
    assert lines == ["   0.0 s  etcd: downloading", "  61.2 s  etcd: installed"]
    assert progress.elapsed == timedelta(seconds=61.25)


def test_a_sign_of_life_is_given_only_after_a_beat_of_silence() -> None:
    lines: list[str] = []
    watch = Watch()
    progress = Progress(lines.append, beat=timedelta(seconds=10), monotonic=watch)
    progress.say("building")
    watch.now += 9
    progress.still("still building")
    watch.now += 1
    progress.still("still building")
    watch.now += 9
    progress.still("still building")
    assert lines == ["   0.0 s  building", "  10.0 s  still building"]

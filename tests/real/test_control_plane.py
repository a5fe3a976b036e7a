"""The control plane for tests, itself tested: what it offers, and that nothing of it stays behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import ssl
import subprocess
import sys
import time
from contextlib import suppress
from datetime import timedelta
from http.client import HTTPSConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from windlass.client import connect, load_config
from windlass.errors import ToolError, WindlassError
from windlass.kinds.core.v1 import Node
from windlass.testing import Access, ControlPlane, ControlPlaneOptions, start_control_plane
from windlass.testing.namespace import create_namespace, delete_namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

pytestmark = [
    pytest.mark.usefixtures("control_plane"),  # without one asked for, skip the whole file
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds processes through /proc"),
]

PATIENCE = 30.0
STREAMING_LIST = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
STARTER = """
import json, signal, sys
from windlass.testing import start_control_plane

running = start_control_plane()
print(json.dumps({"folder": str(running.access.folder), "pids": running.pids}), flush=True)
if "raise" in sys.argv:
    sys.stdin.readline()
    raise RuntimeError("oops")
signal.pause()
"""


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended but was not yet collected by its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def remains(folder: Path) -> list[str]:
    """What is left of a control plane: its folder, and processes that were given the folder or work in it."""
    found = [str(folder)] if folder.exists() else []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdecimal() and alive(int(process.name)):
                command = (process / "cmdline").read_bytes().split(b"\0")
                if (process / "cwd").readlink() == folder or str(folder).encode() in command:
                    found.append(" ".join(part.decode() for part in command))
    return found


def command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def works_in(folder: Path, cwd: Path) -> bool:
    with suppress(OSError):
        return cwd.readlink() == folder
    return False


def call(access: Access, path: str, **how: Any) -> tuple[int, Any]:
    """One request; `how`: `token` (None for none), `certificate` (its folder), `method`, `body`, `host`."""
    context = ssl.create_default_context(cadata=access.ca)
    if "certificate" in how:
        context.load_cert_chain(how["certificate"] / "crt", how["certificate"] / "key")
    port = int(access.server.rpartition(":")[2])
    connection = HTTPSConnection(how.get("host", "127.0.0.1"), port, context=context, timeout=PATIENCE)
    headers = {"Content-Type": "application/json"}
    token = how.get("token", access.token())
    if token and "certificate" not in how:
        headers["Authorization"] = f"Bearer {token}"
    try:
        body = json.dumps(how["body"]) if "body" in how else None
        connection.request(how.get("method", "GET"), path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def who_am_i(access: Access, **how: Any) -> tuple[int, Any]:
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    path = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
    code, answer = call(access, path, method="POST", body=review, **how)
    return code, answer["status"]["userInfo"] if code == 201 else answer


def child_environment() -> dict[str, str]:
    """The environment without what this run of pytest has added for itself."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


@pytest.fixture
def launch() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a program whose standard input and output are pipes; it is killed at the end of the test."""
    launched: list[subprocess.Popen[str]] = []

    def start(*command: str, cwd: Path | None = None) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=cwd,
            env=child_environment(),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        launched.append(process)
        return process

    yield start
    for process in launched:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_the_first_objects_exist_when_the_fixture_is_there(control_plane: Access) -> None:
    assert call(control_plane, "/api/v1/namespaces/default")[0] == 200
    assert call(control_plane, "/api/v1/namespaces/default/services/kubernetes")[0] == 200


def test_the_server_is_of_the_series_that_is_promised(control_plane: Access) -> None:
    _, version = call(control_plane, "/version")

    assert (version["major"], version["minor"]) == ("1", "36")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_certificate_is_valid_for_each_name_of_the_machine(control_plane: Access, host: str) -> None:
    assert call(control_plane, "/version", host=host)[0] == 200


def test_the_kubeconfig_file_is_for_the_administrator(control_plane: Access) -> None:
    config = yaml.safe_load(control_plane.kubeconfig.read_text())

    assert config["clusters"][0]["cluster"]["server"] == control_plane.server
    assert config["users"][0]["user"]["token"] == control_plane.token("admin")
    assert control_plane.kubeconfig.stat().st_mode & 0o077 == 0


def test_a_list_can_be_streamed(control_plane: Access) -> None:
    context = ssl.create_default_context(cadata=control_plane.ca)
    connection = HTTPSConnection(
        control_plane.server.removeprefix("https://"), context=context, timeout=PATIENCE
    )
    headers = {"Authorization": f"Bearer {control_plane.token()}"}
    connection.request("GET", f"/api/v1/namespaces?{STREAMING_LIST}", headers=headers)
    answer = connection.getresponse()
    kinds = []
    while "BOOKMARK" not in kinds:
        kinds.append(json.loads(answer.readline())["type"])
    answer.close()
    connection.close()

    assert kinds.count("ADDED") >= 4  # default and the three kube-… namespaces


def test_the_administrator_may_do_everything_and_nobody_nothing(control_plane: Access) -> None:
    assert call(control_plane, "/api/v1/nodes", token=control_plane.token("admin"))[0] == 200
    assert call(control_plane, "/api/v1/nodes", token=control_plane.token("nobody"))[0] == 403
    assert call(control_plane, "/api/v1/nodes", token="made-up")[0] == 401


def test_anybody_may_ask_for_the_version(control_plane: Access) -> None:
    assert call(control_plane, "/version", token=None)[0] == 200


def test_nobody_is_in_no_group_but_that_of_all_users(control_plane: Access) -> None:
    code, who = who_am_i(control_plane, token=control_plane.token("nobody"))

    assert code == 201
    assert (who["username"], who["groups"]) == ("nobody", ["system:authenticated"])


def test_a_client_certificate_makes_one_its_user_in_its_groups(control_plane: Access, tmp_path: Path) -> None:
    pair = control_plane.user_certificate("alice", ["shop"])
    (tmp_path / "crt").write_text(pair.certificate)
    (tmp_path / "key").write_text(pair.key)

    code, who = who_am_i(control_plane, certificate=tmp_path)

    assert code == 201
    assert (who["username"], who["groups"]) == ("alice", ["shop", "system:authenticated"])


def test_an_expired_client_certificate_is_refused(control_plane: Access, tmp_path: Path) -> None:
    pair = control_plane.user_certificate("alice", ["system:masters"], timedelta(hours=-1))
    (tmp_path / "crt").write_text(pair.certificate)
    (tmp_path / "key").write_text(pair.key)

    assert who_am_i(control_plane, certificate=tmp_path)[0] == 401


def test_a_namespace_is_there_for_the_test(control_plane: Access, namespace: str) -> None:
    code, found = call(control_plane, f"/api/v1/namespaces/{namespace}")

    assert (code, found["status"]["phase"]) == (200, "Active")


def test_each_namespace_is_new_and_deleted_without_waiting(control_plane: Access) -> None:
    one, two = create_namespace(control_plane), create_namespace(control_plane)

    delete_namespace(control_plane, one)

    assert one != two
    code, found = call(control_plane, f"/api/v1/namespaces/{one}")
    assert code == 404 or found["metadata"]["deletionTimestamp"]
    assert call(control_plane, f"/api/v1/namespaces/{two}")[1]["status"]["phase"] == "Active"
    delete_namespace(control_plane, two)


def test_a_pod_can_be_created_at_once_in_a_fresh_namespace(control_plane: Access, namespace: str) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [CONTAINER]}}

    code, answer = call(control_plane, f"/api/v1/namespaces/{namespace}/pods", method="POST", body=pod)

    assert code == 201, answer


CONTAINER = {"name": "a", "image": "example.com/a"}


async def test_users_flags_and_feature_gates_reach_the_server() -> None:
    options = ControlPlaneOptions(
        users={"alice": ("shop",)},
        feature_gates={"WatchList": False},
        apiserver_flags=("--anonymous-auth=false",),
    )
    async with ControlPlane(options) as access:
        code, who = await asyncio.to_thread(who_am_i, access, token=access.token("alice"))
        streamed, refusal = await asyncio.to_thread(call, access, f"/api/v1/namespaces?{STREAMING_LIST}")
        anonymous, _ = await asyncio.to_thread(call, access, "/version", token=None)
        folder = access.folder

    assert (code, who["groups"]) == (201, ["shop", "system:authenticated"])
    assert streamed == 422, refusal
    assert "WatchList" in refusal["message"]
    assert anonymous == 401
    assert not folder.exists()


async def test_with_controllers_objects_come_alive() -> None:
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [CONTAINER]}}
    spec = {"selector": {"matchLabels": {"app": "a"}}, "template": template}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": spec}

    def try_it(access: Access) -> tuple[bool, bool]:
        namespace = create_namespace(access)
        path = f"/apis/apps/v1/namespaces/{namespace}/deployments"
        assert call(access, path, method="POST", body=deployment)[0] == 201

        def unschedulable() -> bool:
            _, pods = call(access, f"/api/v1/namespaces/{namespace}/pods")
            conditions = [each for pod in pods["items"] for each in pod["status"].get("conditions", [])]
            return any(each.get("reason") == "Unschedulable" for each in conditions)

        judged = eventually(unschedulable)  # made by the one, judged by the other
        delete_namespace(access, namespace)
        return judged, eventually(lambda: call(access, f"/api/v1/namespaces/{namespace}")[0] == 404)

    async with ControlPlane(ControlPlaneOptions(controllers=True)) as access:
        assert await asyncio.to_thread(try_it, access) == (True, True)


async def test_cancelling_a_start_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def use() -> None:
        async with ControlPlane():
            raise AssertionError("it was cancelled before")

    task = asyncio.create_task(use())
    found: list[Path] = []

    def apiserver_runs() -> bool:
        found.extend(log.parent for log in tmp_path.glob("*/kube-apiserver.log"))
        return bool(found)

    assert await asyncio.to_thread(eventually, apiserver_runs)
    folder = found[0]
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(eventually, lambda: not remains(folder))


def test_a_bad_flag_is_reported_quickly_with_command_and_last_words() -> None:

    with pytest.raises(ToolError) as raised:
        start_control_plane(ControlPlaneOptions(apiserver_flags=("--no-such-flag=1",)))

    message = str(raised.value)
    assert "kube-apiserver ended with exit code 1\ncommand: " in message
    assert "--no-such-flag=1" in message
    assert "unknown flag: --no-such-flag" in message


def test_a_start_that_takes_too_long_says_what_was_awaited() -> None:
    with pytest.raises(ToolError, match="did not get ready in time; the last answer: https://") as raised:
        start_control_plane(ControlPlaneOptions(start_timeout=timedelta(milliseconds=300)))

    assert "the end of etcd.log:" in str(raised.value)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=lambda end: end.name)
def test_nothing_is_left_when_the_process_that_started_it_is_ended(
    end: signal.Signals, launch: Callable[..., subprocess.Popen[str]]
) -> None:
    process = launch("-c", STARTER)
    told = told_by(process)
    assert all(alive(pid) for pid in told["pids"].values())

    process.send_signal(end)

    assert eventually(lambda: not remains(Path(told["folder"]))), remains(Path(told["folder"]))
    assert eventually(lambda: not any(alive(pid) for pid in told["pids"].values()))


def test_nothing_is_left_when_the_process_that_started_it_ends_in_an_error(
    launch: Callable[..., subprocess.Popen[str]],
) -> None:
    process = launch("-c", STARTER, "raise")
    told = told_by(process)

    printed, _ = process.communicate("\n", timeout=PATIENCE)

    assert "RuntimeError: oops" in printed
    assert eventually(lambda: not remains(Path(told["folder"]))), remains(Path(told["folder"]))


def test_nothing_is_left_when_the_supervisor_is_killed() -> None:
    with start_control_plane() as running:
        os.kill(running.pids["supervisor"], signal.SIGKILL)

        assert eventually(lambda: not remains(running.access.folder)), remains(running.access.folder)
        assert not any(alive(pid) for pid in running.pids.values())
        with pytest.raises(ToolError, match="the supervisor of the control plane is gone"):
            running.wait()


def test_a_killed_server_comes_back_on_its_port_with_its_objects_but_without_a_compacted_past() -> None:
    with start_control_plane() as running:
        access, etcd = running.access, running.pids["etcd"]
        path = "/api/v1/namespaces/default/configmaps"
        versions = [
            call(access, path, method="POST", body={"metadata": {"name": name}})[1]["metadata"]
            for name in ("a", "b")
        ]
        running.compact()
        running.kill()
        with pytest.raises(OSError, match="refused"):
            call(access, path)

        running.restart()

        assert running.pids["etcd"] == etcd
        names = {each["metadata"]["name"] for each in call(access, path)[1]["items"]}
        assert {"a", "b"} <= names
        past = versions[0]["resourceVersion"]
        event = call(access, f"{path}?watch=1&resourceVersion={past}&timeoutSeconds=5")[1]
        assert event["object"]["code"] == 410


def test_the_end_of_a_program_is_noticed_later_too() -> None:
    with start_control_plane() as running:
        os.kill(running.pids["kube-apiserver"], signal.SIGKILL)

        with pytest.raises(ToolError, match="kube-apiserver was ended by SIGKILL"):
            running.wait()


def told_by(process: subprocess.Popen[str]) -> Mapping[str, Any]:
    """The first line that a program prints, decoded."""
    assert process.stdout
    line = process.stdout.readline()
    try:
        told: Mapping[str, Any] = json.loads(line)
    except ValueError:
        pytest.fail(line + process.stdout.read())
    return told


def write_suite(folder: Path, test: str) -> tuple[str, ...]:
    """A test suite for a pytest of its own; returns the arguments that run it."""
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    (folder / "test_it.py").write_text(test)
    return "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", "--control-plane", "real"


SHARED = """
import pathlib, time

import pytest

@pytest.mark.parametrize("mine, other", ["ab", "ba"])
def test_two_workers_meet(control_plane, namespace, worker_id, mine, other):
    met = pathlib.Path(__file__).parent
    (met / f"{mine}.met").write_text(f"{worker_id} {control_plane.folder} {control_plane.server}")
    deadline = time.monotonic() + 30
    while not (met / f"{other}.met").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
"""

CRASH = """
import os, pathlib, signal

def test_kill_the_worker(control_plane):
    pathlib.Path(__file__).with_name("folder").write_text(str(control_plane.folder))
    os.kill(os.getpid(), signal.SIGKILL)

def test_another_worker_uses_it(control_plane, namespace):
    assert pathlib.Path(__file__).with_name("folder").read_text() == str(control_plane.folder)
"""

WAIT = """
import pathlib, signal

def test_wait(control_plane):
    pathlib.Path(__file__).with_name("folder.part").write_text(str(control_plane.folder))
    pathlib.Path(__file__).with_name("folder.part").rename(pathlib.Path(__file__).with_name("folder"))
    signal.pause()
"""


def test_all_workers_share_one_control_plane_and_it_is_stopped_after_the_run(
    tmp_path: Path, launch: Callable[..., subprocess.Popen[str]]
) -> None:
    printed, _ = launch(*write_suite(tmp_path, SHARED), "-n", "2", cwd=tmp_path).communicate(timeout=50)

    assert "2 passed" in printed, printed
    (worker_a, folder_a, server_a), (worker_b, folder_b, server_b) = (
        (tmp_path / name).read_text().split() for name in ("a.met", "b.met")
    )
    assert worker_a != worker_b
    assert (folder_a, server_a) == (folder_b, server_b)
    assert eventually(lambda: not remains(Path(folder_a))), remains(Path(folder_a))


def test_the_control_plane_outlives_a_worker_that_crashes(
    tmp_path: Path, launch: Callable[..., subprocess.Popen[str]]
) -> None:
    printed, _ = launch(*write_suite(tmp_path, CRASH), "-n", "1", cwd=tmp_path).communicate(timeout=50)

    assert "1 failed, 1 passed" in printed, printed
    folder = Path((tmp_path / "folder").read_text())
    assert eventually(lambda: not remains(folder)), remains(folder)


@pytest.mark.parametrize("workers", ["0", "1"])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=lambda end: end.name)
def test_nothing_is_left_of_a_run_that_is_ended(
    workers: str, end: signal.Signals, tmp_path: Path, launch: Callable[..., subprocess.Popen[str]]
) -> None:
    run = launch(*write_suite(tmp_path, WAIT), "-n", workers, cwd=tmp_path)
    assert eventually((tmp_path / "folder").exists)
    folder = Path((tmp_path / "folder").read_text())
    assert remains(folder)

    if end == signal.SIGINT:
        os.killpg(run.pid, end)  # as a terminal does it
    else:
        run.send_signal(end)

    assert eventually(lambda: not remains(folder)), remains(folder)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT], ids=lambda end: end.name)
def test_the_command_serves_until_it_is_told_to_stop(
    end: signal.Signals, tmp_path: Path, launch: Callable[..., subprocess.Popen[str]]
) -> None:
    file = tmp_path / "kubeconfig"
    script = "from windlass.cli import main; main()"
    process = launch("-c", script, "control-plane", "--no-controllers", "--kubeconfig", str(file))
    assert process.stdout
    said = ""
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line, said
        said += line
    mode = file.stat().st_mode & 0o777
    config = yaml.safe_load(file.read_text())

    process.send_signal(end)
    rest, _ = process.communicate(timeout=PATIENCE)

    folder = Path(said.partition("logs are in ")[2].partition(". Use")[0])
    assert (process.returncode, mode) == (0, 0o600), rest
    assert f"KUBECONFIG={file}" in said
    assert config["clusters"][0]["cluster"]["server"] in said
    assert not file.exists()
    assert eventually(lambda: not remains(folder)), remains(folder)


def test_the_command_starts_a_program_again_that_was_killed_and_its_nodes_stay(
    tmp_path: Path, launch: Callable[..., subprocess.Popen[str]]
) -> None:
    file = tmp_path / "kubeconfig"
    script = "from windlass.cli import main; main()"
    options = ["--restart", "--nodes", "2", "--label", "zone=a", "--kubeconfig", str(file)]
    process = launch("-c", script, "control-plane", *options)
    assert process.stdout
    said = ""
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line, said
        said += line
    folder = Path(said.partition("logs are in ")[2].partition(". Use")[0])

    def zones() -> list[str]:
        async def ask() -> list[str]:
            async with connect(load_config(file)) as client:
                return [each.metadata.labels["zone"] for each in await client.list(Node)]

        try:
            return asyncio.run(ask())
        except WindlassError:  # the server is away
            return []

    def server() -> int:
        found = [int(each.parent.name) for each in Path("/proc").glob("[0-9]*/cwd") if works_in(folder, each)]
        return next((pid for pid in found if alive(pid) and "kube-apiserver" in command(pid)), 0)

    assert eventually(lambda: zones() == ["a", "a"])
    killed = server()
    os.kill(killed, signal.SIGKILL)

    assert eventually(lambda: server() not in (0, killed))
    assert eventually(lambda: zones() == ["a", "a"])
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert eventually(lambda: not remains(folder)), remains(folder)

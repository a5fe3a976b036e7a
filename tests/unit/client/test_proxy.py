from __future__ import annotations

import pytest

from windlass.client.proxy import Proxy, proxy_from_environment
from windlass.errors import ConfigError

SERVER = "https://api.example.com:6443"


def found(server: str, **environment: str) -> str | None:
    proxy = proxy_from_environment(server, environment)
    return proxy.url if proxy else None


def test_each_scheme_has_its_variable_and_capitals_come_first() -> None:
    both = {"HTTPS_PROXY": "http://s:1", "HTTP_PROXY": "http://h:1", "https_proxy": "http://small:1"}
    assert found("https://api", **both) == "http://s:1"
    assert found("http://api", **both) == "http://h:1"
    assert found("https://api", https_proxy="http://small:1") == "http://small:1"
    assert found("https://api", HTTP_PROXY="http://h:1") is None


def test_an_address_without_a_scheme_is_an_http_proxy() -> None:
    assert found(SERVER, HTTPS_PROXY="proxy:3128") == "http://proxy:3128"


@pytest.mark.parametrize("server", ["https://localhost:1", "https://127.0.0.9:1", "https://[::1]:1"])
def test_the_machine_itself_is_reached_directly(server: str) -> None:
    assert found(server, HTTPS_PROXY="http://p:1") is None


@pytest.mark.parametrize(
    ("rules", "server", "direct"),
    [
        ("*", SERVER, True),
        ("example.com", SERVER, True),
        ("API.Example.COM", SERVER, True),
        ("other.com, example.com", SERVER, True),
        (".example.com", SERVER, True),
        ("*.example.com", SERVER, True),
        (".api.example.com", SERVER, False),
        ("ample.com", SERVER, False),
        ("example.com:6443", SERVER, True),
        ("example.com:443", SERVER, False),
        ("example.com:443", "https://example.com", True),
        ("10.0.0.0/8", "https://10.1.2.3:6443", True),
        ("10.0.0.0/8", "https://11.1.2.3:6443", False),
        ("10.0.0.0/8", SERVER, False),
        ("10.1.2.3", "https://10.1.2.3:6443", True),
        ("10.1.2.3:1", "https://10.1.2.3:6443", False),
        ("2.3", "https://10.1.2.3:6443", False),
        ("fd00::1", "https://[fd00::1]:6443", True),
        ("[fd00::1]:6443", "https://[fd00::1]:6443", True),
        ("[fd00::1]:1", "https://[fd00::1]:6443", False),
        ("fd00::/16", "https://[fd00::1]:6443", True),
        ("nonsense/99", SERVER, False),
        (",,", SERVER, False),
        ("", SERVER, False),
    ],
)
def test_no_proxy_lists_what_is_reached_directly(rules: str, server: str, direct: bool) -> None:  # noqa: FBT001
    assert (found(server, HTTPS_PROXY="http://p:1", NO_PROXY=rules) is None) is direct
    assert (found(server, HTTPS_PROXY="http://p:1", no_proxy=rules) is None) is direct


def test_a_variable_that_holds_no_address_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"variable HTTPS_PROXY: socks5h proxies are not supported"):
        found(SERVER, HTTPS_PROXY="socks5h://p:1")
    with pytest.raises(ConfigError, match=r"variable HTTPS_PROXY: .* not an http:// or https:// URL"):
        found(SERVER, HTTPS_PROXY="http://")


def test_the_text_of_a_proxy_shows_no_password() -> None:
    proxy = Proxy.parse("http://user:pa%40ss@proxy:3128", "x")
    assert str(proxy) == "http://proxy:3128"
    assert repr(proxy) == "Proxy('http://proxy:3128')"

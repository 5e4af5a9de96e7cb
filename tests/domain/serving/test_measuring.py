"""Lines that measure latency: a shell runs nothing but them, whatever a file names a city, a site or a host."""

import shutil
import subprocess

import pytest

from gpuplanner.domain.serving.measuring import city_line, is_host, measuring_of, site_line
from tests.domain.serving.small_places import city, site, world


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("fra.example.com", True),
        ("10.0.0.7", True),
        ("2001:db8::1", True),
        ("https://fra.example.com:8443/health?x=1&y=2", True),
        ("-f", False),
        ("a b", False),
        ("a;reboot", False),
        ("$(reboot)", False),
        ("https://x/'$(reboot)'", False),
        ("ftp://x", False),
        ("", False),
    ],
)
def test_a_host_is_a_name_or_an_address(text: str, *, right: bool) -> None:
    assert is_host(text) is right


def test_without_a_host_there_is_nothing_to_run() -> None:
    cities, sites = (city("Oslo", 5, "NO", 59.9, 10.7),), (site("eu", "DE", 50.1, 8.7, 100),)
    assert measuring_of(world(cities, sites, [])) is None


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell here")
@pytest.mark.parametrize("name", ["eu", "a b", "Val-d'Or", 'x"y', "$HOME", "`id`", "a;b", "\\\\"])
def test_a_shell_prints_the_names_as_they_are(name: str) -> None:
    """ping is a function that answers: no network is used."""
    line = site_line(name, "fra.example.com").removesuffix(">>latency.txt")
    answers = "ping() { echo sent; echo 'rtt min/avg/max/mdev = 1/2/3/4 ms'; }"
    script = f"{answers}\n{city_line(name, 'NO')}\n{line}"
    printed = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    cell = '"' + name.replace('"', '""') + '"' if ";" in name or '"' in name else name
    assert printed == f"latency;{cell};NO;{cell};rtt min/avg/max/mdev = 1/2/3/4 ms\n"

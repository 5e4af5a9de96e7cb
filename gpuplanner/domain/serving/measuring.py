"""Measuring latency: the users' cities, and one shell line per site to run in each of them.

The output of a line is a row `latency;CITY;COUNTRY;SITE;RESULT`, which imports as measured latency.
"""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.places import Places, Site, UserCity
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

MARK: Final = "latency"
"""First cell of a row of output."""
DIVIDER: Final = ";"
OUTPUT: Final = "latency.txt"
"""File that the lines append to."""
PINGS: Final = 10
HOW_TO: Final = worded(
    "Run in each city, after its FROM= line. Then import {file} as measured latency.", file=OUTPUT
)

_URL: Final = "https?://[A-Za-z0-9.:/_~%?&=+@,-]+"
_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9.-]*|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*"
_HOST: Final = lazy_re(f"{_URL}|{_NAME}")


def is_host(text: str) -> bool:
    """Whether a text is a host name, an IP address or a web address, without anything that a shell would run.

    >>> [is_host(text) for text in ("fra.example.com", "https://fra.example.com/ok", "10.0.0.7", "-c 9", "a;rm b")]
    [True, True, True, False, False]
    """
    return _HOST.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class CityLine:
    """A city of users. line: to run there first; it names the city in the output."""

    city: UserCity
    line: str


@dataclass(frozen=True, slots=True)
class SiteLine:
    """A site with a host. line: to run in each city."""

    site: Site
    line: str


@dataclass(frozen=True, slots=True)
class Measuring:
    """What to run where, in the order of the places: cities by users, sites by site_id."""

    cities: tuple[CityLine, ...]
    sites: tuple[SiteLine, ...]

    def text(self, about: str) -> str:
        """Return all lines, for a shell: those of cities as comments, of which the reader runs one.

        about: what to do with them, the first comment.
        """
        return "\n".join(
            (f"# {about}", *(f"# {city.line}" for city in self.cities), *(site.line for site in self.sites))
        )


def measuring_of(places: Places) -> Measuring | None:
    """Return what to run to measure the latency from the users' cities; None if no site has a host."""
    sites = tuple(SiteLine(site, site_line(site.site_id, site.host)) for site in places.sites if site.host)
    cities = tuple(CityLine(city, city_line(city.city, city.country)) for city in places.cities)
    return Measuring(cities, sites) if sites and cities else None


def city_line(city: str, country: str) -> str:
    """Return the line that names the city in a shell.

    >>> city_line("Oslo", "NO")
    "FROM='Oslo;NO'"
    """
    return f"FROM={_quoted(_cells((city, country)))}"


def site_line(site_id: str, host: str) -> str:
    """Return the line that measures the latency to a site: of a web address by curl, else by ping.

    >>> "ping -qc10 fra.example.com|" in site_line("eu", "fra.example.com")
    True
    >>> "curl " in site_line("eu", "https://fra.example.com")
    True
    """
    if host.startswith(("http://", "https://")):
        asked = f"curl -so/dev/null -w'%{{time_namelookup}} %{{time_connect}}' '{host}'"
    else:
        asked = f"ping -qc{PINGS} {host}|tail -n1"
    row = DIVIDER.join((MARK, "%s", "%s", "%s"))
    return f"""printf '{row}\\n' "$FROM" {_quoted(_cells((site_id,)))} "$({asked})">>{OUTPUT}"""


def _quoted(text: str) -> str:
    """A text in single quotes, in which a shell runs nothing."""
    return "'" + text.replace("'", "'\\''") + "'"


def _cells(texts: Sequence[str]) -> str:
    """Texts as cells of a row, quoted where a cell has the divider in it."""
    cells = (" ".join(text.split()) for text in texts)
    return DIVIDER.join(
        '"' + cell.replace('"', '""') + '"' if DIVIDER in cell or '"' in cell else cell for cell in cells
    )

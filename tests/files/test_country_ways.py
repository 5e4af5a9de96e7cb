"""Ways between countries: as rows, under the names that people give them, and as a table of countries by countries."""

import random
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.places import MeasuredTransit, Site, UserCity, places_of
from gpuplanner.domain.serving.transit import transit_table
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.lists.place_tables import import_places
from tests.files.job_logs.cluster_damage import check_read_or_refused, damaged_text

MATRIX = ",Germany,United States,France\nGermany,5,90,15\nUnited States,94,2,81\nFrance,14,80,4\n"
TWICE = "country,country,latency_ms\nDE,US,90\nFrance,USA,80\n"
WAYS = {
    "twice": (TWICE, "undecided"),
    "pings": ("source,destination,avg\nGermany,United States,90\nFrance,United States,80\n", "undecided"),
    "round trips": ("from_country;to_country;rtt_ms\nGermany;US;90\nFrance;US;80\n", "computed"),
    "one way": ("user_country,site_country,one_way_ms\nGermany,US,45\nFrance,US,40\n", ""),
    "matrix": (MATRIX, "undecided"),
}
CITIES = (
    UserCity(city="Berlin", country="Germany", latitude=52.5, longitude=13.4, users=Decimal(1000)),
    UserCity(city="Paris", country="France", latitude=48.9, longitude=2.35, users=Decimal(500)),
)
SITES = (
    Site(
        site_id="iad",
        city="Ashburn",
        country="United States",
        latitude=39.0,
        longitude=-77.5,
        is_current=True,
    ),
    Site(site_id="fra", city="Frankfurt", country="Germany", latitude=50.1, longitude=8.7),
)


def ways(*measured: MeasuredTransit) -> dict[tuple[str, str], Decimal]:
    places = places_of(CITIES, SITES, measured)
    found = transit_table(places).exact
    return {(places.cities[at].city, places.sites[site].site_id): ms for (at, site), ms in found.items()}


@pytest.mark.parametrize("name", WAYS)
def test_both_ends_are_matched_by_country(tmp_path: Path, name: str) -> None:
    text, code = WAYS[name]
    path = tmp_path / "ways.csv"
    path.write_text(text)
    (file,) = check_file(str(path))
    assert (file.kind, file.format, file.rows_accepted) == (
        "measured",
        "own_measured",
        3 if name == "matrix" else 2,
    )
    assert [issue.code for issue in file.issues] == ([code] if code else [])
    read = import_places(measured=[str(path)])
    assert read.measured is not None
    found = ways(*read.measured)
    assert (found["Berlin", "iad"], found["Paris", "iad"]) == (45, 40)


def test_what_is_measured_nearer_counts_more_and_a_way_counts_back() -> None:
    def country(begin: str, end: str, ms: int) -> MeasuredTransit:
        return MeasuredTransit(begin, end, Decimal(ms), begin)

    between = (country("Germany", "US", 45), country("Germany", "France", 8))
    assert ways(*between) == {("Berlin", "iad"): 45, ("Paris", "fra"): 8}
    assert ways(*between, country("France", "Germany", 9))["Paris", "fra"] == 9
    of_site = country("Germany", "iad", 44)
    assert ways(*between, of_site)["Berlin", "iad"] == 44
    of_city = MeasuredTransit("Berlin", "iad", Decimal(43))
    assert ways(*between, of_site, of_city)["Berlin", "iad"] == 43
    assert ways(MeasuredTransit("Germany", "iad", Decimal(1))) == {}


@given(st.integers(0, 2**32), st.sampled_from(sorted(WAYS)))
def test_whatever_happened_to_a_table_every_row_is_counted(
    tmp_path_factory: pytest.TempPathFactory, seed: int, name: str
) -> None:
    path = tmp_path_factory.mktemp("ways") / "ways.csv"
    path.write_bytes(damaged_text(WAYS[name][0], random.Random(seed)).encode("utf-8", "replace"))
    check_read_or_refused(lambda: check_file(str(path))[0])

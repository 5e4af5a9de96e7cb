"""Output of ping and curl as measured latency: half of each round trip; a site that did not answer is rejected."""

from decimal import Decimal
from pathlib import Path

import pytest

from gpuplanner.domain.model.places import MeasuredTransit
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.lists.latency_rows import round_trip_ms
from gpuplanner.files.lists.place_tables import import_places

ROWS = """latency;Oslo;NO;eu;rtt min/avg/max/mdev = 11.1/12.5/14.0/0.7 ms
latency;Oslo;us;round-trip min/avg/max/stddev = 98.0/100.2/110.9/3.1 ms

latency;"Val;d'Or";CA;us;0.004120 0.034120
latency;Lagos;NG;eu;
latency;Lagos;NG;us;0.000000 0.000000
latency;Oslo;NO;eu;rtt min/avg/max/mdev = 1/2/3/4 ms
"""


def test_rows_of_output_import_as_measured(tmp_path: Path) -> None:
    path = tmp_path / "latency.txt"
    path.write_text(ROWS, encoding="utf-8")
    found = recognise(str(path))
    assert (found.kind, found.format) == ("measured", "own_measured")
    read = import_places(measured=[str(path)])
    assert read.measured == (
        MeasuredTransit("Oslo", "eu", Decimal("6.25"), "NO"),
        MeasuredTransit("Oslo", "us", Decimal("50.1"), ""),
        MeasuredTransit("Val;d'Or", "us", Decimal("15"), "CA"),
    )
    (file,) = read.intake
    ends = (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate)
    assert ends == (6, 3, 2, 1)
    assert {issue.code for issue in file.issues} == {"bad_number", "computed"}


@pytest.mark.parametrize(
    ("result", "ms"),
    [
        ("rtt min/avg/max/mdev = 0.031/0.044/0.060/0.010 ms, pipe 2", Decimal("0.044")),
        ("round-trip min/avg/max = 9/10/12 ms", Decimal(10)),
        ("rtt min/avg/max/mdev = 11,1/12,5/14,0/0,7 ms", Decimal("12.5")),
        ("0.010 0.005", None),  # nothing was connected
        ("10 packets transmitted, 0 received, 100% packet loss", None),
        ("= 1.2.3/1.2.3/4", None),
    ],
)
def test_the_round_trip_is_the_mean_of_ping_or_the_connection_of_curl(
    result: str, ms: Decimal | None
) -> None:
    assert round_trip_ms(result) == ms


def test_a_host_that_a_shell_would_run_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "sites.csv"
    rows = "eu,50.1,8.7,fra.example.com\nus,39,-77,$(reboot)\n"
    path.write_text("site_id,latitude,longitude,host\n" + rows, encoding="utf-8")
    read = import_places(sites=[str(path)])
    assert [site.host for site in read.sites or ()] == ["fra.example.com", ""]
    assert "unknown_value" in {issue.code for issue in read.intake[0].issues}

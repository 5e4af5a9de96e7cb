"""Files that are known and are no log: what they say they are, and what they hold."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.lists.hemispheres import SIGNS_OF, is_sign_wrong
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import check_read_or_refused, check_rows_add_up, damaged_text
from tests.files.job_logs.row_ends import codes, counts
from tests.some_of import some_of

Check = Callable[[str], FileIntake]

TRAFFIC = """TIMESTAMP,ContextTokens,GeneratedTokens\r
2026-01-05 10:00:59.9799600,4808,10\r
2026-01-05 10:01:00.0319600,3180,8\r
2026-01-05 10:01:59.9999999,110,27\r
not a time,1,1\r
2026-01-05 10:02:00.5,-1,27"""
NODES = "sn,cpu_milli,memory_mib,gpu,model\na,1,1,0,\nb,1,1,8,G2\nc,1,1,2,T4\nd,1,1,8,G2\ne,1,1,x,T4\n"
REGIONS = json.dumps(
    {
        "africa-south1": {"name": "Johannesburg, South Africa", "latitude": 26.2, "longitude": 28.0},
        "europe-north1": {"name": "Hamina, Finland", "latitude": 60.6, "longitude": 27.2},
        "us-west1": {"name": "Oregon, USA", "latitude": "45.6", "longitude": 121.2},
        "southamerica-west1": {"name": "Santiago, Chile", "latitude": -33.4, "longitude": -70.6},
        "moon-1": {"name": "Moon", "latitude": 91, "longitude": 0},
    }
)
COUNTRIES = json.dumps(
    [
        {"country": "NA", "latitude": -22.9, "longitude": 18.4, "name": "Namibia"},
        {"country": "UM", "latitude": "", "longitude": "", "name": "U.S. Minor Outlying Islands"},
    ]
)
CARBON = (
    "Google Cloud Region,Location,Google CFE,Grid carbon intensity (gCO2eq / kWh)\r\n"
    "africa-south1,Johannesburg,0.15,656.85\r\neurope-north1,Finland,0.98,39\r\nx,y,0.5,low\r\n"
)


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """`check(text)` says what a file with this text is."""

    def run(text: str) -> FileIntake:
        path = tmp_path / "file"
        path.write_bytes(text.encode())
        (file,) = check_file(str(path))
        return file

    return run


def _facts(file: FileIntake) -> dict[str, Any]:
    check_rows_add_up(file)
    return dict(file.facts)


def test_traffic_is_counted_by_requests_tokens_and_minutes_of_the_clock(check: Check) -> None:
    file = check(TRAFFIC)
    assert (file.kind, file.rows_read, file.rows_accepted, file.rows_rejected) == ("traffic", 5, 3, 2)
    assert codes(file) == counts(bad_number=1, bad_time=1, naive_time_assumed_utc=3)
    facts = {"requests": 3, "context_tokens": 8098, "generated_tokens": 45, "without_answer": 0}
    facts |= {"first_request": "2026-01-05T10:00:59Z", "last_request": "2026-01-05T10:01:59Z"}
    facts |= {"peak_requests_per_minute": 2, "peak_minute": "2026-01-05T10:01:00Z"}
    facts |= {"longest_context_tokens": 4808, "longest_generated_tokens": 27}
    assert _facts(file) == facts | {"span_s": pytest.approx(60.02004)}


def test_offsets_of_requests_are_told_apart(check: Check) -> None:
    text = "timestamp,context_tokens,generated_tokens\n2026-01-05T10:00:00Z,1,1\n2026-01-05 12:00:30.25+02:00,1,1\n"
    file = check(text)
    assert not file.issues
    assert (_facts(file)["peak_requests_per_minute"], _facts(file)["span_s"]) == (2, 30.25)


def test_a_weekly_profile_is_traffic_too(check: Check) -> None:
    file = check("hour_of_week,requests_per_s\n0,1.5\n167,2.5\n168,9\n")
    assert (file.kind, file.rows_accepted, file.rows_rejected) == ("traffic", 2, 1)
    assert _facts(file) == {"hours": 2, "mean_requests_per_s": 2.0, "peak_requests_per_s": 2.5}


def test_nodes_of_openb_are_no_jobs(check: Check, tmp_path: Path) -> None:
    file = check(NODES)
    assert (file.kind, file.format, file.rows_read, file.rows_rejected) == ("nodes", "openb", 5, 1)
    facts = {"nodes": 4, "gpu_nodes": 3, "cpu_nodes": 1, "gpus": 18}
    assert _facts(file) == facts | {"gpus_by_model": {"G2": 16, "T4": 2}, "nodes_by_gpus": {"2": 1, "8": 2}}


def test_regions_whose_sign_belies_their_country_are_said(check: Check) -> None:
    file = check(REGIONS)
    assert (file.kind, file.rows_accepted) == ("sites", 5)
    found = {issue.code: (issue.count, issue.first_row) for issue in file.issues}
    assert found == {"bad_number": (1, 5), "wrong_place": (2, 1)}
    facts = _facts(file)
    assert (facts["regions"], facts["wrong_places"]) == (5, ["africa-south1", "us-west1"])


@given(st.sampled_from(sorted(SIGNS_OF)), st.floats(2, 90), st.floats(2, 180))
def test_a_place_is_right_on_one_side_of_each_line_only(
    country: str, latitude: float, longitude: float
) -> None:
    north, east = SIGNS_OF[country]
    place = f"Somewhere, {country.upper()}"
    assert not is_sign_wrong(place, latitude * (north or 1), longitude * (east or 1))
    if north:
        assert is_sign_wrong(country, -latitude * north, longitude * (east or 1))
    if east:
        assert is_sign_wrong(country, latitude * (north or 1), -longitude * east)


def test_countries_with_namibia_among_them(check: Check) -> None:
    file = check(COUNTRIES)
    assert (file.kind, file.rows_accepted, file.issues) == ("sites", 2, ())
    assert (_facts(file)["countries"], _facts(file)["without_coordinates"]) == (2, 1)


def test_carbon_of_regions(check: Check) -> None:
    file = check(CARBON)
    assert (file.kind, file.rows_accepted, file.rows_rejected) == ("sites", 2, 1)
    facts = _facts(file)
    assert (facts["regions"], facts["lowest_gco2_per_kwh"]) == (2, 39.0)
    assert facts["highest_carbon_free_share"] == 0.98


@pytest.mark.parametrize("text", [TRAFFIC, NODES, REGIONS, COUNTRIES, CARBON], ids=range(5))
@pytest.mark.parametrize("seed", some_of(range(6), quick=2))
def test_damage_to_a_described_file_is_told(check: Check, text: str, seed: int) -> None:
    check_read_or_refused(lambda: check(damaged_text(text, random.Random(seed))))


# --- Public files, where they lie beside the project


def test_the_public_files_say_what_they_are(shared_data: Path) -> None:
    def facts(name: str) -> dict[str, Any]:
        return _facts(check_file(str(shared_data / name))[0])

    nodes = facts("traces/openb_node_list_all_node.csv")
    assert (nodes["nodes"], nodes["gpu_nodes"], nodes["cpu_nodes"], nodes["gpus"]) == (1523, 1213, 310, 6212)
    assert nodes["gpus_by_model"]["G2"] == 4392
    assert nodes["nodes_by_gpus"] == {"1": 24, "2": 518, "4": 54, "8": 617}
    traffic = facts("traces/AzureLLMInferenceTrace_code.csv")
    assert (traffic["requests"], traffic["context_tokens"]) == (8819, 18_059_974)
    assert traffic["generated_tokens"] == 245_896
    assert (traffic["peak_requests_per_minute"], traffic["peak_minute"]) == (585, "2023-11-16T18:31:00Z")
    assert (traffic["longest_context_tokens"], traffic["longest_generated_tokens"]) == (7437, 1899)
    regions = facts("geo/regions.json")
    assert (regions["regions"], regions["wrong_places"]) == (40, ["africa-south1"])
    assert facts("geo/countries.json")["countries"] == 245
    assert facts("geo/carbon.csv")["regions"] == 41


def test_a_node_list_beside_pods_says_what_it_holds_and_where_to_give_it(tmp_path: Path) -> None:
    pods, nodes = tmp_path / "pods.csv", tmp_path / "nodes.csv"
    pods.write_text(
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
        "openb-pod-0000,12000,16384,1,1000,,LS,Running,0,12537496,0\n"
    )
    nodes.write_text(NODES)
    read = read_inputs([str(pods), str(nodes)], window_request=WindowRequest(whole_log=True))
    assert (read.accepted_jobs, read.jobs.gpu_hours) == (1, 12537496 / 3600)
    (issue,) = read.intake[1].issues
    assert issue.code == "not_a_job_log"
    assert "4 nodes with 18 GPUs (G2 16, T4 2)" in str(issue.message)
    assert "use it with --contracts" in str(issue.message)

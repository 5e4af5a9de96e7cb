"""`gpuplanner place`: exit statuses, the document to the letter, and what is said on standard error."""

import pytest

from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.places import NO_PLACES, Traffic
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.reports.serving import SITE_SETS
from gpuplanner.files.lists.place_tables import import_places
from gpuplanner.files.project.project_file import save_project

TOKENS = Traffic(start_s=0, end_s=73 * 3600, hours=((0, 5, 10**8),))  # a tenth of a month

USERS = (
    "city,country,latitude,longitude,users\n"
    "Berlin,DE,52.5,13.4,50\nNew York,US,40.7,-74.0,30\nDelhi,IN,28.6,77.2,20\n"
)
SITES = (
    "site_id,city,country,latitude,longitude,usd_per_month,current\n"
    "us,Ashburn,US,39.0,-77.5,1000.10,true\neu,Frankfurt,DE,50.1,8.7,2000.20,false\nin,Mumbai,IN,19.1,72.9,,no\n"
)
MEASURED = "city,site_id,one_way_ms\nBerlin,us,110\nNew York,us,30\nBerlin,eu,10\nNew York,eu,80\n"


@pytest.fixture
def files(put):
    return ["--users", put("u.csv", USERS), "--sites", put("s.csv", SITES)]


def test_the_document_has_the_documented_fields(call, put, files):
    said = call("place", *files, "--measured", put("m.csv", MEASURED))
    assert said.status == 0
    document = said.document
    assert list(document)[:3] == ["schema", "command", "version"] and document["command"] == "place"
    current = document["current"]
    assert current["sites"] == ["us"]
    assert current["cities"] == ["Berlin", "New York"]
    assert current["covered_share"] == 0.8
    assert current["mean_one_way_ms"] == 80.0 and current["round_trip_ms"] == 160.0
    assert current["over_80_ms"] is False
    assert (current["way_80_percent_ms"], current["way_80_percent_over_80_ms"]) == (110.0, True)
    first, second, third = document["proposed"]
    assert (first["sites"], first["mean_one_way_ms"]) == (["eu"], (50 * 10 + 30 * 80) / 80)
    assert first["usd_per_month"] == 2000.2
    assert (second["sites"], second["mean_one_way_ms"]) == (["eu", "us"], (50 * 10 + 30 * 30) / 80)
    assert second["usd_per_month"] == 3000.3
    assert third["usd_per_month"] is None
    assert document["egress_usd_per_month"] is None
    assert document["cheapest_within_80_ms"]["sites"] == ["us"]
    assert document["checks"] == []
    assert [file["kind"] for file in document["intake"]["files"]] == ["users", "sites", "measured"]


def test_a_hair_over_80_is_flagged(call, put, files):
    said = call("place", *files, "--measured", put("m.csv", MEASURED.replace(",110", ",110.001")))
    assert said.document["current"]["over_80_ms"] is True
    assert [check["code"] for check in said.document["checks"]] == ["transit_over_80_ms"]


def test_a_country_without_an_allowed_site_is_said(call, put, files):
    rules = put("r.csv", "country,allowed_site_countries\nDE,DE;FR\nIN,IN\n")
    said = call("place", *files, "--residency", rules)
    current = said.document["current"]
    assert said.status == 0
    assert current["mean_one_way_ms"] is None and current["round_trip_ms"] is None
    assert current["over_80_ms"] is False
    assert current["unserved_countries"] == ["DE", "IN"]
    assert [check["subject"] for check in said.document["checks"]] == ["DE", "IN"]
    assert any("DE" in note for note in said.document["notes"])
    assert [one["sites"] for one in said.document["proposed"]] == [
        ["eu", "in"],
        ["eu", "in", "us"],
    ]  # Delhi too has a rule
    text = call("place", *files, "--residency", rules, text=True)
    assert all(note in text.out for note in said.document["notes"] if "DE" in note)


def test_egress_is_gigabytes_times_the_rate(call, files):
    said = call("place", *files, "--set", "tokens_per_month=1e9")
    assert said.document["egress_usd_per_month"] == pytest.approx(0.60)
    media = call("place", *files, "--set", "media_gb_per_month=1000", "--set", "egress_usd_per_gb=0.08")
    assert media.document["egress_usd_per_month"] == pytest.approx(80)
    assert "negligible" in media.document["egress"]["sentence"]


def test_the_table_says_the_headline_and_every_set(call, files):
    said = call("place", *files, text=True)
    assert said.status == 0
    assert said.out.startswith("Top 80% of users: ")
    assert "Best 2" in said.out and "Cheapest within 80 ms" in said.out and "Egress" in said.out


def test_the_same_files_give_the_same_bytes(call, files):
    assert call("place", *files).out == call("place", *files).out


def test_a_project_stands_in_and_files_beside_it_take_the_place_of_its_own(call, put, files, tmp_path):
    read = import_places([files[1]], [files[3]])
    project = Project(
        window=Window(0, 1),
        cube=empty_cube(1),
        places=read.over(NO_PLACES),
        intake=read.intake,
        traffic={"": TOKENS},
    )
    path = tmp_path / "p.gpuplan"
    save_project(project, path)
    said = call("place", str(path))
    assert said.status == 0
    assert said.document["egress_usd_per_month"] == pytest.approx(0.60)
    alone = call("place", *files)
    assert said.document["current"] == alone.document["current"]
    assert said.document["proposed"] == alone.document["proposed"]
    changed = call("place", str(path), "--measured", put("m.csv", MEASURED))
    assert changed.document["current"]["mean_one_way_ms"] == 80.0
    kinds = [file["kind"] for file in changed.document["intake"]["files"]]
    assert kinds == ["users", "sites", "measured"]


@pytest.mark.parametrize(
    ("argv", "status", "words"),
    [
        ((), 2, "place needs --users FILE and --sites FILE"),
        (("--users", "u.csv"), 2, "place needs --users"),
        (("plan.xlsx",), 2, "is not a .gpuplan file"),
        (("--users", "gone.csv", "--sites", "gone.csv"), 3, "gone.csv: file_missing"),
    ],
)
def test_calls_that_cannot_be_answered(call, argv, status, words):
    said = call("place", *argv)
    assert said.status == status and words in said.err and said.document is None


def test_rows_of_no_use_are_status_1_with_the_intake_all_the_same(call, put):
    bad = put("u.csv", "city,country,latitude,longitude,users\nOslo,NO,x,y,5\n")
    said = call("place", "--users", bad, "--sites", put("s.csv", SITES))
    assert said.status == 1
    assert said.document["current"] is None and said.document["proposed"] == []
    assert said.document["intake"]["files"][0]["rows_rejected"] == 1
    text = call("place", "--users", bad, "--sites", put("s.csv", SITES), text=True).out
    assert "u.csv:2: bad_number: latitude is 'x'" in text


def test_an_unknown_assumption_is_a_wrong_call(call, files):
    assert call("place", *files, "--set", "nothing=1").status == 2


def test_of_many_sites_each_set_says_what_no_set_of_as_many_is_under(call, put):
    spots = [(at * 37 % 100 - 50, at * 53 % 300 - 150) for at in range(20)]
    head = "site_id,city,country,latitude,longitude,current\n"
    rows = "".join(f"s{at:02},C{at},US,{north},{east},{at == 0}\n" for at, (north, east) in enumerate(spots))
    users = "city,country,latitude,longitude,users\n"
    users += "".join(f"C{at},US,{north + 3},{east},{50 + at}\n" for at, (north, east) in enumerate(spots))
    words = ("place", "--users", put("many.csv", users), "--sites", put("sites.csv", head + rows))
    document = call(*words).document
    assert all(0 <= one["gap"] < 0.1 for one in document["proposed"])
    said = call(*words, text=True).out
    one = document["proposed"][2]
    assert str(SITE_SETS.columns[3].title) in said
    assert f"{one['mean_one_way_ms'] / (1 + one['gap']):.1f}" in said

"""Requests to tokens by hour; kept with a project, taken away again, and kept by an import that lacks the workload."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import JobFacts
from gpuplanner.domain.model.places import ServedModel, ServingChoice, Traffic, WeekRates
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.lists.traffic_tables import read_load, read_traffic, request_form, typed_load
from gpuplanner.files.project.plans_json import plans_entry, plans_of
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.project.value_tables import from_json, to_json
from tests.files.job_logs.cluster_damage import check_read_or_refused, damaged_text

# --- Requests to tokens by hour; kept with a project, taken away again, and kept by an import that lacks
# the workload

AT_S = 1_767_225_600  # 2026-01-01T00:00:00Z
OURS = """timestamp,context_tokens,generated_tokens
2026-01-01T00:59:59.5Z,100,7
2026-01-01T01:00:00Z,200,8
2026-01-01T03:20:30Z,300,9
"""
OF_OTHERS = """TIMESTAMP,ContextTokens,GeneratedTokens
2026-01-01 00:59:59.5000000,100,7
2026-01-01 01:00:00.0000000,200,8
2026-01-01 03:20:30.0000000,300,9
"""
READ = {
    "start_s": AT_S + 3599,
    "end_s": AT_S + 3 * 3600 + 1231,
    "hours": ((AT_S, 100, 7), (AT_S + 3600, 200, 8), (AT_S + 3 * 3600, 300, 9)),
}
ONE_EACH = ((1, 1, 107), (1, 1, 208), (1, 1, 309))


@pytest.mark.parametrize("text", [OURS, OF_OTHERS])
def test_tokens_by_hour(tmp_path, text):
    path = tmp_path / "requests.csv"
    path.write_text(text, encoding="utf-8")
    traffic, intake = read_traffic(str(path))
    assert traffic == Traffic(**READ, source="requests.csv", requests=ONE_EACH)
    assert (intake.kind, intake.rows_read, intake.rows_accepted) == ("traffic", 3, 3)


@pytest.mark.parametrize("tokens", ["-1,1", "1,-1", "many,1", "1,", "1,1e400", "1000000001,1", '"1,000",1'])
def test_a_bad_row_counts_nowhere_and_is_counted(tmp_path, tokens):
    path = tmp_path / "requests.csv"
    path.write_text(f"{OURS}yesterday,1,1\n2026-01-01T04:00:00Z,{tokens}\n", encoding="utf-8")
    traffic, intake = read_traffic(str(path))
    assert traffic.hours == READ["hours"]
    assert (intake.rows_accepted, intake.rows_rejected) == (3, 2)


@pytest.mark.parametrize(
    "text", ["hour_of_week,requests_per_s\n0,1\n", "timestamp,context_tokens,generated_tokens\nx,1,1\n"]
)
def test_what_holds_no_tokens_is_refused(tmp_path, text):
    path = tmp_path / "requests.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PlannerError):
        read_traffic(str(path))


def small_project():
    return Project(
        window=Window(AT_S, 24),
        cube=empty_cube(24),
        workloads=(Workload(key="a/b/chat", name="chat", cluster="a", owner="b"),),
    )


def test_traffic_comes_and_goes_and_is_saved(tmp_path):
    before, traffic = small_project(), Traffic(**READ, source="requests.csv", requests=ONE_EACH)
    after = edits.endpoints.set_traffic(before, "a/b/chat", traffic)
    assert edits.endpoints.set_traffic(after, "a/b/chat", traffic) is after
    assert edits.endpoints.set_traffic(after, "a/b/chat", None).traffic == before.traffic
    assert "chat" in str(edits.labels.traffic_label(after, "a/b/chat", traffic))
    with pytest.raises(PlannerError):
        edits.endpoints.set_traffic(before, "nobody", traffic)
    save_project(after, tmp_path / "p.gpuplan")
    assert open_project(tmp_path / "p.gpuplan").traffic == {"a/b/chat": traffic}
    jobs = edits.inputs.LoadedJobs(before.window, empty_cube(24), (), JobFacts())
    assert edits.inputs.import_inputs(after, jobs=jobs).traffic == after.traffic


def test_a_project_saved_before_there_was_traffic_opens():
    entry = from_json(to_json(plans_entry(small_project())))
    del entry["traffic"], entry["serving"], entry["assumptions"]["run_gap_hours"]
    plans = plans_of(entry)
    project = Project(cube=empty_cube(plans["window"].hours), **plans)
    assert project.traffic == project.serving == {}
    assert project.assumptions.run_gap_hours == 24


@pytest.mark.parametrize("hours", [[[1, 2]], [[1, 2, "3"]], [[1, 2, 10**30]], [[1.5, 2, 3]]])
def test_traffic_of_a_file_that_somebody_changed_is_refused(hours):
    project = replace(small_project(), traffic={"a/b/chat": Traffic(**READ)})
    entry = from_json(to_json(plans_entry(project)))
    row = entry["traffic"]["a/b/chat"]
    row["rows"][0][row["fields"].index("hours")] = hours
    with pytest.raises((ValueError, TypeError)):
        plans_of(entry)


def test_requests_are_counted_by_hour_and_busiest_minute(tmp_path):
    text = "timestamp,context_tokens,generated_tokens\n" + "".join(
        f"2026-01-01T00:{minute:02}:30Z,{10 * minute},5\n" for minute in (3, 3, 7, 3, 7, 59)
    )
    path = tmp_path / "requests.csv"
    path.write_text(text, encoding="utf-8")
    traffic, _ = read_traffic(str(path))
    assert traffic.requests == ((6, 3, 595),)
    assert read_load(str(path))[0] == traffic


def test_a_week_is_read_by_its_hours(tmp_path):
    path = tmp_path / "week.csv"
    path.write_text(
        "hour_of_week,requests_per_s\n0,1.5\n167,2\n0,9\n168,1\n3,-1\n4,\n1.5,7\n5.0,0\n", encoding="utf-8"
    )
    week, intake = read_load(str(path))
    assert isinstance(week, WeekRates)
    assert (week.rates_per_s[0], week.rates_per_s[167], week.source) == (1.5, 2.0, "week.csv")
    assert (week.rates_per_s[2], week.rates_per_s[5]) == (None, 0.0)  # 1.5 is no hour
    assert sum(rate is not None for rate in week.rates_per_s) == 3
    counts = (intake.rows_read, intake.rows_accepted, intake.rows_rejected, intake.rows_duplicate)
    assert counts == (8, 3, 4, 1)


def test_a_week_without_a_good_hour_is_refused(tmp_path):
    path = tmp_path / "week.csv"
    path.write_text("hour_of_week,requests_per_s\n168,1\n", encoding="utf-8")
    with pytest.raises(PlannerError, match=r"bad_number|missing_column|file_unreadable"):
        read_load(str(path))


SERVED = ServedModel(
    name="own",
    parameters=7_000_000_000,
    layers=32,
    kv_heads=8,
    head_dim=128,
    active_parameters=3_000_000_000,
    experts=8,
    experts_per_token=2,
    kv_values_per_layer=576,
    source="own.json",
)


def test_what_is_sized_comes_and_goes_and_is_saved(tmp_path):
    before, week = small_project(), WeekRates((1.0, None) * 84, "week.csv")
    after = edits.endpoints.set_served_model(before, "a/b/chat", SERVED)
    after = edits.endpoints.set_sized_row(
        edits.endpoints.set_week(after, "a/b/chat", week), "a/b/chat", "H100", "INT8", 2
    )
    after = edits.endpoints.set_served_model(after, "", SERVED)
    choice = ServingChoice(model=SERVED, week=week, gpu_model="H100", precision="INT8", tensor_parallel=2)
    assert after.serving == {"a/b/chat": choice, "": ServingChoice(model=SERVED)}
    assert edits.endpoints.set_served_model(after, "a/b/chat", SERVED) is after
    assert edits.endpoints.set_week(after, "a/b/chat", week) is after
    save_project(after, tmp_path / "p.gpuplan")
    assert open_project(tmp_path / "p.gpuplan").serving == after.serving
    jobs = edits.inputs.LoadedJobs(before.window, empty_cube(24), (), JobFacts())
    assert edits.inputs.import_inputs(after, jobs=jobs).serving == after.serving
    other = edits.endpoints.set_served_model(after, "a/b/chat", replace(SERVED, name="other"))
    assert other.serving["a/b/chat"] == ServingChoice(model=replace(SERVED, name="other"), week=week)
    gone = edits.endpoints.set_week(
        edits.endpoints.set_served_model(other, "a/b/chat", None), "a/b/chat", None
    )
    assert edits.endpoints.set_served_model(gone, "", None).serving == before.serving
    with pytest.raises(PlannerError):
        edits.endpoints.set_served_model(before, "nobody", SERVED)


def test_typed_traffic_is_saved_with_its_tokens(tmp_path):
    week = typed_load(
        {"requests": "1,200", "in": "900", "out": "", "hours": "mon 08-10", "peak-share": "60%"}
    )
    assert (week.source, week.context_tokens, week.generated_tokens) == ("", 900.0, None)
    assert (
        week.rates_per_s[8:10] == (pytest.approx(960), pytest.approx(1440)) and sum(week.rates_per_s) == 2400
    )
    after = edits.endpoints.set_week(small_project(), "a/b/chat", week)
    save_project(after, tmp_path / "p.gpuplan")
    assert open_project(tmp_path / "p.gpuplan").serving["a/b/chat"].week == week


@pytest.mark.parametrize(
    ("name", "text"),
    [("requests", ""), ("requests", "0"), ("in", "x"), ("out", "-1"), ("hours", "noon"), ("peak-share", "2")],
)
def test_typed_traffic_that_cannot_be_read_names_what_it_is(name, text):
    with pytest.raises(PlannerError) as refused:
        typed_load({"requests": "40", name: text})
    assert refused.value.where == (name if name != "peak-share" else text)


def test_words_of_what_is_sized():
    project, week = small_project(), WeekRates((None,) * 168)
    served, taken = (
        edits.labels.served_model_label(project, "a/b/chat", SERVED),
        edits.labels.served_model_label(project, "", None),
    )
    assert "chat" in str(served) and "own" in str(served) and "inference" in str(taken)
    of_week = [
        str(edits.labels.week_label(project, key, rates)) for key, rates in (("a/b/chat", week), ("", None))
    ]
    assert "chat" in of_week[0] and "inference" in of_week[1]
    row = str(edits.labels.sized_row_label(project, "", "H100", "INT8", 2))
    assert "inference" in row and "2 x H100, INT8" in row
    assert "chat" in str(edits.labels.sized_row_label(project, "a/b/chat", "", "", 0))


@pytest.mark.parametrize(
    ("name", "value"), [("gpu_model", 3), ("model", {"fields": ["name"], "rows": [["x"]]}), ("week", [1])]
)
def test_a_choice_that_somebody_changed_is_refused(name, value):
    project = replace(
        small_project(), serving={"": ServingChoice(model=SERVED, week=WeekRates((1.0,) * 168))}
    )
    entry = from_json(to_json(plans_entry(project)))
    assert plans_of(from_json(to_json(plans_entry(project))))["serving"] == project.serving
    entry["serving"][""][name] = value
    with pytest.raises((ValueError, TypeError, LookupError)):
        plans_of(entry)


def test_check_counts_the_rows_of_a_week_as_the_import_does(tmp_path):
    path = tmp_path / "week.csv"
    path.write_text("hour_of_week,requests_per_s\n0,1.5\n0,9\n167,2.5\n168,9\n", encoding="utf-8")
    (checked,), (_, imported) = check_file(str(path)), read_load(str(path))
    assert checked == imported
    assert (checked.rows_accepted, checked.rows_duplicate, checked.rows_rejected) == (2, 1, 1)
    assert dict(checked.facts) == {"hours": 2, "mean_requests_per_s": 2.0, "peak_requests_per_s": 2.5}


# --- Public traces of requests: times from the beginning of a trace or with dates, tokens under their own
# names

MOON = "".join(
    json.dumps({"timestamp": at, "input_length": read, "output_length": said, "hash_ids": [1, 2]}) + "\n"
    for at, read, said in ((0, 100, 7), (3_599_999, 200, 8), (12_030_500, 300, 9))
)
BURST = """Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
0,ChatGPT,100,7,107,Conversation log
3599.999,GPT-4,200,8,208,API log
12030.5,ChatGPT,300,9,309,Conversation log
"""
AZURE = """TIMESTAMP,ContextTokens,GeneratedTokens
2024-05-10 00:00:00.009930+00:00,100,7
2024-05-10 02:59:59.999000+02:00,200,8
2024-05-10 03:20:30.5+00:00,300,9
"""
BEGIN_S = {"mooncake": 0, "burstgpt": 0, "azure_2024": 1_715_299_200}
TRACES = {"mooncake": MOON, "burstgpt": BURST, "azure_2024": AZURE}


@pytest.mark.parametrize("name", TRACES)
def test_tokens_by_hour_of_request_traces(tmp_path: Path, name: str) -> None:
    path = tmp_path / "trace"
    path.write_text(TRACES[name])
    traffic, intake = read_traffic(str(path))
    begin_s = BEGIN_S[name]
    assert (intake.kind, intake.format, intake.rows_read, intake.rows_accepted) == ("traffic", name, 3, 3)
    assert traffic.hours == ((begin_s, 300, 15), (begin_s + 3 * 3600, 300, 9))
    (file,) = check_file(str(path))
    assert (file.kind, file.format, dict(file.facts)["requests"]) == ("traffic", name, 3)
    assert {issue.code for issue in file.issues} == (set() if begin_s else {"before_1980"})


@pytest.mark.parametrize("bad", ["-1", "1e30", "soon", ""])
@pytest.mark.parametrize("place", ["time", "tokens"])
def test_a_bad_row_counts_nowhere(tmp_path: Path, bad: str, place: str) -> None:
    path = tmp_path / "trace"
    path.write_text(BURST + (f"{bad},m,1,1,2,x\n" if place == "time" else f"9,m,{bad},1,2,x\n"))
    traffic, intake = read_traffic(str(path))
    assert (intake.rows_accepted, intake.rows_rejected, len(traffic.hours)) == (3, 1, 2)


def test_a_trace_given_as_a_log_says_where_it_belongs(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_text(MOON)
    (fault,) = read_inputs([str(path)]).refused
    assert "Mooncake" in str(fault.what)
    assert "--traffic" in str(fault.remedy)


def test_requests_of_another_year_are_ours_and_lines_of_no_requests_are_nobody_s() -> None:
    form = request_form(AZURE.replace("2024", "2023"))
    assert form is not None
    assert form.format == ""
    assert request_form('{"timestamp": 1, "input_length": 2}') is request_form("") is None


@given(st.integers(0, 2**32), st.sampled_from(sorted(TRACES)))
def test_whatever_happened_to_a_trace_every_row_is_counted(
    tmp_path_factory: pytest.TempPathFactory, seed: int, name: str
) -> None:
    path = tmp_path_factory.mktemp("trace") / "trace"
    path.write_bytes(damaged_text(TRACES[name], random.Random(seed)).encode("utf-8", "replace"))
    check_read_or_refused(lambda: check_file(str(path))[0])

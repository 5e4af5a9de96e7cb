"""Public traces of requests: times from the beginning of a trace or with dates, tokens under their own names."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.traffic.request_traces import request_form
from gpuplanner.files.traffic.traffic_tables import read_traffic
from tests.files.job_logs.cluster_damage import check_read_or_refused, damaged_text

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
def test_tokens_by_hour(tmp_path: Path, name: str) -> None:
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

"""The command line as docs/commands promises it: documents, exit statuses, one-line errors."""

import gzip
import io
import json
import os
import re
import sys
from pathlib import Path

import pytest

from gpuplanner.cli.arguments import COMMANDS, OPTIONS, UsageError, parse_window_words
from gpuplanner.cli.run import run
from tests.some_of import some_of

NOW_S = 1_790_000_000
JOBS = """job_id,cluster,name,account,gpu_model,gpus,nodes,start,end,state
1,atlas,llama-pretrain,ml,H100,8,2,2026-01-01T00:00:00Z,2026-01-11T12:30:00Z,COMPLETED
2,atlas,vllm-chat,web,H100,2,1,2026-01-01T00:00:00Z,2026-02-01T00:00:00Z,COMPLETED
3,atlas,optuna-sweep,ml,H100,1,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,FAILED
4,atlas,broken,ml,H100,-1,1,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,FAILED
"""
CONTRACTS = """\
contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,term_months
c1,Vela,atlas,H100,8,2.75,2025-06-01,2026-06-01,COMMITTED,12
"""
PRICES = """\
offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,gpu_memory_gb,bare_metal,interconnect
od,AWS,H100,STANDARD,0,6.88,80,true,infiniband
y1,Vela,H100,COMMITTED,12,2.75,80,true,infiniband
m1,Vela,H100,COMMITTED,1,3.50,80,true,infiniband
"""


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    for name, text in (("jobs", JOBS), ("contracts", CONTRACTS), ("prices", PRICES)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return [
        word
        for name in ("jobs", "contracts", "prices")
        for word in (f"--{name}", str(tmp_path / f"{name}.csv"))
    ]


def run_json(capsys: pytest.CaptureFixture[str], *argv: str, status: int = 0) -> dict:
    assert run([*argv, "--json"], NOW_S) == status
    return json.loads(capsys.readouterr().out)


def test_reduce_counts_every_row_and_hour(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    answer = run_json(capsys, "reduce", *inputs[:2])
    (file,) = answer["intake"]["files"]
    assert (file["rows_read"], file["rows_accepted"], file["rows_rejected"]) == (4, 3, 1)
    assert [issue["code"] for issue in file["issues"]] == ["negative_gpus"]
    assert answer["schema"] == "gpuplanner/1" and answer["command"] == "reduce"
    expected_gpu_hours = 8 * 252.5 + 2 * 744 + 24
    assert answer["jobs"]["gpu_hours"] == expected_gpu_hours
    assert answer["cube"]["milli_gpu_seconds"] == expected_gpu_hours * 3_600_000
    assert answer["jobs"]["peak_gpus"] == 11
    assert answer["window"] == {
        "start": "2026-01-01T00:00:00Z",
        "end": "2026-02-01T00:00:00Z",
        "hours": 744,
        "timezone": "UTC",
    }
    assert len(answer["cube"]["sha256"]) == 64


@pytest.mark.long
def test_audit_pays_what_the_contract_says(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    answer = run_json(capsys, "audit", *inputs)
    (cluster,) = answer["clusters"]
    assert cluster["paid_usd"] == pytest.approx(8 * 744 * 2.75, abs=0.005)
    assert cluster["allocated_usd"] + cluster["unallocated_usd"] == pytest.approx(
        cluster["paid_usd"], abs=0.005
    )
    assert cluster["activity"] is None and cluster["useful_usd"] is None
    assert (
        cluster["overflow_gpu_hours"] == 2 * 252 + 24
    )  # two GPUs too few, then three for a day; hourly means
    assert set(answer["classes"]) == {"training", "inference", "burst"}
    assert [row["class"] for row in answer["workloads"]] == ["training", "burst", "inference"]


@pytest.mark.long
def test_plan_adds_up(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    answer = run_json(capsys, "plan", *inputs)
    totals = answer["totals"]
    layers = sum(layer["usd_per_month"] for pool in answer["pools"] for layer in pool["layers"])
    idle = sum(row["usd_per_month"] for row in answer["idle_existing"])
    assert totals["plan_usd_per_month"] == pytest.approx(layers + idle, abs=0.005)
    assert totals["savings_usd_per_month"] == pytest.approx(
        totals["current_usd_per_month"] - totals["plan_usd_per_month"], abs=0.005
    )
    cards = sum(row["plan_usd_per_month"] for row in answer["workloads"])
    assert cards == pytest.approx(layers, abs=0.005)
    assert len(answer["comparison"]) == 12
    assert {row["contract_id"] for row in answer["contract_verdicts"]} == {"c1"}


@pytest.mark.long
def test_the_same_input_gives_the_same_bytes(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    documents = []
    for _ in range(2):
        assert run(["plan", *inputs, "--json"], NOW_S) == 0
        documents.append(capsys.readouterr().out)
    assert documents[0] == documents[1]


@pytest.mark.long
def test_greenfield_has_no_verdicts(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    answer = run_json(capsys, "plan", *inputs, "--greenfield")
    assert answer["contract_verdicts"] == [] and answer["idle_existing"] == []
    assert answer["totals"]["do_nothing_usd_per_month"] is not None


@pytest.mark.long
def test_labels_and_assignments(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    key = "atlas/ml/optuna-sweep"
    answer = run_json(capsys, "plan", *inputs, "--label", f"{key}=training", "--assign", f"{key}=inference")
    (row,) = [row for row in answer["workloads"] if row["key"] == key]
    assert (row["class"], row["pool"]) == ("training", "inference")


@pytest.mark.parametrize(
    "words",
    some_of(
        [
            ["--set", "nonsense=1"],
            ["--set", "sigma=7"],
            ["--days", "3", "--start", "2026-01-01"],
            ["--start", "2026-01-01T00:30:00Z"],
            ["--timezone", "Mars/Olympus"],
            ["--assign", "atlas/ml/optuna-sweep=nowhere"],
            ["--scenario", "No such plan"],
            ["--format", "papyrus"],
            ["--map", "gpus"],
            ["--frobnicate"],
        ],
        quick=1,
    ),
)
def test_a_wrong_word_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], inputs: list[str], words: list[str]
) -> None:
    assert run(["plan", *inputs, *words], NOW_S) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("gpuplanner: usage: ") and said.err.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_every_option_as_its_table_has_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run([command, "--help"], NOW_S)
    assert left.value.code == 0
    said = "".join(capsys.readouterr().out.split())
    for option in OPTIONS:
        assert command not in option.commands or "".join(option.said.split()) in said, option.form


@pytest.mark.long
def test_settings_change_the_plan(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    plain = run_json(capsys, "plan", *inputs, "--greenfield")
    changed = run_json(capsys, "plan", *inputs, "--greenfield", "--set", "block=8")
    assert plain["pools"] != changed["pools"]
    assert all(
        layer["gpus"] % 8 == 0
        for pool in changed["pools"]
        for layer in pool["layers"]
        if not layer["existing"]
    )


def test_a_missing_file_is_status_3(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing = tmp_path / "missing.csv"
    assert run(["reduce", "--jobs", str(missing)], NOW_S) == 3
    said = capsys.readouterr().err
    assert said.startswith(f"{missing}: file_missing: ") and said.count("\n") == 1


def test_check_reads_the_files_beside_one_that_it_cannot_read(
    capsys: pytest.CaptureFixture[str], inputs: list[str], tmp_path: Path
) -> None:
    cut = tmp_path / "cut.csv.gz"
    cut.write_bytes(gzip.compress(JOBS.encode())[:-9])
    answer = run_json(capsys, "check", str(cut), inputs[1], str(tmp_path / "missing.csv"), status=3)
    codes = [[issue["code"] for issue in file["issues"]] for file in answer["files"]]
    assert codes[0] == ["truncated_file"] and codes[2] == ["file_missing"]
    assert answer["files"][1]["rows_accepted"] == 3


@pytest.mark.parametrize("row", ["8,x", "x,8"])
def test_check_of_contracts_that_are_all_rejected_is_status_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, row: str
) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text(f"contract_id,cluster,gpu_model,start,gpus\na,atlas,H100,{row}\n", encoding="utf-8")
    run_json(capsys, "check", str(path), status=1)


def test_no_job_accepted_is_status_1_with_its_intake(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("job_id,gpus,start,end\n1,1,soon,later\n", encoding="utf-8")
    answer = run_json(capsys, "reduce", "--jobs", str(path), status=1)
    assert answer["intake"]["files"][0]["rows_rejected"] == 1


def test_an_audit_without_contracts_answers_with_what_is_known(
    capsys: pytest.CaptureFixture[str], inputs: list[str]
) -> None:
    answer = run_json(capsys, "audit", *inputs[:2])
    assert answer["intake"]["files"][0]["rows_accepted"] == 3
    assert "no_contracts" in {row["code"] for row in answer["checks"]}


def test_rejected_rows_are_named_among_the_issues(
    capsys: pytest.CaptureFixture[str], inputs: list[str]
) -> None:
    assert run(["reduce", *inputs[:2], "--show", "issues"], NOW_S) == 0
    said = capsys.readouterr()
    assert f"{inputs[1]}:5:negative_gpus:" in "".join(said.out.split()) and said.err == ""  # it is wrapped


def test_check_says_what_each_file_is(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    answer = run_json(capsys, "check", *inputs[1::2])
    assert [row["kind"] for row in answer["files"]] == ["jobs", "contracts", "prices"]


@pytest.mark.long
def test_export_writes_a_workbook(
    capsys: pytest.CaptureFixture[str], inputs: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "plan.xlsx"
    assert run(["export", *inputs, "--out", str(out)], NOW_S) == 0
    assert out.read_bytes()[:2] == b"PK"


@pytest.mark.long
def test_export_writes_a_calendar_alone_and_the_plan_has_terms_and_mix(
    capsys: pytest.CaptureFixture[str], inputs: list[str], tmp_path: Path
) -> None:
    target = tmp_path / "deadlines.ics"
    answer = run_json(capsys, "export", *inputs, "--calendar", str(target))
    assert (answer["calendar"], "workbook" in answer) == (str(target), False)
    assert target.read_bytes().startswith(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert [row["step"] for row in answer["quarter"]] == [1, 2, 3, 4]
    assert {row["key"] for row in answer["term_match"]} == {row["key"] for row in answer["workloads"]}
    now, plan = (sum(row[key] for row in answer["mix"]) for key in ("usd_now", "usd_plan"))
    assert now == pytest.approx(answer["totals"]["current_usd_per_month"])
    assert plan == pytest.approx(answer["totals"]["plan_usd_per_month"])
    assert run(["export", *inputs, "--calendar", str(target), "--focus", str(target)], NOW_S) == 2


@pytest.mark.long
def test_export_writes_focus_rows_alone_or_beside(
    capsys: pytest.CaptureFixture[str], inputs: list[str], tmp_path: Path
) -> None:
    out, focus = tmp_path / "plan.xlsx", tmp_path / "focus.csv"
    answer = run_json(capsys, "export", *inputs, "--focus", str(focus))
    assert (answer["focus"], "workbook" in answer) == (str(focus), False)
    rows = focus.read_text(encoding="utf-8").splitlines()
    certain = [order for order in answer["orders"] if order["reason"] != "if_it_lasts"]
    assert len(rows) == 1 + len(certain)
    answer = run_json(capsys, "export", *inputs, "--out", str(out), "--focus", str(focus))
    assert (answer["workbook"], answer["focus"]) == (str(out), str(focus))
    assert run(["export", *inputs], NOW_S) == 2
    error = capsys.readouterr().err
    assert all(f"--{name} " in error for name in ("out", "focus", "calendar", "statement", "rfq", "brief"))


@pytest.mark.long
def test_self_test_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["self-test"], NOW_S) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert lines and all(line.startswith("ok") for line in lines)


@pytest.mark.long
def test_the_tables_are_readable(capsys: pytest.CaptureFixture[str], inputs: list[str]) -> None:
    assert run(["plan", *inputs, "--show", "all"], NOW_S) == 0
    text = capsys.readouterr().out
    assert "Spend today" in text and "12 months" in text and "nan" not in text.lower()


@pytest.mark.long
def test_unknown_rates_stay_unknown(
    capsys: pytest.CaptureFixture[str], inputs: list[str], tmp_path: Path
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(PRICES.replace("6.88", ""), encoding="utf-8")
    answer = run_json(capsys, "plan", *inputs)
    assert answer["totals"]["current_usd_per_month"] is None  # what overflowed has no price
    assert answer["totals"]["do_nothing_usd_per_month"] is None
    assert answer["totals"]["savings_usd_per_month"] is None
    assert "quote_needed" in {check["code"] for check in answer["checks"]}


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["no-command", "--json"], "'no-command' is neither a command nor a .gpuplan file"),
        (["plann"], "Did you mean plan?"),
        (["--theme", "mauve"], "--theme"),
        (["--size", "0x900"], "write 1440x900"),
        (["--size", "wide"], "write 1440x900"),
        (["a.gpuplan", "b.gpuplan"], "'b.gpuplan'"),
    ],
)
def test_what_the_window_cannot_do_is_a_usage_error(argv: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_window_words(argv)


def test_a_project_is_known_by_its_ending_in_any_case() -> None:
    words = parse_window_words(["Q3.GPUPLAN", "--size", "800x600"])
    assert (words.project, words.size) == (Path("Q3.GPUPLAN"), (800, 600))


def test_a_full_disk_under_standard_output_is_one_line(
    capsys: pytest.CaptureFixture[str], inputs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert run(["reduce", *inputs[:2]], NOW_S) == 3
    told = capsys.readouterr().err
    monkeypatch.setattr(sys, "stderr", Full())
    assert run(["reduce", *inputs[:2]], NOW_S) == run(["check", "missing"], NOW_S) == 3
    assert told.splitlines()[-1].startswith("gpuplanner: file_unreadable: ")


@pytest.mark.long
def test_a_folder_that_cannot_be_made_is_one_line(
    capsys: pytest.CaptureFixture[str], inputs: list[str]
) -> None:
    for argv in (["demo", inputs[1]], ["reduce", *inputs[:2], "--out", inputs[1] + "/deeper"]):
        assert run(argv, NOW_S) == 3
        (line,) = [row for row in capsys.readouterr().err.splitlines() if "negative_gpus" not in row]
        assert (
            line.startswith(f"{inputs[1]}") and ": file_unreadable: " in line and "; choose another" in line
        )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_not_utf_8_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/jobs-\xff.csv")
    Path(path).write_text(JOBS, encoding="utf-8")
    said = io.BytesIO()
    as_in_a_terminal = io.TextIOWrapper(
        said, encoding="utf-8", errors="backslashreplace", line_buffering=True
    )
    monkeypatch.setattr(sys, "stderr", as_in_a_terminal)
    assert run(["check", path], NOW_S) == 3
    assert b"file name not UTF-8; rename" in said.getvalue()


@pytest.mark.parametrize("command", [["export"], ["reduce"]])
def test_nothing_can_be_written_to_an_empty_path(
    capsys: pytest.CaptureFixture[str], inputs: list[str], command: list[str]
) -> None:
    assert run([*command, *inputs[:2], "--out", ""], NOW_S) == 2
    assert "--out" in capsys.readouterr().err


@pytest.mark.long
def test_export_writes_the_board_brief(
    capsys: pytest.CaptureFixture[str], inputs: list[str], tmp_path: Path
) -> None:
    files = [tmp_path / f"board{suffix}" for suffix in (".pdf", ".pptx", ".docx")]
    named = [word for file in files for word in ("--brief", str(file))]
    answer = run_json(capsys, "export", *inputs, *named, "--paper", "letter")
    assert answer["briefs"] == [*map(str, files)]
    assert [file.read_bytes()[:2] for file in files] == [b"%P", b"PK", b"PK"]
    pdf = files[0]
    assert run(["export", *inputs, "--brief", str(tmp_path / "board.doc")], NOW_S) == 2
    capsys_err = capsys.readouterr().err
    assert all(end in capsys_err for end in (".pdf", ".pptx", ".docx"))
    assert run(["export", *inputs, "--brief", str(pdf), "--paper", "a5"], NOW_S) == 2
    assert "a4 or letter" in capsys.readouterr().err

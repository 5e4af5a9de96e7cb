"""Totals of files on the command line: `check` says what disagrees, other commands go on."""

from typing import Any

import pytest

from gpuplanner.cli.run import run

JOBS = """job_id,user,gpu_model,gpus,start,end
a,ann,H100,8,2026-01-05T00:00:00Z,2026-01-05T12:00:00Z
b,ann,H100,8,2026-01-09T00:00:00Z,2026-01-09T12:00:00Z
"""
SHEET = """Order,Vendor,GPU model,GPUs,Rate per GPU-hour,Monthly charge,Start,End
1,X,H100,8,23.92,17462,2025-01-01,2027-01-01
Total,,,8,,17462,,
"""
AGREES = "contracts.rate_usd_per_gpu_hour=Rate per GPU-hour:hour:point"


@pytest.fixture
def sheet(put: Any) -> str:
    return str(put("sheet.csv", SHEET))


def test_check_says_what_disagrees_and_the_map_that_agrees(call: Any, sheet: str) -> None:
    said = call("check", sheet)
    (file,) = said.document["files"]
    assert said.status == 1
    assert [row for row in file["reconciliation"] if not row["agrees"]] == [
        {
            "what": "usd_per_month",
            "subject": subject,
            "stated": 17462,
            "read": pytest.approx(139692.8),
            "agrees": False,
        }
        for subject in ("file", "row 2")
    ]
    (issue,) = [issue for issue in file["issues"] if issue["code"] == "totals_disagree"]
    assert AGREES in issue["message"] and issue["count"] == 2
    again = call("check", sheet, "--map", AGREES)
    assert again.status == 0 and all(row["agrees"] for row in again.document["files"][0]["reconciliation"])


def test_the_line_of_a_file_says_that_it_agrees(call: Any, sheet: str) -> None:
    said = call("check", sheet, "--map", AGREES, text=True)
    assert (
        "8 GPUs, $17,462 per month while all run, agrees with its total, 8 GPUs, $17,462 per month"
        in said.out
    )


def test_each_contract_is_a_sentence_that_says_whether_it_agrees(call: Any, put: Any, sheet: str) -> None:
    head = "1: 8 \u00d7 H100, $2.99 per GPU-hour, 1 Jan 2025 \u2013 31 Dec 2026, notice unknown, renewal unknown: "
    said = call("check", sheet, "--map", AGREES)
    agreed = f"{head}ends 31 Dec 2026, $17,462 per month. Agrees with your file."
    assert said.document["files"][0]["facts"]["sentences"] == [agreed]
    out = call("check", sheet, "--map", AGREES, text=True).out
    assert agreed in " ".join(out.split())
    assert "Agrees" not in call("check", sheet, text=True).out
    rows = "".join(f"{at},X,H100,8,2.99,17462,2025-01-01,2027-01-01\n" for at in range(60))
    many = call(
        "check", put("many.csv", SHEET.partition("\n")[0] + "\n" + rows), "--top", "8", text=True
    ).out.splitlines()
    assert len(many) <= 45
    assert "    52 more: --show files" in many


def test_the_audit_goes_on_and_says_it_first(call: Any, put: Any, sheet: str) -> None:
    said = call("audit", "--jobs", put("jobs.csv", JOBS), "--contracts", sheet)
    (check,) = [check for check in said.document["checks"] if check["code"] == "totals_disagree"]
    assert said.status == 0 and check["severity"] == "amber" and AGREES in check["message"]
    summary = call(
        "audit", "--jobs", put("jobs.csv", JOBS), "--contracts", sheet, "--top", "9", text=True
    ).out
    assert said.err == "" and "totals_disagree" in summary


def test_the_summary_says_it_first_in_one_line_by_the_name_of_the_file(
    put: Any, sheet: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", "--jobs", put("jobs.csv", JOBS), "--contracts", sheet], 1_790_856_000) == 0
    said = capsys.readouterr().out
    first = next(line for line in said.splitlines() if line.startswith("! "))
    assert first.startswith("! sheet.csv: total: $17,462 ") and "$139,693" in first
    assert said.count("$139,693 per month read") == first.count("$139,693 per month read")
    assert sheet not in said


def test_a_code_is_explained(call: Any) -> None:
    assert call("check", "--explain", "totals_disagree").document["remedy"].startswith("Choose the reading")
    assert (
        "The file states totals that differ" in call("check", "--explain", "totals_disagree", text=True).out
    )
    assert call("check", "--explain", "total_disagree", text=True).status == 2
    assert "Did you mean totals_disagree?" in call("check", "--explain", "total_disagree", text=True).err
    assert call("check", text=True).status == 2

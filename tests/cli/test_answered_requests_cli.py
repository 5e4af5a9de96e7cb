"""Answered requests on the command line: offers with their days in the plan, each cell to be corrected said once."""

import pytest

from gpuplanner.domain.reports.award import UNDECIDED
from tests.files.open_document_files import write_ods
from tests.files.request.answered_files import asked, sheet_of, write_xlsx


@pytest.mark.long
def test_cells_that_are_asked_about_are_said_with_their_address_and_the_rest_is_planned_with(
    call, put, tmp_path
) -> None:
    log = put(
        "jobs.csv",
        "job_id,cluster,name,gpu_model,gpus,start,end\n"
        "1,c,train,H100,8,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z\n",
    )
    rows = [
        asked("R1", rate="1,460 per GPU-month", sla="high", start="2026-11-01"),
        asked("R2", rate="1,460 per month"),
        asked("R3", rate="TBD"),
        asked("R4", rate="n/a"),
    ]
    prices = write_ods(tmp_path / "Northlight.ods", {"Quote": sheet_of(rows)})
    by_use = "offer_id,gpu_model,pricing_category,rate_usd_per_gpu_hour\nuse,H100,STANDARD,7\n"
    words = ("--jobs", log, "--prices", str(prices), put("prices.csv", by_use), "--set", "slices_lived=off")
    said = call("plan", *words)
    assert (said.status, said.err) == (0, "")
    (file,) = [one for one in said.document["intake"]["files"] if one["path"] == str(prices)]
    assert (
        file["format"],
        file["rows_read"],
        file["rows_accepted"],
        file["rows_rejected"],
        file["rows_ignored"],
    ) == ("workbook", 4, 2, 1, 1)
    messages = {issue["code"]: issue["message"] for issue in file["issues"]}
    assert "Quote!N15" in messages["undecided"] and "“1,460 per month”" in messages["undecided"]
    assert "1,460 / 730 h = 2 per GPU-hour" in messages["computed"]
    lines = [
        line for line in call("plan", *words, text=True).out.splitlines() if line.startswith(str(prices))
    ]
    for address in ("Quote!S14", "Quote!N15", "Quote!N16"):
        assert sum(address in line for line in lines) == 1
    assert not [line for line in lines if "computed" in line]
    (order,) = {order["offer_id"] for order in said.document["orders"]}
    assert order == "quote Northlight RFQ-20260930-7C1E R1"


LOG = (
    "job_id,cluster,name,gpu_model,gpus,start,end\n"
    "1,c,train,H100,8,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z\n"
)
FIRM = ("--set", "slices_lived=off")
LIST = (
    "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,as_of\n"
    "use,Northlight,H100,STANDARD,0,7,2026-09-01\nlisted,Northlight,H100,COMMITTED,12,3,2026-09-01\n"
)


@pytest.mark.long
def test_answers_join_the_prices_of_a_project(call, put, tmp_path) -> None:
    project = str(tmp_path / "saved.gpuplan")
    prices = put("p.csv", LIST)
    call("export", "--jobs", put("jobs.csv", LOG), "--prices", prices, "--project", project)
    answer = str(
        write_xlsx(tmp_path / "a.xlsx", {"Q": sheet_of([asked("R1", rate=2, start="2026-11-01", gpus=8)])})
    )
    said = call("award", project, "--prices", answer, *FIRM)
    assert {one["offer_id"] for one in said.document["quotes"]} == {"quote Northlight RFQ-20260930-7C1E R1"}
    assert {one["offer_id"] for one in said.document["benchmarks"]} == {"listed"}, "a list price is no award"
    assert [file["path"] for file in said.document["intake"]["files"] if file["kind"] == "prices"] == [
        prices,
        answer,
    ]
    assert "--prices" not in said.err
    listed = call("award", project, "--prices", put("other.csv", LIST.replace("listed", "other")), *FIRM)
    listed_now = {one["offer_id"] for one in listed.document["benchmarks"]}
    assert (listed_now, listed.document["quotes"]) == ({"other"}, []), "a list takes the place of a list"


@pytest.mark.long
def test_answers_alone_say_that_nothing_else_is_on_offer(call, put, tmp_path) -> None:
    answer = str(write_xlsx(tmp_path / "a.xlsx", {"Q": sheet_of([asked("R1", rate=2)])}))
    log = put("jobs.csv", LOG)
    assert "--prices" in call("plan", "--jobs", log, "--prices", answer).err
    assert "--prices" not in call("plan", "--jobs", log, "--prices", answer, put("p.csv", LIST)).err


@pytest.mark.long
def test_every_row_that_cannot_be_read_is_said(call, put, tmp_path) -> None:
    rows = [asked(f"R{number}", rate=f"about {number}") for number in range(1, 26)]
    answer = str(write_xlsx(tmp_path / "a.xlsx", {"Q": sheet_of(rows)}))
    said = call("plan", "--jobs", put("jobs.csv", LOG), "--prices", answer, put("p.csv", LIST), text=True)
    lines = [line for line in said.out.splitlines() if line.startswith(f"{answer}:")]
    assert [line.split()[2] for line in lines] == [f"Q!N{number}" for number in range(14, 39)]


@pytest.mark.long
def test_a_remark_that_changes_the_offer_is_said_and_awarded_only_once_it_is_taken(
    call, put, tmp_path
) -> None:
    remark = "RTX 4090 nodes instead of H100"
    row = asked("R1", rate=2, start="2026-11-01", gpus=8, remark=remark)
    answer = str(write_xlsx(tmp_path / "a.xlsx", {"Q": [*sheet_of([row]), ["Free of set-up fees."]]}))
    name = "quote Northlight RFQ-20260930-7C1E R1"
    checked = call("check", answer)
    (file,) = checked.document["files"]
    assert [issue["code"] for issue in file["issues"] if "RTX 4090" in issue["message"]] == ["undecided"]
    files = ("--jobs", put("jobs.csv", LOG), "--prices", put("p.csv", LIST), answer, *FIRM)
    said = call("award", *files).document
    (quote,) = [one for one in said["quotes"] if one["offer_id"] == name]
    assert quote["remark"] == f"{remark}; Free of set-up fees."
    assert "RTX 4090" in quote["undecided"] and quote["offer_gpus"] == 0
    assert quote["if_taken_usd"] == pytest.approx(8 * 8760 * 2)
    assert not any(row["awards"] for row in said["rows"])
    (beside,) = [one for one in said["considered"] if one["offer_id"] == name]
    assert (beside["qualifies"], beside["remark"], beside["undecided"]) == (
        False,
        quote["remark"],
        quote["undecided"],
    )
    taken = call("award", *files, "--take", name).document
    (given,) = [one for row in taken["rows"] for one in row["awards"]]
    assert (given["offer_id"], given["remark"]) == (name, quote["remark"])
    assert given["liability_usd"] == pytest.approx(quote["if_taken_usd"])
    assert all(one["undecided"] is None and one["if_taken_usd"] is None for one in taken["quotes"])
    wrong = call("award", *files, "--take", "nobody")
    assert wrong.status == 2 and name in wrong.err
    idle = ("--change", "demand:all=0@2026-10-31")  # nothing is asked for any more
    for gone in ((), idle):
        text = call("award", *files, *gone, text=True).out
        assert str(UNDECIDED.title) in text and remark in text
        assert ("nothing to award" in text) == bool(gone)
    (waits,) = [one for one in call("award", *files, *idle).document["quotes"] if one["undecided"]]
    assert (waits["offer_id"], waits["reasons"][-1]) == (name, waits["undecided"])

"""--ends, --begins, --planned and --change: the plan moves, the past does not, and wrong words are usage errors."""

import pytest

from tests.cli.test_plan import JOB_HEADER, MONTH_H, OFFER_HEADER, STILL, at, job
from tests.files.workbook.recalculate import cells_of, names_of
from tests.some_of import some_of

PRICES = "od,H100,STANDARD,0,6,,,\n"
HOURS = 400


@pytest.fixture
def words(put) -> list[str]:  # type: ignore[no-untyped-def]
    jobs = JOB_HEADER + job(1, 10, 0, HOURS) + job(2, 4, 0, HOURS, "training")
    files = ["--jobs", put("jobs.csv", jobs), "--prices", put("prices.csv", OFFER_HEADER + PRICES)]
    return [*files, *STILL, "--start", at(0), "--end", at(HOURS)]


def months(document: dict) -> list[float]:  # type: ignore[type-arg]
    return [round(row["do_nothing_usd"] / MONTH_H / 6, 6) for row in document["comparison"]]


@pytest.mark.long
def test_who_comes_and_goes_is_there_in_its_months(call, put, words) -> None:  # type: ignore[no-untyped-def]
    plain = call("plan", *words).document
    assert months(plain) == [14.0] * 12
    key = next(row["key"] for row in plain["workloads"] if row["class"] == "training")
    planned = put(
        "planned.csv", f"name,pool,gpu_model,gpus,begins\nnew,burst,H100,8,{at(HOURS + 3 * MONTH_H)}\n"
    )
    said = call(
        "plan", *words, "--ends", f"{key}={at(HOURS + 2 * MONTH_H)}", "--planned", planned,
        "--change", f"demand:inference=1.5@{at(HOURS + 5 * MONTH_H)}",
    ).document  # fmt: skip
    assert months(said) == [14.0] * 2 + [10.0] + [18.0] * 2 + [23.0] * 7
    assert said["totals"]["current_usd_per_month"] == plain["totals"]["current_usd_per_month"]
    assert said["classes"] == plain["classes"] and said["window"] == plain["window"]
    rows = {row["key"]: row for row in said["workloads"]}
    assert list(rows) == sorted(rows) and rows[key]["ends"] == at(HOURS + 2 * MONTH_H)
    new = rows["//new"]
    assert (new["planned"], new["class"], new["gpu_hours"], new["peak_gpus"]) == (True, "burst", 0.0, 8.0)
    assert [row["planned"] for row in plain["workloads"]] == [False, False]
    (file,) = [one for one in said["intake"]["files"] if one["kind"] == "planned"]
    assert (file["rows_read"], file["rows_accepted"]) == (1, 1)


def test_planned_work_is_assigned_like_any_other(call, put, words) -> None:  # type: ignore[no-untyped-def]
    planned = put("planned.csv", "name,pool,gpu_model,gpus,team\nnew,burst,H100,8,lab\n")
    said = call("plan", *words, "--planned", planned, "--assign", "/lab/new=training").document
    (new,) = [row for row in said["workloads"] if row["planned"]]
    assert (new["pool"], new["class"]) == ("training", "training")
    assert {row["pool"]: row["mean_gpus"] for row in said["pools"]} == {"inference": 10.0, "training": 12.0}
    for option in ("--assign", "--label"):
        refused = call("plan", *words, "--planned", planned, option, "//new=training")
        assert refused.status == 2 and "'//new'" in refused.err


@pytest.mark.long
def test_the_class_of_planned_work_is_its_pool(call, put, words) -> None:  # type: ignore[no-untyped-def]
    words = [*words, "--planned", put("planned.csv", "name,pool,gpu_model,gpus\nnew,burst,H100,8\n")]
    assigned = call("plan", *words, "--assign", "//new=training").document
    labelled = call("plan", *words, "--label", "//new=training").document
    assert labelled["workloads"] == assigned["workloads"] and labelled["pools"] == assigned["pools"]
    both = call("plan", *words, "--label", "//new=inference", "--assign", "//new=training").document
    assert both["workloads"] == assigned["workloads"]


def test_rejected_planned_rows_are_shown_like_those_of_jobs(call, put, words) -> None:  # type: ignore[no-untyped-def]
    rows = "".join(f"r{number},burst,H100,8,soon\n" for number in range(12))
    path = put("planned.csv", f"name,pool,gpu_model,gpus,length_hours\nok,burst,H100,8,\n{rows}")
    said = call("plan", *words, "--planned", path)
    (file,) = [one for one in said.document["intake"]["files"] if one["kind"] == "planned"]
    assert (file["rows_read"], file["rows_accepted"], file["rows_rejected"]) == (13, 1, 12)
    assert not said.err
    text = call("plan", *words, "--planned", path, text=True).out
    shown = [line for line in text.splitlines() if line.startswith(f"{path}:")]
    assert len(shown) == 11 and shown[0].startswith(f"{path}:3: bad_number: length_hours is 'soon'")
    assert "bad_number: 2 more rows" in shown[-1]


@pytest.mark.long
def test_peak_and_p95_are_of_days_that_there_are(call, put, words) -> None:  # type: ignore[no-untyped-def]
    document = call("plan", *words).document
    plain = document["pools"]
    (key,) = [row["key"] for row in document["workloads"] if row["class"] == "inference"]
    for share, p95 in ((0.5, 10.0), (0.25, 10.0), (0.04, 0.0)):
        pools = call("plan", *words, "--ends", f"{key}={at(HOURS + round(MONTH_H * share))}").document[
            "pools"
        ]
        (row,) = [pool for pool in pools if pool["pool"] == "inference"]
        assert row["mean_gpus"] == pytest.approx(10 * round(MONTH_H * share) / MONTH_H)
        assert (row["p95_gpus"], row["peak_gpus"]) == (p95, 10.0)
        rest = [pool for pool in pools if pool["pool"] != "inference"]
        assert rest == [pool for pool in plain if pool["pool"] != "inference"]


@pytest.mark.long
def test_prices_step_on_their_day_by_use_and_for_what_is_signed_then(call, put, words) -> None:  # type: ignore[no-untyped-def]
    more = ["--prices", put("more.csv", OFFER_HEADER + PRICES + "c12,H100,COMMITTED,12,5.9,,,\n")]
    step = ["--change", f"price:h100=0.5@{at(HOURS + 3 * MONTH_H + MONTH_H // 2)}"]
    plain, said = call("plan", *words, *more).document, call("plan", *words, *more, *step).document
    assert months(said) == [14.0] * 3 + [10.5] + [7.0] * 8
    assert any(one["term_months"] == 12 for one in plain["orders"])
    assert [one for one in said["orders"] if one["start"] < at(HOURS + 3 * MONTH_H)] == []
    past = call("plan", *words, *more, "--change", f"price:H100=0.5@{at(HOURS)}").document
    assert months(past) == [7.0] * 12 and past["totals"]["plan_usd_per_month"] == pytest.approx(
        plain["totals"]["plan_usd_per_month"] / 2
    )


@pytest.mark.parametrize(
    "wrong",
    some_of(
        [
            ["--ends", "nobody=2026-05-01"],
            ["--ends", "2026-05-01"],
            ["--ends", "a//inference-1=soon"],
            ["--change", "demand:nobody=2@2026-05-01"],
            ["--change", "demand:burst=2@2026-05-01"],
            ["--change", "price:L40S=2@2026-05-01"],
            ["--change", "price:H100=0@2026-05-01"],
            ["--change", "rate:H100=2@2026-05-01"],
            ["--change", "demand:all=-1@2026-05-01"],
        ],
        quick=1,
    ),
)
def test_wrong_words_are_usage_errors(call, words, wrong: list[str]) -> None:  # type: ignore[no-untyped-def]
    said = call("plan", *words, *wrong)
    assert said.status == 2 and said.err.startswith("gpuplanner: usage: ")


@pytest.mark.long
def test_a_plan_with_dates_has_its_workbook(call, words, tmp_path) -> None:  # type: ignore[no-untyped-def]
    key = next(row["key"] for row in call("plan", *words).document["workloads"])
    said = call("export", *words, "--ends", f"{key}={at(HOURS)}", "--out", str(tmp_path / "plan.xlsx"))
    assert said.status == 0, said.err
    book = tmp_path / "plan.xlsx"
    sheet, cell = names_of(book)["all_checks"]
    assert str(cells_of(book)[sheet][cell]).startswith("green")


def test_a_team_ends_as_one_and_a_workload_of_it_may_end_another_day(call, words) -> None:  # type: ignore[no-untyped-def]
    plain = call("plan", *words).document
    (team,) = {row["team"] for row in plain["chargeback"]}
    said = call("plan", *words, "--ends", f"team:{team}={at(HOURS)}").document
    assert months(said) == [0.0] * 12
    key = next(row["key"] for row in plain["workloads"] if row["class"] == "training")
    own = ["--ends", f"{key}={at(HOURS + 2 * MONTH_H)}"]
    assert (
        months(call("plan", *words, *own, "--ends", f"team:{team}={at(HOURS)}").document)
        == [4.0] * 2 + [0.0] * 10
    )
    refused = call("plan", *words, "--ends", f"team:eve={at(HOURS)}")
    assert refused.status == 2 and team in refused.err


def test_of_a_provider_that_stops_contracts_end_and_offers_close(call, put):
    """8 GPUs all the time: 4 under contract at V, the rest by use; from 1 March on W alone serves all of it."""
    jobs = put("jobs.csv", "job_id,cluster,name,gpu_model,gpus,start,end,class\n"
               "1,c,serve,H100,8,2026-01-01T00:00:00Z,2026-01-15T00:00:00Z,inference\n")  # fmt: skip
    contracts = put(
        "contracts.csv",
        "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,notice_days\n"
        "k,V,c,H100,4,2,2026-01-01,2028-01-01,COMMITTED,30\n",
    )
    prices = put(
        "prices.csv",
        "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
        "v-use,V,H100,STANDARD,0,5\nv-12,V,H100,COMMITTED,12,3\nw-use,W,H100,STANDARD,0,7\n",
    )
    still = [word for name in ("lambda", "delta", "growth", "sigma") for word in ("--set", f"{name}=0")]
    words = (
        "--jobs",
        jobs,
        "--contracts",
        contracts,
        "--prices",
        prices,
        "--set",
        "slices_lived=off",
        *still,
    )
    found = call("plan", *words, "--ends", "provider:v=2026-03-01").document
    months = found["comparison"]
    assert months[0]["contracts_usd"] == pytest.approx(4 * 2 * 730)
    assert months[3]["contracts_usd"] == 0
    assert months[3]["plan_usd"] == pytest.approx(8 * 7 * 730)
    assert not any(order["offer_id"].startswith("v-") for order in found["orders"])
    assert call("plan", *words, "--ends", "provider:nobody=2026-03-01").status == 2

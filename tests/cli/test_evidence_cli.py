"""What a log is evidence of, through files: one job is none, and a gap is missing or idle."""

import pytest

from tests.cli.test_plan import PLAIN

HEAD = "job_id,cluster,name,gpu_model,gpus,start,end\n"
PRICES = (
    "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
    "od,H100,STANDARD,0,6.88\nm1,H100,COMMITTED,1,3.50\nm36,H100,COMMITTED,36,2.00\n"
)
BY_USE = PRICES[: PRICES.index("m1")]
DAYS = [*range(1, 11), *range(21, 32)]
HALVES = HEAD + "".join(
    f"{day},c1,train-{day},H100,8,2026-01-{day:02}T00:00:00Z,2026-01-{day:02}T12:00:00Z\n" for day in DAYS
)
ONE_RUN = (
    HEAD + "7,c1,train-x,H100,64,2026-01-02T00:00:00Z,2026-02-20T00:00:00Z\n"
    "9,c1,train-y,H100,64,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"
)


@pytest.fixture
def words(put):  # type: ignore[no-untyped-def]
    def of(jobs: str, prices: str = PRICES) -> list[str]:
        return [*PLAIN, "--jobs", put("jobs.csv", jobs), "--prices", put("prices.csv", prices)]

    return of


def codes(document) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {one["code"]: one["message"] for one in document["checks"]}


@pytest.mark.long
def test_one_job_is_named_and_signs_nothing_long(call, words) -> None:  # type: ignore[no-untyped-def]
    lived = ("--set", "slices_lived=on")
    plan = call("plan", *words(ONE_RUN), *lived).document
    assert all(part in codes(plan)["one_job"] for part in ("7 of c1//train-x", "64 GPUs for 49 days"))
    assert {row["term_months"] for row in plan["orders"] if row["reason"] != "if_it_lasts"} == {1}
    told = call("plan", *words(ONE_RUN), *lived, "--begins", "c1//train-x=2026-02-20").document
    assert "one_job" not in codes(told)
    assert 36 in {row["term_months"] for row in told["orders"] if row["reason"] != "if_it_lasts"}


@pytest.mark.long
def test_a_gap_is_asked_about_and_said_to_be_missing(call, words, tmp_path) -> None:  # type: ignore[no-untyped-def]
    plain = call("plan", *words(HALVES, BY_USE)).document
    gap = codes(plain)["log_gap"]
    assert all(value in gap for value in ("252 hours", "2026-01-10T12:00:00Z", "2026-01-21T00:00:00Z"))
    assert plain["pools"][0]["layers"][-1]["usd_per_month"] == pytest.approx(
        730 * 8 * 6.88 * (21 * 12) / (31 * 24 - 12)
    )
    missing = call("plan", *words(HALVES, BY_USE), "--gap", "missing").document
    assert "log_gap" not in codes(missing)
    assert missing["pools"][0]["layers"][-1]["usd_per_month"] == pytest.approx(
        730 * 8 * 6.88 * (21 * 12) / (31 * 24 - 12 - 252)
    )
    assert "missing or idle?" in call("plan", *words(HALVES, BY_USE), text=True).out
    saved = str(tmp_path / "a.gpuplan")
    out = ("--out", str(tmp_path / "a.xlsx"), "--project", saved)
    exported = call("export", *words(HALVES, BY_USE), "--gap", "missing", *out)
    assert exported.status == 0
    assert call("plan", saved).document["pools"] == missing["pools"]


def test_jobs_without_gpus_leave_no_gap(call, words) -> None:  # type: ignore[no-untyped-def]
    with_cpu = HALVES + "c,c1,etl,,0,2026-01-11T00:00:00Z,2026-01-20T12:00:00Z\n"
    assert "log_gap" not in codes(call("plan", *words(with_cpu)).document)


SPOT = PRICES.splitlines()[0].replace("gpu_model", "provider,gpu_model") + (
    "\nod,Elm,H100,STANDARD,0,6.88\na,Ash,H100,DYNAMIC,0,2.00\nb,Birch,H100,DYNAMIC,0,2.20\n"
)
TAKEN = (
    "provider,gpu_model,start,end\nAsh,H100,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z\n"
    "Birch,NVIDIA H100 80GB HBM3,2026-01-01T00:00:00Z,2026-01-11T00:00:00Z\n"
)


@pytest.mark.long
def test_spot_counts_with_the_nodes_of_its_provider(call, words, put, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Known answer 28: Ash at 2.00 is taken every 10 h, Birch at 2.20 every 240 h."""
    sweeps = HALVES.replace(",train-", ",sweep-")
    given = [*words(sweeps, SPOT), "--interruptions", put("taken.csv", TAKEN)]
    plan = call("plan", *given).document
    assert plan["interruptions"] == {
        "node_hours": 0, "interruptions": 0, "spot_node_mtbf_hours": None, "is_taken": False, "source": None,
        "by_model": [
            {"provider": "Ash", "gpu_model": "H100", "node_hours": 10, "interruptions": 1, "spot_node_mtbf_hours": 10},
            {
                "provider": "Birch", "gpu_model": "H100", "node_hours": 240, "interruptions": 1,
                "spot_node_mtbf_hours": 240,
            },
        ],
    }  # fmt: skip
    (layer,) = plan["pools"][0]["layers"]
    assert (layer["offer_id"], layer["rate_usd_per_gpu_hour"]) == ("b", pytest.approx(2.2685, abs=5e-5))
    assert call("plan", *words(sweeps, SPOT)).document["pools"][0]["layers"][0]["offer_id"] == "a"
    told = call("plan", *given, text=True).out
    (line,) = [line for line in told.splitlines() if line.startswith("Spot: ")]
    assert all(value in line for value in ("H100", "Birch", "240.0 h", "1 in 240"))
    saved = str(tmp_path / "a.gpuplan")
    assert call("export", *given, "--out", str(tmp_path / "a.xlsx"), "--project", saved).status == 0
    assert call("plan", saved).document["pools"] == plan["pools"]
    (file,) = call("check", put("taken.csv", TAKEN)).document["files"]
    assert len(file["facts"]["by_model"]) == 2

"""A GPU model mapped onto another on the command line: what is bought, what is a usage error, nothing without it."""

import pytest

from tests.cli.test_plan import JOB_HEADER, PLAIN, at, job
from tests.some_of import some_of

HEADER = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
PRICES = HEADER + "od,H100,STANDARD,0,8.00\ny,H100,COMMITTED,12,4.00\nbig,H200,COMMITTED,12,4.80\n"


def inputs(put) -> list[str]:
    jobs = JOB_HEADER + "".join(job(hour, 9, hour, hour + 1) for hour in range(800))
    words = [
        "--jobs",
        put("jobs.csv", jobs),
        "--start",
        at(0),
        "--end",
        at(800),
        "--prices",
        put("p.csv", PRICES),
    ]
    return [*words, *PLAIN, "--set", "sigma=0", "--set", "delta=0", "--set", "lambda=0"]


@pytest.mark.long
def test_a_mapped_model_is_bought_in_whole_gpus_where_it_is_cheaper(call, put) -> None:
    """4.80 for the work of two is 2.40 for one; nine H100 are the work of five H200, of which half a GPU is spare."""
    words = inputs(put)
    alone = call("plan", *words).document
    (layer,) = alone["pools"][0]["layers"]
    assert (layer["offer_id"], layer["offer_gpu_model"], layer["offer_gpus"]) == ("y", "H100", 9.0)
    mapped = call("plan", *words, "--map-model", "h100=h200:2").document
    (layer,) = mapped["pools"][0]["layers"]
    assert (layer["offer_id"], layer["gpus"], layer["utilization"]) == ("big", 9.0, 1.0)
    assert (layer["offer_gpu_model"], layer["offer_gpus"]) == ("H200", 5.0)
    assert layer["offer_rate_usd_per_gpu_hour"] == 4.8
    assert layer["usd_per_month"] == pytest.approx(5 * 4.8 * 730)
    assert mapped["totals"]["plan_usd_per_month"] == pytest.approx(5 * 4.8 * 730)
    assert mapped["comparison"][0]["plan_usd"] == pytest.approx(5 * 4.8 * 730)
    (order,) = mapped["orders"]
    assert (order["gpu_model"], order["gpus"], order["offer_gpu_model"], order["offer_gpus"]) == (
        "H100",
        9.0,
        "H200",
        5.0,
    )
    assert "5 H200" in call("plan", *words, "--map-model", "H100=H200:2", text=True).out


@pytest.mark.parametrize(
    "text",
    some_of(
        [
            "H100",
            "H100=H200",
            "=H200:2",
            "H100=:2",
            "H100=H200:x",
            "H100=H200:0",
            "H100=H100:2",
            "A100=H200:2",
        ],
        quick=1,
    ),
)
def test_a_mapping_that_cannot_be_is_a_usage_error(call, put, text) -> None:
    answer = call("plan", *inputs(put), "--map-model", text)
    assert answer.status == 2
    assert answer.err.startswith("gpuplanner: usage: --map-model")

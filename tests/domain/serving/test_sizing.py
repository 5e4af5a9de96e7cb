"""Inference sizing: one row by hand, and the laws that every row keeps."""

from dataclasses import replace
from math import ceil, isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.served_model import ServedModel, WeekRates
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.serving.gpus import ServingGpu, serving_gpus
from gpuplanner.domain.serving.load import Load, load_of_week
from gpuplanner.domain.serving.replica import mean_wait_s
from gpuplanner.domain.serving.sizing import ServingTerms, SizedRow, replicas_for, size_rows, terms_of

GPUS = (
    ServingGpu("B300", 288, 8.0, None),
    ServingGpu("H100", 80, 3.35, 990),
    ServingGpu("L40S", 48, 0.864, 362),
)
SMALL = ServedModel("small", 8_000_000_000, 32, 8, 128)
LARGE = ServedModel("large", 70_000_000_000, 80, 8, 128)
WEEK = WeekRates(tuple(float(10 + 30 * (hour % 24 >= 8)) for hour in range(168)), "week.csv")


def week_load(scale: float = 1.0, tokens: tuple[float, float] = (1000, 250)) -> Load:
    load = load_of_week(replace(WEEK, rates_per_s=tuple(scale * (r or 0) for r in WEEK.rates_per_s)), *tokens)
    assert load is not None
    return load


def row_of(rows: tuple[SizedRow, ...], gpu: str, precision: str, parallel: int) -> SizedRow:
    return next(row for row in rows if row.row_id == (gpu, precision, parallel))


def test_one_row_by_hand() -> None:
    """The small model on one H100: weights 16 GB, 131,072 bytes a token, 1,250 tokens a request, 40 requests/s."""
    row = row_of(size_rows(SMALL, week_load(), GPUS, ServingTerms()), "H100", "BF16", 1)
    kept_gb = 1250 * 131_072 / 1e9
    assert (row.fits, row.weights_gb, row.concurrency) == (True, 16.0, 256)
    assert isclose(row.memory_gb, 16 + 8 * kept_gb)
    assert row.usable_gb == 72
    step_s = (16 + 256 * kept_gb) / 3350
    prefill_s = 2 * 8e9 * 1000 / 990e12
    mu = 1 / (prefill_s + 250 * step_s / 256)
    assert isclose(row.requests_per_s or 0, mu)
    replicas = ceil(40 / (0.9 * mu))
    assert row.replicas_peak == replicas
    low = ceil(10 / (0.9 * mu))
    assert isclose(row.gpu_hours_per_month_autoscaled or 0, (16 * replicas + 8 * low) / 24 * 730)
    assert isclose(row.busy_at_peak or 0, 40 / (replicas * mu))
    wait_s = mean_wait_s(replicas, 40, mu)
    assert isclose(row.ttft_ms or 0, 4 + 1000 * (wait_s or 0) + 1000 * prefill_s)


def test_concurrency_is_what_fits_beside_the_weights() -> None:
    row = row_of(size_rows(LARGE, week_load(), GPUS, ServingTerms()), "H100", "BF16", 4)
    assert row.concurrency == int((288 - 140) / (1250 * 327_680 / 1e9)) > 256 - 1 or row.concurrency == 256


def test_the_longest_request_has_to_fit() -> None:
    load = replace(week_load(), longest_tokens=600_000.0)
    rows = size_rows(SMALL, load, GPUS, ServingTerms(concurrency=1))
    assert row_of(rows, "H100", "BF16", 1).fits is False
    assert isclose(row_of(rows, "H100", "BF16", 2).memory_gb, 16 + 600_000 * 131_072 / 1e9)


def test_what_is_not_known_is_said_and_not_computed() -> None:
    gpus = (
        ServingGpu("B300", 288, 8.0, None),
        ServingGpu("X1", None, 1.0, 1.0),
        ServingGpu("X2", 80, None, 1.0),
    )
    rows = size_rows(SMALL, week_load(), gpus, ServingTerms())
    bound = row_of(rows, "B300", "BF16", 1)
    assert bound.is_bound and bound.ttft_ms is None and bound.replicas_peak
    assert "at least" in str(bound.why)
    assert row_of(rows, "X1", "BF16", 1).fits is None
    unknown = row_of(rows, "X2", "BF16", 1)
    assert (unknown.fits, unknown.replicas_peak, str(unknown.why)) == (
        True,
        None,
        "the bandwidth of X2 is not known",
    )


def test_too_few_replicas_are_unstable_and_have_no_wait() -> None:
    rows = size_rows(SMALL, week_load(1000), GPUS, ServingTerms(), replicas=1)
    row = row_of(rows, "H100", "BF16", 1)
    assert row.is_unstable and row.ttft_ms is None and (row.busy_at_peak or 0) >= 1
    assert row.gpu_hours_per_month_autoscaled == 730
    assert str(row.why).startswith("unstable")
    more = row_of(size_rows(SMALL, week_load(), GPUS, ServingTerms(), replicas=9), "H100", "BF16", 1)
    assert (more.replicas_peak, more.is_unstable) == (9, False)


def test_no_traffic_asks_for_nothing() -> None:
    row = row_of(size_rows(SMALL, week_load(0.0), GPUS, ServingTerms()), "H100", "BF16", 1)
    assert (row.replicas_peak, row.gpu_hours_per_month_autoscaled) == (0, 0)


@pytest.mark.parametrize(("rate", "wanted"), [(0.0, 0), (1e-9, 1), (1.8, 1), (1.8000001, 2), (3.6, 2)])
def test_replicas_of_a_rate(rate: float, wanted: int) -> None:
    assert replicas_for(rate, 2.0, 0.9) == wanted


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([SMALL, LARGE]), st.floats(0, 300), st.floats(0, 30_000), st.floats(1, 3000),
    st.integers(1, 64), st.floats(0.2, 1.0),
)  # fmt: skip
def test_laws_of_every_row(model, scale, context, generated, at_once, headroom) -> None:
    load, terms = week_load(scale, (context, generated)), ServingTerms(headroom=headroom, concurrency=at_once)
    rows = size_rows(model, load, GPUS, terms)
    assert [row.row_id for row in rows] == sorted(row.row_id for row in rows)
    assert len(rows) == 3 * 3 * 4
    for row in rows:
        assert row.fits == (
            row.memory_gb <= 0.9 * row.tensor_parallel * (row.gpu_memory_gb or 0) * (1 + 1e-12)
        )
        wider = row_of(rows, row.gpu_model, row.precision, min(8, 2 * row.tensor_parallel))
        assert wider.fits or not row.fits  # more GPUs never fit less
        if row.precision == "BF16":
            narrow = row_of(rows, row.gpu_model, "INT4", row.tensor_parallel)
            assert narrow.memory_gb < row.memory_gb and (narrow.fits or not row.fits)
        if not row.fits:
            assert row.replicas_peak is None and row.why
            continue
        scaled = row.gpu_hours_per_month_autoscaled
        assert row.replicas_peak is not None and scaled is not None and row.requests_per_s is not None
        flat = row.replicas_peak * row.tensor_parallel * 730
        assert 0 <= scaled <= flat * (1 + 1e-12)
        by_hand = sum(
            replicas_for(rate * scale, row.requests_per_s, headroom) * 730 * share
            for rate, share in ((10, 1 / 3), (40, 2 / 3))
        )
        assert isclose(scaled, by_hand * row.tensor_parallel, rel_tol=1e-9)
        assert row.concurrency is not None and at_once <= row.concurrency
        assert row.ttft_ms is None or row.ttft_ms >= 4.0


def test_gpus_of_the_table_and_of_the_offers() -> None:
    table = (GpuModel("H100", 80, 3.35, 990), GpuModel("A100", 80, 2.0, 312))
    names = ("h100", "NVIDIA H100 NVL", "A100-40GB", "TPU")
    offers = [Offer(name, name, PricingCategory.STANDARD, 0, None) for name in names]
    gpus = {gpu.name: gpu for gpu in serving_gpus(table, offers)}
    assert list(gpus) == ["A100", "A100-40GB", "H100", "NVIDIA H100 NVL", "TPU"]
    assert gpus["NVIDIA H100 NVL"] == ServingGpu("NVIDIA H100 NVL", 80, 3.35, 990)
    assert gpus["A100-40GB"] == ServingGpu("A100-40GB", 40, None, None)
    assert gpus["TPU"] == ServingGpu("TPU", None, None, None)


def test_terms_are_the_assumptions() -> None:
    assert terms_of(Assumptions()) == ServingTerms()
    few = terms_of(Assumptions(serving_concurrency=300))
    assert (few.concurrency, few.concurrency_most) == (300, 300)

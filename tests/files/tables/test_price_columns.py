"""Which price of a list is the machine's and which is of one GPU, whatever they are called; and what a price is for."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.importing.recognise import recognise
from tests.some_of import examples


def _read(folder: Path, text: str) -> PricesRead:
    path = folder / "list.csv"
    path.write_text(text)
    return import_prices([str(path)])


def _rates(folder: Path, text: str) -> list[float]:
    return sorted(offer.rate or 0.0 for offer in _read(folder, text).offers)


def _codes(read: PricesRead) -> dict[str, str]:
    return {issue.code: issue.message for issue in read.intake[0].issues}


NAMES = st.sampled_from(
    [
        ("raw_price", "price_per_hour"),
        ("price_per_hour", "raw_price"),
        ("price", "cost per hour"),
        ("$/h", "price per gpu"),
    ]
)


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=NAMES,
    rows=st.lists(st.tuples(st.sampled_from([2, 4, 8, 16]), st.integers(50, 1500)), min_size=1, max_size=6),
    is_machine_first=st.booleans(),
)
def test_of_two_prices_the_one_that_counts_the_gpus_is_the_machine_s(
    tmp_path: Path, names: tuple[str, str], rows: list[tuple[int, int]], is_machine_first: bool
) -> None:
    """Law: whatever the columns are called and wherever they stand, the rate is that of one GPU."""
    lines = []
    for at, (gpus, cents) in enumerate(rows):
        whole, each = f"{gpus * cents / 100:.2f}", f"{cents / 100:.2f}"
        prices = (whole, each) if is_machine_first else (each, whole)
        lines.append(f"P{at},A6000,{gpus},{prices[0]},{prices[1]}")
    header = f"provider,gpu_model,gpu_count,{names[0]},{names[1]}"
    rates = _rates(tmp_path, "\n".join((header, *lines)) + "\n")
    assert rates == pytest.approx(sorted(cents / 100 for _, cents in rows))


def test_what_does_not_agree_with_the_machine_s_price_is_still_said(tmp_path: Path) -> None:
    rows = [f"P{at},H100,8,{8 * (2 + at)},{2 + at}" for at in range(5)]
    read = _read(
        tmp_path,
        "provider,gpu,gpus,total,per_gpu_hour\n".replace("total", "raw_price")
        + "\n".join((*rows, "Q,H100,8,24,2.5"))
        + "\n",
    )
    assert "2.5 stated, 3 computed" in str(_codes(read)["price_mismatch"])


@pytest.mark.parametrize(
    ("rows", "rate"),
    [
        ("X,A100,8,14.32\nX,A100,4,7.16\nX,A100,1,1.79\n", 1.79),  # it grows with the GPUs
        ("X,A100,8,1.79\nX,A100,4,1.79\nX,A100,1,1.79\n", 1.79),  # it does not
        ("X,L40S,8,6.32\n", 0.79),  # nearer the market
    ],
)
@pytest.mark.parametrize("heading", ["price", "price_per_hour"])
def test_of_one_price_the_list_or_the_market_tells(
    tmp_path: Path, rows: str, rate: float, heading: str
) -> None:
    rates = _rates(tmp_path, f"provider,gpu_model,gpu_count,{heading}\n{rows}")
    assert rates == pytest.approx([rate] * rows.count("\n"))


@pytest.mark.parametrize(
    ("heading", "cell", "rate"),
    [
        ("price_cents_per_hour", "299", 2.99),
        ("Price per second", "0.000775", 2.79),
        ("Price per GPU per minute", "0.05", 3.0),
        ("Price per GPU per day", "60", 2.5),
        ("Price per 8-GPU node hour", "22.00", 2.75),
        ("$/month (8x H100 node)", "16060", 2.75),
        ("Price per 8 GPUs per hour", "22.00", 2.75),
        ("Monthly price per GPU", "1460", 2.0),
        ("Annual price per GPU", "19272", 2.2),
    ],
)
def test_what_a_heading_says_a_price_is_for(tmp_path: Path, heading: str, cell: str, rate: float) -> None:
    read = _read(tmp_path, f"Provider,GPU,{heading}\nX,H100,{cell}\n")
    assert [offer.rate for offer in read.offers] == pytest.approx([rate])
    assert "odd_rate" not in _codes(read)
    assert "computed" in _codes(read)  # and how it was worked out is said


def test_a_number_that_looks_like_a_month_s_is_asked_about_and_not_divided(tmp_path: Path) -> None:
    read = _read(tmp_path, "Provider,GPU,Price,Term\nX,H100,1980,12 months\n")
    assert [offer.rate_usd_per_gpu_hour for offer in read.offers] == [Decimal(1980)]
    assert "$2.71 if it is a GPU per month" in str(_codes(read)["odd_rate"])


def test_what_is_counted_per_gpu_beside_money_is_no_price(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("gpu_model,gpus,output_tokens_per_s_per_gpu,date,source\nB300,4,931,2026-04-17,us\n")
    assert recognise(str(path)).kind != "prices"

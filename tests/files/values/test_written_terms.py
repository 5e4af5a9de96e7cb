"""Terms in the words of how a GPU is paid: read where a column of terms is empty, never guessed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.importing.intake import import_contracts, import_prices
from gpuplanner.files.values.written_terms import term_within

OWN = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"


@given(
    st.integers(1, 60),
    st.sampled_from(["{} months", "{}mo", "{}-month", "({} Monate)", "{} mois"]),
    st.sampled_from(["", "Reserved ", "RI-", "savings plan / ", "CUD_"]),
    st.sampled_from(["", " reserved", ", No Upfront", "_flat"]),
)
def test_a_term_is_found_among_other_words(months: int, form: str, before: str, after: str) -> None:
    if after == "_flat" and form[-1].isalpha():
        after = " flat"  # one word with its unit is another word
    assert term_within(before + form.format(months) + after) == months
    assert term_within(before + form.format(months) + " or 61 months") is None


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("Reserved 1 year", 12),
        ("3 Jahre reserviert", 36),
        ("RI 1yr No Upfront", 12),
        ("CUD THIRTY_SIX_MONTH", 36),
        ("twenty-four months", 24),
        ("reserved 1 year (12 months)", 12),
        ("Reserved", None),
        ("Reserved 36", None),
        ("1-3 years", None),
        ("1 or 3 years", None),
        ("1 year 6 months", None),
        ("p5.48xlarge", None),
        ("", None),
    ],
)
def test_odd_cells(text: str, months: int | None) -> None:
    assert term_within(text) == months


def test_ways_to_pay_say_their_terms(tmp_path: Path) -> None:
    said = {"1-year reserved": 12, "12 months": 12, "Savings Plan 3yr": 36, "On-Demand": 0, "Spot": 0}
    path = tmp_path / "prices.csv"
    rows = "".join(f"X,H100,{way},{at}\n" for at, way in enumerate(said, 1))
    path.write_text(f"provider,gpu,pricing,price_per_gpu_hour\n{rows}")
    read = import_prices([str(path)])
    assert read.intake[0].rows_accepted == len(said)
    by_rate = {offer.rate: offer.term_months for offer in read.offers}
    assert by_rate == {float(at): months for at, months in enumerate(said.values(), 1)}


def test_a_column_of_terms_counts_before_words(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(f"{OWN}a,H100,Reserved 1 year,36,2\nb,H100,Reserved 1 year,,2\nc,H100,STANDARD,,3\n")
    assert [offer.term_months for offer in import_prices([str(path)]).offers] == [36, 12, 0]


@pytest.mark.parametrize("way", ["Reserved", "COMMITTED", "Reserved 1-3 years"])
def test_a_commitment_without_a_term_is_told_what_to_give(tmp_path: Path, way: str) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(f"{OWN}a,H100,{way},,2\n")
    (row,) = import_prices([str(path)]).intake[0].rejected
    assert row.code == "bad_number" and "term_months" in str(row.message) and "0.5" not in str(row.message)


def test_a_contract_ends_after_the_term_in_its_words(tmp_path: Path) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text("Contract,GPU,GPUs,Type,Start,Price\nC1,H100,8,Reserved 1 year,2026-01-01,2\n")
    read = import_contracts([str(path)])
    (contract,) = read.contracts
    assert contract.term_months == 12 and contract.end_s == contract.start_s + 365 * 86400
    assert "computed" in {issue.code for issue in read.intake[0].issues}

"""Rates far from the market are asked about in every intake of contracts and prices; their rows stay accepted."""

from pathlib import Path

import pytest

from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.importing.import_tables import import_contracts, import_prices

CONTRACTS = "contract_id,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category\n"
PRICES = "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,as_of\n"


def _issue(file: FileIntake) -> Issue | None:
    return next((issue for issue in file.issues if issue.code == "odd_rate"), None)


def _contract(tmp_path: Path, model: str, rate: str, category: str = "") -> tuple[Issue | None, FileIntake]:
    path = tmp_path / "contracts.csv"
    path.write_text(
        f"{CONTRACTS}c0,H100,8,2.5,2026-01-01,2027-01-01,\nc1,{model},64,{rate},2026-01-01,2027-01-01,{category}\n"
    )
    (file,) = import_contracts([str(path)]).intake
    return _issue(file), file


def test_a_month_s_price_in_a_contract_is_asked_about_with_its_row_and_what_it_may_be(tmp_path: Path) -> None:
    issue, file = _contract(tmp_path, "H100", "1980")
    assert (file.rows_accepted, issue.count, issue.first_row) == (2, 1, 3)
    assert all(part in str(issue.message) for part in ("row 3: ", "H100", "$1,980", "$2.71"))


@pytest.mark.parametrize(
    ("model", "rate", "category"),
    [
        ("H100 SXM", "2.5", ""),
        ("H100", "12.29", "on demand"),
        ("RTX 9999", "1980", ""),  # a family that nobody knows is held against nothing
        ("H100 MIG 1g.10gb", "0.4", "on demand"),  # a part of one
        ("H100", "", ""),
        ("A100", "1.29", "on demand"),  # of 40 or 80 GB: far from neither
    ],
)
def test_what_the_market_asks_is_not_asked_about(
    tmp_path: Path, model: str, rate: str, category: str
) -> None:
    assert _contract(tmp_path, model, rate, category)[0] is None


def test_offers_are_held_against_the_market_of_their_way_to_pay(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    rows = ("dear,X,H100,STANDARD,,55.04,2026-10-01", "cheap,X,H100,DYNAMIC,,0.2,2026-10-01")
    rows += ("fair,X,H100,DYNAMIC,,1.9,2026-10-01", "low,X,H100,STANDARD,,0.8,2026-10-01")
    path.write_text(PRICES + "\n".join(rows) + "\n")
    read = import_prices([str(path)])
    issue = _issue(read.intake[0])
    assert (len(read.offers), issue.count, issue.first_row) == (4, 3, 2)
    assert "spot at $0.2" in str(issue.message)
    assert "a node of 8 GPUs" in str(issue.message)


def test_the_list_that_ships_with_the_product_is_not_odd() -> None:
    assert _issue(import_prices(["builtin"]).intake[0]) is None

"""Tables with providers or GPU models as columns: each cell an offer, each day a rate in the history."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.prices.wide_prices import find_wide
from tests.files.sources_of_text import text_source
from tests.some_of import examples

DAYS = "date,aws,lambda\n2025-01-01,12.29,2.99\n2025-07-01,6.88,\n2026-01-01,6.88,3.29\n"


def _read(folder: Path, text: str, name: str = "list.csv") -> PricesRead:
    path = folder / name
    path.write_text(text)
    return import_prices([str(path)])


def test_providers_as_columns(tmp_path: Path) -> None:
    read = _read(tmp_path, "GPU,AWS,Azure,Google Cloud\nH100,6.88,12.29,n/a\nB200,14.24,,13.9\n")
    found = {(o.provider, o.gpu_model): o.rate for o in read.offers}
    assert found == {
        ("AWS", "H100"): 6.88,
        ("Azure", "H100"): 12.29,
        ("AWS", "B200"): 14.24,
        ("Google Cloud", "B200"): 13.9,
    }
    assert {str(offer.pricing_category) for offer in read.offers} == {"STANDARD"}


@pytest.mark.parametrize("first", ["GPU", ""])
def test_blocks_of_a_way_to_pay_stand_over_the_same_providers(tmp_path: Path, first: str) -> None:
    read = _read(
        tmp_path,
        f"{first},On-demand,,Reserved 1 yr,\n{'' if first else 'GPU'},CoreWeave,Lambda,CoreWeave,Lambda\n"
        "H100,4.25,2.99,2.90,2.49\nA100,2.21,1.79,1.50,1.29\n",
    )
    rates = {(o.provider, o.gpu_model, o.term_months): o.rate for o in read.offers}
    assert len(rates) == 8
    assert (rates["Lambda", "H100", 0], rates["Lambda", "H100", 12]) == (2.99, 2.49)


def test_a_second_column_of_one_name_is_not_read_and_said(tmp_path: Path) -> None:
    read = _read(tmp_path, "GPU,AWS,Azure,AWS\nH100,6.88,12.29,4.10\n")
    assert sorted(offer.rate or 0 for offer in read.offers) == [6.88, 12.29]
    assert "AWS (2)" in "".join(
        str(one.message) for one in read.intake[0].issues if one.code == "unknown_column"
    )


def test_models_and_ways_to_pay_as_columns(tmp_path: Path) -> None:
    read = _read(
        tmp_path,
        "Provider,H100 On-Demand,H100 Reserved 1yr,H100 Spot\nAWS,$6.88,$4.80,$2.06\nAzure,$12.29,$7.90,n/a\n",
    )
    found = {(o.provider, str(o.pricing_category), o.term_months): o.rate for o in read.offers}
    assert found[("AWS", "COMMITTED", 12)] == 4.8
    assert found[("AWS", "DYNAMIC", 0)] == 2.06
    assert len(found) == 5
    assert {offer.gpu_model for offer in read.offers} == {"H100"}


@pytest.mark.parametrize(
    ("name", "text"), [("h100_prices.csv", DAYS), ("prices.csv", "H100 on demand\n" + DAYS)]
)
def test_days_by_provider_go_into_the_history(tmp_path: Path, name: str, text: str) -> None:
    read = _read(tmp_path, text, name)
    assert {(o.provider, o.rate, o.as_of) for o in read.offers} == {
        ("AWS", 6.88, "2026-01-01"),
        ("Lambda", 3.29, "2026-01-01"),
    }
    assert {(o.provider, o.rate, o.as_of) for o in read.earlier_offers} == {
        ("AWS", 12.29, "2025-01-01"),
        ("AWS", 6.88, "2025-07-01"),
        ("Lambda", 2.99, "2025-01-01"),
    }
    said = {issue.code: issue.message for issue in read.intake[0].issues}
    assert "H100" in str(said["undecided"])


def test_ways_to_pay_as_rows(tmp_path: Path) -> None:
    read = _read(tmp_path, "Pricing,H100,B200\nOn-Demand,6.88,14.24\nReserved 1yr,4.8,9.9\nSpot,2.06,\n")
    found = {(o.gpu_model, str(o.pricing_category), o.term_months): o.rate for o in read.offers}
    assert found == {
        ("H100", "STANDARD", 0): 6.88,
        ("B200", "STANDARD", 0): 14.24,
        ("H100", "COMMITTED", 12): 4.8,
        ("B200", "COMMITTED", 12): 9.9,
        ("H100", "DYNAMIC", 0): 2.06,
    }


def test_months_by_model_go_into_the_history(tmp_path: Path) -> None:
    read = _read(tmp_path, "Month,H100,B200\n2025-11,2.99,6.1\n2025-12,2.95,6.0\n")
    assert {(o.gpu_model, o.as_of) for o in read.offers} == {("H100", "2025-12-01"), ("B200", "2025-12-01")}
    assert len(read.earlier_offers) == 2


def test_rows_of_one_product_on_several_days_are_one_offer_with_a_history(tmp_path: Path) -> None:
    read = _read(
        tmp_path,
        "date,provider,gpu_model,pricing_category,usd_per_gpu_hour\n"
        "2025-01-01,X,H100,ON_DEMAND,3.5\n2025-02-01,X,H100,ON_DEMAND,3.4\n2025-03-01,X,H100,ON_DEMAND,3.3\n",
    )
    assert [(o.rate, o.as_of) for o in read.offers] == [(3.3, "2025-03-01")]
    assert [o.rate for o in read.earlier_offers] == [3.5, 3.4]


def test_a_table_that_names_no_gpu_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("date,aws,azure\n2025-01-01,12.29,12.29\n2025-07-01,6.88,12.29\n")
    (file,) = check_file(str(path))
    (issue,) = file.issues
    assert (file.kind, issue.code) == ("prices", "missing_column")
    assert "gpu_model" in str(issue.message)


@pytest.mark.parametrize(
    "text",
    [
        "month,H100,A100\n2025-01,640,128\n2025-02,700,256\n",  # GPU-hours
        "user,H100,A100\nann,64,12\nbob,8,4\n",
        "node,H100,L40S\nn1,8,0\nn2,0,4\n",
    ],
)
def test_what_is_used_is_no_price(tmp_path: Path, text: str) -> None:
    path = tmp_path / "use.csv"
    path.write_text(text)
    assert recognise(str(path)).kind != "prices"


CELLS = st.sampled_from(["", "2.5", "-1", "n/a", "abc", "$3", "total", "H100", "2025-13-01", "1,5", "1e99"])


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=8))
def test_every_line_is_a_row_whatever_it_holds(tmp_path: Path, rows: list[list[str]]) -> None:
    sound = "day,H100 ($/h),B200 ($/h)\n2025-01-01,2.5,6.5\n"
    sound += "2025-02-01,2.4,6.5\n" * 99  # with fewer it would be no list of prices
    more = [line for row in rows if (line := ",".join(row)).strip()]
    (file,) = _read(tmp_path, sound + "\n".join(more) + "\n").intake
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert (file.rows_read, sum(ends)) == (100 + len(more), 100 + len(more))


def test_a_row_that_explains_each_heading_is_no_offer_and_spoils_no_column(tmp_path: Path) -> None:
    text = (
        "gpu_type,aws_ec2_on_demand,aws_ec2_36mo,azure_on_demand,vultr_36mo\n"
        "COLUMN GUIDE,AWS EC2 — On-demand,AWS EC2 — 36-month / 3-yr reserved,Azure — On-demand,Vultr — 36-month\n"
        "H100 SXM,$8.26 (IN),$3.57 (IN),$12.29 (US),—\n"
        "H200 SXM,$9.49 (IN),—,$10.60 (eastus2),$2.59\n"
    )
    read = _read(tmp_path, text)
    assert {(o.provider, o.gpu_model, o.term_months): o.rate for o in read.offers} == {
        ("AWS", "H100 SXM", 0): 8.26,
        ("AWS", "H100 SXM", 36): 3.57,
        ("AWS", "H200 SXM", 0): 9.49,
        ("Azure", "H100 SXM", 0): 12.29,
        ("Azure", "H200 SXM", 0): 10.6,
        ("Vultr", "H200 SXM", 36): 2.59,
    }
    (said,) = [one.message for one in read.intake[0].issues if one.code == "not_a_row"]
    assert "COLUMN GUIDE" in str(said)


def test_readings_of_models_by_provider_in_lines_of_json(tmp_path: Path) -> None:
    read = _read(
        tmp_path,
        '{"cheapest": {"crusoe": {"L40S 48GB": 1.57, "MI300X 192GB": 2.59, "H100 80GB SXM": 3.63}, '
        '"lambda": {"H100 80GB SXM": 3.99}}, "collected_at": "2026-10-01T13:13:26+00:00"}\n'
        '{"cheapest": {"crusoe": {"H100 80GB SXM": 3.53}, "lambda": {"H100 80GB SXM": 3.99}}, '
        '"collected_at": "2026-10-02T13:13:26+00:00"}\n',
        "readings.jsonl",
    )
    assert {(o.provider, o.gpu_model): (o.rate, o.as_of) for o in read.offers} == {
        ("crusoe", "L40S"): (1.57, "2026-10-01"),
        ("crusoe", "MI300X"): (2.59, "2026-10-01"),
        ("crusoe", "H100 SXM"): (3.53, "2026-10-02"),
        ("lambda", "H100 SXM"): (3.99, "2026-10-02"),
    }
    assert sorted(o.rate or 0 for o in read.earlier_offers) == [3.63, 3.99]


def test_a_list_by_day_names_its_model_or_several_providers() -> None:
    """One column of prices by day may be anything; two providers by day are prices of the file's model."""
    two = find_wide(text_source("date,aws,lambda\n2025-01-01,12.29,2.99\n"))
    one = find_wide(text_source("date,aws,note\n2025-01-01,12.29,x\n"))
    named = find_wide(text_source("date,aws,note\n2025-01-01,12.29,x\n", "h100_prices.csv"))
    assert two is not None and [column.provider for column in two.prices] == ["AWS", "Lambda"]
    assert one is None
    assert named is not None and named.gpu_model == "H100"

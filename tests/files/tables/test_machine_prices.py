"""Prices of machines: divided by the GPUs of a machine that is told or known, else a quote is needed; never silent."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.system.resources import read_gpu_instances
from gpuplanner.files.tables.column_mapping import ColumnReading
from gpuplanner.files.tables.machine_prices import Machine
from gpuplanner.files.tables.mapped_cells import rate_of
from gpuplanner.files.tables.small_table import Row


def _prices(folder: Path, text: str) -> tuple[FileIntake, list[Decimal | None]]:
    path = folder / "prices.csv"
    path.write_text(text, encoding="utf-8")
    read = import_prices([str(path)])
    (file,) = read.intake
    offers = {
        offer.provider.split()[0]: offer.rate_usd_per_gpu_hour for offer in read.offers if offer.provider
    }
    return file, [offers[name] for name in sorted(offers)]


def _said(file: FileIntake) -> dict[str, str]:
    return {issue.code: issue.message for issue in file.issues}


@pytest.mark.parametrize(
    ("heading", "cell"),
    [
        ("Price per instance-hour (USD)", "98.32"),
        ("USD/instance/hr", "98.32"),
        ("Price per GPU instance per hour", "98.32"),
        ("$ per VM hour", "98.32"),
        ("Price", "$98.32 per instance-hour"),
        ("Hourly price", "98.32"),
        ("Price per instance-month (USD)", "71,773.60"),
    ],
)
def test_the_price_of_an_instance_type_that_is_known_is_divided(
    tmp_path: Path, heading: str, cell: str
) -> None:
    file, rates = _prices(
        tmp_path, f'Provider,Instance type,GPU model,{heading}\nAlpha,p5.48xlarge,H100,"{cell}"\n'
    )
    assert rates == [Decimal("12.29")]
    assert "8 GPUs of a p5.48xlarge" in str(_said(file)["computed"])
    assert "quote_needed" not in _said(file)


def test_the_type_counts_before_a_count_of_instances(tmp_path: Path) -> None:
    table = "Provider,Instance type,GPU model,Qty,Price per instance-hour\nAlpha,p5.48xlarge,H100,1,98.32\n"
    assert _prices(tmp_path, table)[1] == [Decimal("12.29")]


def test_a_count_of_the_row_divides_where_the_type_is_nobodys(tmp_path: Path) -> None:
    table = "Provider,Instance type,GPU model,GPUs,Price per instance-hour\nAlpha,x-large,H100,4,40\n"
    file, rates = _prices(tmp_path, table)
    assert rates == [Decimal(10)]
    assert "40 / (4 GPUs) = 10 per GPU-hour" in str(_said(file)["computed"])


@pytest.mark.parametrize(
    "table",
    [
        "Provider,Instance type,GPU model,Price per instance-hour\nAlpha,x-large,H100,40\n",
        "provider,gpu_model,pricing_category,price,unit\nAlpha,H100,STANDARD,40,per instance-hour\n",
        "Provider,GPU,Price\nAlpha,H100,$40 per instance-hour\n",
        "Provider,GPU,GPU count,Hourly\nBeta,H100,8,24\nAlpha,H100,,$40 / node hr\n",
        "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"
        "a,Alpha,H100,STANDARD,0,$40/node-hr\n",
    ],
)
def test_of_a_machine_that_nobody_knows_a_quote_is_needed_and_the_remedy_said(
    tmp_path: Path, table: str
) -> None:
    file, rates = _prices(tmp_path, table)
    assert rates[0] is None  # Alpha's
    said = _said(file)
    assert "how many GPUs a node has is not told" in str(said["undecided"])
    assert "column gpus" in str(said["undecided"])
    assert "quote_needed" in said


def test_a_column_of_units_says_it_row_by_row(tmp_path: Path) -> None:
    table = (
        "provider,gpu_model,pricing_category,price,unit\n"
        "Alpha p5.48xlarge,H100,STANDARD,98.32,per instance-hour\n"
        "Beta,H100,STANDARD,2.99,per GPU-hour\n"
        "Gamma,A100,STANDARD,1095,GPU-month\n"
        "Delta,A100,STANDARD,1.25,GPU\n"
    )
    _, rates = _prices(tmp_path, table)
    assert rates == [Decimal("12.29"), Decimal("2.99"), Decimal("1.25"), Decimal("1.5")]  # by name


def test_a_price_by_the_hour_of_types_that_nobody_knows_is_of_one_gpu_and_said(tmp_path: Path) -> None:
    table = "Provider,Instance type,GPU model,Price per hour\nAlpha,x-large,H100,3.10\n"
    file, rates = _prices(tmp_path, table)
    assert rates == [Decimal("3.10")]
    assert "may be of one GPU or of the machine" in str(_said(file)["undecided"])


def test_a_price_of_a_gpu_is_not_divided_by_those_of_its_instance(tmp_path: Path) -> None:
    table = "Provider,Instance type,GPU model,Price per GPU-hour\nAlpha,p5.48xlarge,H100,12.29\n"
    file, rates = _prices(tmp_path, table)
    assert rates == [Decimal("12.29")]
    assert "computed" not in _said(file)


def test_a_product_of_several_gpus_is_a_machine_and_one_beside_it_is_a_gpu(tmp_path: Path) -> None:
    table = "Provider,GPU,Price per hour\nA,8x H100,23.92\nB,1x H100,2.95\nC,H100,3.10\n"
    file, rates = _prices(tmp_path, table)
    assert rates == [Decimal("2.99"), Decimal("2.95"), Decimal("3.1")]
    assert "23.92 / (8 GPUs) = 2.99 per GPU-hour" in str(_said(file)["computed"])
    invoice = "Vendor,Description,Quantity,Unit,Unit Price\nA,8x H100 SXM on-demand,24,hours,$23.92\n"
    assert _prices(tmp_path, invoice)[1] == [Decimal("2.99")]


CONTRACTS = "contract,provider,GPU model,{columns},start,end\nc1,Alpha,H100,{cells},2026-01-01,2027-01-01\n"


@pytest.mark.parametrize(
    ("columns", "cells", "gpus", "rate"),
    [
        ("instance type,instances,rate per instance-hour", "p5.48xlarge,4,60", 32, "7.5"),
        ("GPUs,instance type,rate per instance-hour", "32,p5.48xlarge,60", 32, "7.5"),
        ("GPUs,nodes,rate per node-hour", "32,4,60", 32, "7.5"),
        ("GPUs,GPUs per node,cost per node per month", "32,8,43800", 32, "7.5"),
        ("GPUs,rate per instance-hour", "32,60", 32, None),
        ("GPUs,rate,unit", "32,60,per instance-hour", 32, None),
        ("GPUs,rate,unit", "32,7.5,per GPU-hour", 32, "7.5"),
    ],
)
def test_a_contract_at_the_price_of_its_machines(
    tmp_path: Path, columns: str, cells: str, gpus: int, rate: str | None
) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text(CONTRACTS.format(columns=columns, cells=cells), encoding="utf-8")
    read = import_contracts([str(path)])
    (contract,) = read.contracts
    assert contract.gpus == gpus
    assert contract.rate_usd_per_gpu_hour == (None if rate is None else Decimal(rate))
    if rate is None:
        assert "how many GPUs a node has is not told" in str(_said(read.intake[0])["undecided"])


_TYPES = [(row["instance_type"], row["gpu_model"]) for row in read_gpu_instances() if row["gpu_model"]]


@given(
    price=st.decimals(Decimal("0.01"), 10_000, places=2),
    gpus=st.integers(1, 64_000),
    per=st.sampled_from(
        ["/instance-hr", " per node hour", "/server/h", " per VM-hour", "/GPU instance/hour"]
    ),
)
def test_law_a_price_of_a_machine_times_its_gpus_is_the_price(price: Decimal, gpus: int, per: str) -> None:
    column = ColumnReading("rate_usd_per_gpu_hour", "Price", "gpu_hour")
    row = Row({})
    rate = rate_of(f"${price}{per}", column, None, row, Machine(gpus))
    if rate is not None:
        assert abs(rate * gpus / 1000 - price) <= Decimal(gpus) / 1000 * Decimal("0.000001")
        assert gpus == 1000 or "computed" in row.said
    unknown = Row({})
    assert rate_of(f"${price}{per}", column, None, unknown, Machine()) is None
    assert "undecided" in unknown.said


@given(
    known=st.sampled_from(_TYPES),
    price=st.decimals(Decimal(1), 500, places=2),
)
def test_law_a_list_never_reads_a_known_instance_as_one_gpu(known: tuple[str, str], price: Decimal) -> None:
    from gpuplanner.files.tables.machine_prices import machine_of_offer
    from gpuplanner.files.values.gpu_instances import find_instance

    found = find_instance(f"Alpha {known[0]} on demand")
    assert found is not None
    assert found.gpus is not None
    machine = machine_of_offer([f"Alpha {known[0]} on demand", known[1], str(price)], {})
    assert machine.gpus == Decimal(int(found.gpus * 1000)) / 1000


def _contract_rates(folder: Path, text: str) -> list[Decimal | None]:
    path = folder / "contracts.csv"
    path.write_text(text, encoding="utf-8")
    return [contract.rate_usd_per_gpu_hour for contract in import_contracts([str(path)]).contracts]


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        ("Instance,Instances,Rate ($/hr)", "p5.48xlarge,4,55.04"),
        ("Instance type,Instances,GPUs,Price per hour", "p5.48xlarge,4,32,55.04"),
        ("Instance,Instances,Monthly rate", "p5.48xlarge,4,160716.80"),
    ],
)
def test_the_hour_of_a_known_type_is_of_one_of_them_and_the_month_of_all(
    tmp_path: Path, columns: str, cells: str
) -> None:
    table = f"Contract,Provider,{columns},Start,End,Cluster\nc1,AWS,{cells},2026-01-01,2027-01-01,atlas\n"
    assert _contract_rates(tmp_path, table) == [Decimal("6.88")]


def test_a_column_that_says_per_month_makes_a_contracts_price_that_of_its_row(tmp_path: Path) -> None:
    table = (
        "Contract,Provider,GPU model,GPUs,Price,Unit,Start,End,Cluster\n"
        "c1,X,H100,64,93440,per month,2026-01-01,2027-01-01,atlas\n"
        "c2,X,H100,32,46720,per month,2026-01-01,2027-01-01,atlas\n"
    )
    assert _contract_rates(tmp_path, table) == [Decimal(2), Decimal(2)]


def test_a_unit_that_names_a_machine_and_no_time_is_heard(tmp_path: Path) -> None:
    table = (
        "Provider,GPU model,GPUs,Price,Price unit,Term\n"
        "A,A100,4,4,instance,on demand\nB,A100,4,1,GPU,on demand\nC,A100,4,1,GPU-hour,on demand\n"
    )
    assert _prices(tmp_path, table)[1] == [Decimal(1)] * 3


def test_gpus_per_node_of_a_price_list_divide_the_price_of_a_node(tmp_path: Path) -> None:
    table = "Provider,GPU model,GPUs per node,Price per node-hour,Term\nA,H100,8,20,on demand\nB,A100,4,4,on demand\n"
    assert _prices(tmp_path, table)[1] == [Decimal("2.5"), Decimal(1)]


def test_a_cell_that_names_a_node_keeps_the_month_of_its_heading(tmp_path: Path) -> None:
    table = "Provider,GPU model,GPUs per node,Monthly price,Term\nA,H100,8,$11680 / node,12 months\n"
    assert _prices(tmp_path, table)[1] == [Decimal(2)]

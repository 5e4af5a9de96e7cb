"""Which price of a list is the machine's and which is of one GPU, whatever they are called; and what a price is for."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.import_tables import PricesRead, import_contracts, import_prices
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.system.resources import read_gpu_instances
from gpuplanner.files.tables.column_mapping import ColumnReading
from gpuplanner.files.tables.price_cells import rate_of
from gpuplanner.files.tables.priced_machine import Machine, machine_of_offer
from gpuplanner.files.tables.small_table import Row
from gpuplanner.files.values.gpu_instances import find_instance
from tests.some_of import examples


def _read(folder: Path, text: str) -> PricesRead:
    path = folder / "list.csv"
    path.write_text(text)
    return import_prices([str(path)])


def _rates(folder: Path, text: str) -> list[float]:
    return sorted(offer.rate or 0.0 for offer in _read(folder, text).offers)


def _codes(read: PricesRead) -> dict[str, str]:
    return {issue.code: issue.message for issue in read.intake[0].issues}


_TWO = [("raw_price", "price_per_hour"), ("price", "cost per hour"), ("$/h", "price per gpu")]
NAMES = st.sampled_from([*_TWO, _TWO[0][::-1]])
ROWS = st.lists(st.tuples(st.sampled_from([2, 4, 8, 16]), st.integers(40, 300)), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("item", "model"),
    [
        ("H100 80GB p5.48xlarge", "H100"),
        ("A100 p5.48xlarge", "A100 p5.48xlarge"),
        ("a3-highgpu-8g (H100)", "H100"),  # 8g are so many GPUs, and no GB of one
    ],
)
def test_a_model_beside_its_instance_type_is_that_model(tmp_path: Path, item: str, model: str) -> None:
    """It was a model of its own; of an instance of other GPUs nobody knows which is meant."""
    table = f"Provider,GPU,Type,Price,Unit\nAWS,{item},on demand,55.04,instance/h\n"
    assert [offer.gpu_model for offer in _read(tmp_path, table).offers] == [model]


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=NAMES, rows=ROWS, is_machine_first=st.booleans())
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
    header = "provider,gpu,gpus,raw_price,per_gpu_hour"
    read = _read(tmp_path, "\n".join((header, *rows, "Q,H100,8,24,2.5")) + "\n")
    assert "2.5 stated, 3 computed" in str(_codes(read)["price_mismatch"])


@pytest.mark.parametrize(
    ("columns", "cells", "rate"),
    [
        ("per_gpu_hour", "2.5", 2.5),  # the only price is the rate
        ("per_gpu_hour,raw_price", "2.5,20", 2.5),  # beside one of the row it is what that is held to
        ("per_gpu_hour,raw_price", "2.5,24", 3.0),
    ],
)
def test_a_rate_that_is_stated_beside_no_other_price_is_the_rate(
    tmp_path: Path, columns: str, cells: str, rate: float
) -> None:
    table = f"provider,gpu,gpus,{columns}\nX,H100,8,{cells}\n"
    assert _rates(tmp_path, table) == pytest.approx([rate])


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
    text = "Provider,GPU,Price,Term\nX,H100,1980,12 months\n"
    (fault,) = _read(tmp_path, text).refused
    assert (fault.code, "Price:month" in str(fault)) == ("odd_rate", True)
    path = str(tmp_path / "list.csv")
    told = import_prices([path], {path: "+rate_usd_per_gpu_hour=Price:month"})
    assert [round(offer.rate or 0.0, 2) for offer in told.offers] == [2.71]


def test_what_is_counted_per_gpu_beside_money_is_no_price(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("gpu_model,gpus,output_tokens_per_s_per_gpu,date,source\nB300,4,931,2026-04-17,us\n")
    assert recognise(str(path)).kind != "prices"


# --- Prices of machines: divided by the GPUs of a machine that is told or known, else a quote is needed


def _prices(folder: Path, text: str) -> tuple[FileIntake, list[Decimal | None]]:
    path = folder / "prices.csv"
    path.write_text(text, encoding="utf-8")
    read = import_prices([str(path)])
    (file,) = read.intake
    offers = {offer.provider.split()[0]: offer.rate_usd_per_gpu_hour for offer in read.offers}
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
    table = f'Provider,Instance type,GPU model,{heading}\nAlpha,p5.48xlarge,H100,"{cell}"\n'
    file, rates = _prices(tmp_path, table)
    assert rates == [Decimal("12.29")]
    assert "8 GPUs of a p5.48xlarge" in str(_said(file)["computed"])
    assert "quote_needed" not in _said(file)


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
    assert "undecided" in _said(file)


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
        assert "undecided" in _said(read.intake[0])


_TYPES = [(row["instance_type"], row["gpu_model"]) for row in read_gpu_instances() if row["gpu_model"]]


_PER = st.sampled_from(["/instance-hr", " per node hour", "/server/h", " per VM-hour", "/GPU instance/hour"])


@given(price=st.decimals(Decimal("0.01"), 10_000, places=2), gpus=st.integers(1, 64_000), per=_PER)
def test_law_a_price_of_a_machine_times_its_gpus_is_the_price(price: Decimal, gpus: int, per: str) -> None:
    column = ColumnReading(field="rate_usd_per_gpu_hour", column="Price", unit="gpu_hour")
    row = Row(texts={})
    rate = rate_of(f"${price}{per}", column, None, row, Machine(milli_gpus=gpus))
    if rate is not None:
        assert abs(rate * gpus / 1000 - price) <= Decimal(gpus) / 1000 * Decimal("0.000001")
        assert gpus == 1000 or "computed" in row.said
    unknown = Row(texts={})
    assert rate_of(f"${price}{per}", column, None, unknown, Machine()) is None
    assert "undecided" in unknown.said


@given(known=st.sampled_from(_TYPES), price=st.decimals(Decimal(1), 500, places=2))
def test_law_a_list_never_reads_a_known_instance_as_one_gpu(known: tuple[str, str], price: Decimal) -> None:
    found = find_instance(f"Alpha {known[0]} on demand")
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


@pytest.mark.parametrize(
    ("header", "rows", "rates"),
    [
        ("Instance type,GPU model,Qty,Price per instance-hour", ["p5.48xlarge,H100,1,98.32"], ["12.29"]),
        (
            "GPU model,GPUs,Price,Price unit,Term",
            ["A100,4,4,instance,on demand", "A100,4,1,GPU,on demand", "A100,4,1,GPU-hour,on demand"],
            ["1", "1", "1"],
        ),
        (
            "GPU model,GPUs per node,Price per node-hour,Term",
            ["H100,8,20,on demand", "A100,4,4,on demand"],
            ["2.5", "1"],
        ),
        ("GPU model,GPUs per node,Monthly price,Term", ["H100,8,$11680 / node,12 months"], ["2"]),
    ],
    ids=["the type before a count", "a unit without a time", "GPUs per node", "the month of its heading"],
)
def test_what_divides_the_price_of_a_row(
    tmp_path: Path, header: str, rows: list[str], rates: list[str]
) -> None:
    table = [f"{provider},{row}" for provider, row in zip("ABC", rows, strict=False)]
    found = _prices(tmp_path, "\n".join([f"Provider,{header}", *table, ""]))[1]
    assert found == [Decimal(rate) for rate in rates]


def test_what_is_no_gpu_is_left_out_of_a_list_that_tells_their_memory(tmp_path: Path) -> None:
    read = _read(
        tmp_path,
        "provider,product,gpu_count,vram_gb,price_per_hour_usd\nA,On-Demand,,,\nA,NVIDIA H100,,80,3.9\n"
        "A,Persistent disks,,,0.08\nA,DeepSeek,,,1.35\nA,NVIDIA L40S GPU with AMD,,48,1.82\nA,NVIDIA A40,,48,0.9\n",
    )
    assert {o.gpu_model: o.rate for o in read.offers} == {"H100": 3.9, "L40S": 1.82, "A40": 0.9}
    assert (read.intake[0].rows_ignored, read.intake[0].rows_rejected) == (3, 0)


def test_a_price_per_hour_counts_before_one_that_says_nothing(tmp_path: Path) -> None:
    text = "provider,product,price_per_hour_usd,raw_price\nA,H100,3.9,\nB,A100,1.9,$1.90\nC,L4,0.5,\n"
    assert _rates(tmp_path, text) == [0.5, 1.9, 3.9]


def test_prices_of_machines_and_of_gpus_in_one_column_are_read_row_by_row_and_said(tmp_path: Path) -> None:
    read = _read(
        tmp_path,
        "provider,product,gpu_count,price_per_hour_usd\nA,B200,8,68.8\nA,A100 80GB,8,21.6\nA,GB200 NVL72,,99\n"
        "B,A100 80GB,8,1.3\nB,H100,8,2.1\nC,H100,,3.9\n",
    )
    rates = {(o.provider, o.gpu_model): o.rate for o in read.offers}
    assert rates.pop(("A", "GB200")) in (None, 99.0)
    assert rates == {
        ("A", "B200"): 8.6,
        ("A", "A100 80GB"): 2.7,
        ("B", "A100 80GB"): 1.3,
        ("B", "H100"): 2.1,
        ("C", "H100"): 3.9,
    }
    assert "undecided" in _codes(read)

"""How contract sheets are read: what their counts are of, prices of machines, money of periods, notice, renewal."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.contracts.contract_words import contract_parts
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.importing.read_facts import contract_facts
from gpuplanner.files.importing.table_preview import preview_table

Read = Callable[[str], tuple[FileIntake, tuple[Contract, ...]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a sheet as contracts."""

    def read_sheet(text: str) -> tuple[FileIntake, tuple[Contract, ...]]:
        path = tmp_path / "sheet.csv"
        path.write_text(text, encoding="utf-8")
        found = import_contracts([str(path)])
        return found.intake[0], found.contracts

    return read_sheet


def _said(file: FileIntake, code: str) -> str:
    return next((str(issue.message) for issue in file.issues if issue.code == code), "")


def _monthly(contract: Contract) -> int:
    return round(contract.cost_per_month or 0)


NODES = (
    "PO,Vendor,Description,{heading},$/GPU-hr,{more}Start,End\n"
    'A,V,"{item}",{count},2.49,{charge}2026-01-01,2026-12-31\n'
)


@pytest.mark.parametrize("heading", ["Qty (GPUs)", "# GPUs", "GPU count", "Anzahl GPUs", "Nombre de GPU"])
@pytest.mark.parametrize(
    "item", ["HGX H100, 4 nodes", "4 x 8-GPU nodes H100", "p5.48xlarge x 4, EKS", "H100 servers"]
)
def test_a_heading_that_says_gpus_is_gpus_whatever_its_items_say(read: Read, heading: str, item: str) -> None:
    file, (contract,) = read(NODES.format(heading=heading, item=item, count=32, more="", charge=""))
    assert (contract.gpus, _monthly(contract)) == (32, 58_166)
    assert not _said(file, "undecided")


@pytest.mark.parametrize("heading", ["GPU model", "Item", "Instance type"])
@pytest.mark.parametrize(
    "item",
    [
        *(
            "H100 (8-GPU nodes)",
            "8-GPU H100 node",
            "HGX H100 8-GPU",
            "DGX H100",
            "HGX H100",
            "H100 8-way",
            "H100 x8",
        ),
        *(
            "H100 8-fach",
            "H100 Rechner",
            "Maschine mit 8 Karten H100",
            "châssis H100",
            "H100 instance",
            "H100*8",
        ),
    ],
)
def test_a_count_beside_machines_is_asked_about(read: Read, heading: str, item: str) -> None:
    rows = f"Vendor,{heading},Qty,Rate,Start,End\nV,{item},4,2.49,2026-01-01,2026-12-31\n"
    assert "may count GPUs or nodes" in _said(read(rows)[0], "undecided")


@pytest.mark.parametrize("heading", ["GPU model", "Item", "Instance type"])
@pytest.mark.parametrize("item", ["p5.48xlarge", "ND96isr_H100_v5", "BM.GPU.H100.8", "8x H100 SXM server"])
def test_a_count_beside_a_machine_of_known_size_is_of_machines(read: Read, heading: str, item: str) -> None:
    rows = f"Vendor,{heading},Qty,Rate per GPU-hour,Start,End\nV,{item},4,2.49,2026-01-01,2026-12-31\n"
    file, (contract,) = read(rows)
    assert (contract.gpu_model, contract.gpus, _monthly(contract)) == ("H100", 32, 58_166)
    assert not _said(file, "undecided")


@pytest.mark.parametrize("item", ["H100 SXM5 80GB", "H100 x 8 months", "p5.4xlarge", "H100 InfiniBand"])
def test_a_count_beside_single_gpus_is_of_gpus(read: Read, item: str) -> None:
    rows = f"Vendor,Item,Qty,Rate,Start,End\nV,{item},4,2.49,2026-01-01,2026-12-31\n"
    file, (contract,) = read(rows)
    assert contract.gpus == 4 and not _said(file, "undecided")


def test_the_facts_of_a_file_have_what_is_prepaid(read: Read) -> None:
    rows = "Vendor,GPU model,GPUs,Rate,Upfront,Start,End\nV,H100,16,2.00,280320,2026-01-01,2026-12-31\n"
    assert dict(contract_facts(read(rows)[1]))["usd_per_month"] == pytest.approx(46_720)


@pytest.mark.parametrize("heading", ["Qty", "Count", "Quantity"])
@pytest.mark.parametrize(
    ("item", "count", "charge"),
    [
        ("HGX H100, 4 nodes", 32, ""),  # 4 nodes of 8
        ("H100, 4 x 8-GPU nodes", 4, ""),
        ("p5.48xlarge x 4", 32, ""),
        ("HGX H100 nodes", 32, "58166"),  # 32 x 2.49 x 730
        ("HGX H100 nodes", 4, "58166"),
        ("HGX H100 nodes", 32, "57370"),  # of 720 h
        ("p5.48xlarge", 32, "58166"),
        *(
            ("HGX H100", 4, "58166"),
            ("H100 8-way", 4, "58166"),
            ("H100 x8", 4, "58166"),
            ("DGX H100", 32, "58166"),
        ),
    ],
)
def test_a_plain_count_beside_nodes_is_what_the_figures_of_the_file_say(
    read: Read, heading: str, item: str, count: int, charge: str
) -> None:
    more = {"more": "Monthly charge,", "charge": f"{charge},"} if charge else {"more": "", "charge": ""}
    file, (contract,) = read(NODES.format(heading=heading, item=item, count=count, **more))
    assert (contract.gpus, _monthly(contract)) == (32, 58_166)
    assert not _said(file, "undecided")


def test_a_plain_count_beside_nodes_without_figures_is_asked_about(read: Read) -> None:
    file, _ = read(NODES.format(heading="Qty", item="HGX H100 nodes", count=4, more="", charge=""))
    assert "“Qty” may count GPUs or nodes" in _said(file, "undecided")


MACHINES = (
    "provider,{name},{price},count,start_date,end_date\naws,{kind},{usd},{count},2026-01-01,2027-01-01\n"
)


@pytest.mark.parametrize(
    ("name", "price", "kind", "usd", "count", "month"),
    [
        ("instance_type", "hourly_price", "g5.12xlarge", "2.50", 20, 36_500),  # 20 x 2.50 x 730
        ("VM size", "Rate ($/hr)", "Standard_ND96isr_H100_v5", "60", 4, 175_200),
        ("SKU", "Hourly cost", "p4d.24xlarge", "19.22", 4, 56_122),
        ("machine type", "Price", "g5.12xlarge", "2.50", 20, 36_500),
        ("instance_type", "price per GPU-hour", "g5.12xlarge", "2.50", 20, 146_000),
    ],
)
def test_the_hourly_price_of_an_instance_type_is_of_one_machine(
    read: Read, name: str, price: str, kind: str, usd: str, count: int, month: int
) -> None:
    _, (contract,) = read(MACHINES.format(name=name, price=price, kind=kind, usd=usd, count=count))
    assert _monthly(contract) == month


HOURLY = "contract,provider,GPU,GPUs,{heading},start,end\n{rows}"


@pytest.mark.parametrize("heading", ["Hourly rate", "Price per hour", "Stundensatz", "Rate"])
@pytest.mark.parametrize(
    ("gpus", "rate", "month", "is_asked"),
    [(8, "23.92", 17_462, False), (8, "2.92", 17_053, False), (2, "6.50", 9_490, True)],
)
def test_an_hourly_rate_is_of_what_a_gpu_of_its_model_can_cost(
    read: Read, heading: str, gpus: int, rate: str, month: int, is_asked: bool
) -> None:
    """23.92 is far above an H100's hour and 2.92 far above an eighth of one; 6.50 may be of one or of two."""
    rows = f"A,V,H100,{gpus},{rate},2026-01-01,2027-01-01\n"
    file, (contract,) = read(HOURLY.format(heading=heading, rows=rows))
    assert _monthly(contract) == month
    assert bool(_said(file, "undecided")) == is_asked


def test_hourly_rates_of_one_and_of_all_gpus_in_one_column_are_read_row_by_row(read: Read) -> None:
    rows = "A,V,H100,8,23.92,2026-01-01,2027-01-01\nB,V,H100,8,2.92,2026-01-01,2027-01-01\n"
    file, contracts = read(HOURLY.format(heading="Hourly rate", rows=rows))
    assert [_monthly(contract) for contract in contracts] == [17_462, 17_053]
    assert "read as nearest" in _said(file, "undecided")


PAID = "Contract;Provider;GPU;GPUs;Start;End;{heading}\nA;V;H100;16;2026-01-01;2027-01-01;{cell}\n"


@pytest.mark.parametrize(
    ("heading", "cell"),
    [
        ("Quarterly invoice", "$70,080.00"),
        ("MRC", "$23,360.00"),
        ("ACV", "$280,320.00"),
        ("Annual contract value", "$280,320.00"),
        ("Semi-annual fee", "$140,160.00"),
        ("Annual cost (kUSD)", "280.32"),
        ("kUSD/month", "23.36"),
        ("Jahreskosten (TEUR)", "280,32"),
        ("Jahreskosten", "280,32 TEUR"),
        ("Quartalsrechnung EUR", "70.080,00"),
        ("Facture trimestrielle (k€)", "70,08"),
        ("Total monthly", "$23,360.00"),
    ],
)
def test_money_of_any_period_and_in_thousands_is_the_rate(read: Read, heading: str, cell: str) -> None:
    """16 GPUs at 2.00 are 23,360 a month, 70,080 a quarter, 280,320 a year."""
    _, (contract,) = read(PAID.format(heading=heading, cell=cell))
    assert contract.rate_usd_per_gpu_hour == 2


@pytest.mark.parametrize(
    "heading", ["Invoice date", "Payment due date", "Billing cycle", "Payment terms", "Quarterly review"]
)
def test_what_is_said_of_how_it_is_paid_is_no_price(read: Read, heading: str) -> None:
    file, (contract,) = read(PAID.format(heading=heading, cell="30"))
    assert contract.rate_usd_per_gpu_hour is None
    assert not _said(file, "column_unread")


@pytest.mark.parametrize(
    "heading",
    ["Upfront", "Upfront fee", "One-time payment (USD)", "Einmalzahlung", "Initial payment", "Setup fee"],
)
def test_an_upfront_amount_is_prepaid(read: Read, heading: str) -> None:
    """2.00 an hour and 280,320 of a year for 16 GPUs, which are 2.00 more: $46,720 per month."""
    _, (contract,) = read(PAID.format(heading=f"$/GPU-hr;{heading}", cell="2.00;280320"))
    assert (contract.rate_usd_per_gpu_hour, contract.prepaid_usd) == (2, 280_320)
    assert _monthly(contract) == 46_720


@pytest.mark.parametrize(
    ("use", "commitment"),
    [("On-demand", "36 months"), ("PAYG", "3 years"), ("no commitment", "36 mo reserved")],
)
def test_a_column_of_commitments_is_read_though_most_cells_say_on_demand(
    read: Read, tmp_path: Path, use: str, commitment: str
) -> None:
    cells = (use, "3.00"), (use, "2.90"), (commitment, "1.80")
    rows = [f"{at},V,H100,8,2026-01-01,{cell},{rate}\n" for at, (cell, rate) in enumerate(cells)]
    _, contracts = read("Contract,Provider,GPU,GPUs,Start,Commitment,Rate\n" + "".join(rows))
    terms = [(one.term_months, one.is_committed, one.rate) for one in contracts]
    assert terms == [(None, False, 3.0), (None, False, 2.9), (36, True, 1.8)]
    path = tmp_path / "prices.csv"
    path.write_text(
        "Provider,GPU,Commitment,Rate\n" + "".join(f"V,H100,{cell},{rate}\n" for cell, rate in cells)
    )
    offers = import_prices([str(path)]).offers
    assert sorted((one.term_months, one.rate) for one in offers) == [(0, 3.0), (36, 1.8)]


NOTICES = "Order,Vendor,GPU,GPUs,$/GPU-hr,Start,End,Notice to terminate,Comments\n"


def _lines(*rows: tuple[str, str, str], end: str = "2026-12-31") -> str:
    lines = (f'{name},V,H100,8,2,2026-01-01,{end},"{notice}","{note}"\n' for name, notice, note in rows)
    return NOTICES + "".join(lines)


@pytest.mark.parametrize(
    ("notice", "note", "days", "months"),
    [
        ("Auto-renews 12 mo. unless cancelled 60 days before expiry", "", 60, 12),
        ("90 days prior written notice", "", 90, None),
        ("two (2) months", "", 61, None),  # November and December
        ("90 days", "does not auto-renew", 90, 0),
        ("90 days", "no renewal", 90, 0),
        ("90 days", "Evergreen", 90, 12),  # by its length
        ("90 days", "renews for 6 months unless notice is given", 90, 6),
        ("", "auto-renews annually; 45 days notice", 45, 12),
        ("verlängert sich um 12 Monate, wenn nicht 3 Monate vor Ablauf gekündigt", "", 92, 12),
        ("3 Monate", "verlängert sich nicht", 92, 0),
        ("tacite reconduction 12 mois, préavis 3 mois", "", 92, 12),
        ("60 days non-renewal notice", "", 60, None),
        ("30 days", "rolling upgrades of the switch", 30, None),
        ("30 days", "Month-to-month after the term", 30, 1),
    ],
)
def test_notice_and_renewal_in_words(
    read: Read, notice: str, note: str, days: int, months: int | None
) -> None:
    _, (contract,) = read(_lines(("A", notice, note)))
    assert (contract.notice_days, contract.renews_months) == (days, months)


@pytest.mark.parametrize("end", ["Rolling", "month-to-month", "Evergreen"])
def test_what_runs_from_month_to_month_renews_by_a_month(read: Read, end: str) -> None:
    _, (contract,) = read(_lines(("A", "30 days", ""), end=end))
    assert (contract.end_s, contract.notice_days, contract.renews_months) == (None, 30, 1)


def test_a_notice_follows_the_contract_that_it_refers_to(read: Read) -> None:
    rows = {
        "PO-1": ("90 days", 90), "PO-1-A": ("As per PO-1", 90), "PO-2": ("see PO 1-A", 90), "12": ("60 days", 60),
        "13": ("per Order 12", 60), "14": ("see section 12", None), "PO-8": ("as per PO-9", None),
        "PO-9": ("as per PO-8", None), "MSA": ("see MSA", None), "PO-7": ("same as above", None), "PO-3": ("tbd", None),
    }  # fmt: skip
    file, contracts = read(_lines(*((name, notice, "") for name, (notice, _) in rows.items())))
    assert {one.contract_id: one.notice_days for one in contracts} == {
        name: days for name, (_, days) in rows.items()
    }
    assert "“As per PO-1” is “90 days”" in _said(file, "computed")
    assert "14: “see section 12”" in _said(file, "notice_unknown")
    assert all(one.is_notice_unknown == (one.notice_days is None) for one in contracts)


def test_a_contract_that_does_not_renew_has_no_unknown_notice(read: Read) -> None:
    file, (contract,) = read(_lines(("A", "keine Verlängerung", "")))
    assert (contract.renews_months, contract.notice_days, contract.is_notice_unknown) == (0, None, False)
    assert not _said(file, "notice_unknown")


def test_comments_name_a_cluster_where_that_is_certain(read: Read) -> None:
    notes = ("Slurm cluster granite", "granite", "granite, A100 partition", "EKS", "moved from granite", "")
    _, contracts = read(_lines(*((f"C{at}", "30 days", note) for at, note in enumerate(notes))))
    assert [one.cluster for one in contracts] == ["granite", "granite", "granite", "", "", ""]


def test_a_column_without_a_readable_value_loses_its_tick(read: Read, tmp_path: Path) -> None:
    file, _ = read(_lines(("A", "see MSA", ""), ("B", "see SOW", "")))
    why = dict(file.facts)["mapping_why"]
    assert isinstance(why, dict)
    assert why["notice_days"] == "no readable value (0% sure)" and "100% sure" in why["gpus"]
    preview = preview_table(str(tmp_path / "sheet.csv"), "contracts")
    notes = {reading.field: str(reading.note) for reading in preview.fields}
    assert notes["notice_days"] == "no readable value" and not notes["gpus"]


DOLLARS = (
    "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category,"
    "commitment_usd_per_hour,discount_percent\n"
    "sp,AWS,,{models},,,2026-01-01,2027-01-01,COMMITTED,{usd},{off}\n"
)


@pytest.mark.parametrize(
    ("models", "off", "discounts"),
    [
        ("H100;H200", "40", "H100=40;H200=40"),
        ("*", "28%", "*=28"),
        ("NVIDIA H100 80GB HBM3;h200", "NVIDIA H100 80GB HBM3=40;*=35.5", "H100 SXM=40;*=35.5"),
        ("H100", "", ""),
    ],
)
def test_a_commitment_in_dollars_is_read(read: Read, models: str, off: str, discounts: str) -> None:
    file, (contract,) = read(DOLLARS.format(models=models, usd="$100.10", off=off))
    assert (contract.commitment_usd_per_hour, contract.discount_percent) == (Decimal("100.10"), discounts)
    assert contract.is_dollars and not contract.serves and contract.cost_per_month == pytest.approx(73_073)
    words = contract_parts(contract)
    assert str(words["rate_usd_per_gpu_hour"]) == "$100.10 per hour" and "milli_gpus" not in words
    assert ("quote_needed" in {issue.code for issue in file.issues}) is (not off)


def test_a_table_of_commitments_in_dollars_alone_needs_no_column_of_gpus(read: Read) -> None:
    text = DOLLARS.replace("gpu_model,gpus,", "gpu_model,").replace("{models},,,", "{models},,")
    file, (contract,) = read(text.format(models="H100", usd="100", off="40"))
    assert (contract.contract_id, contract.commitment_usd_per_hour, contract.is_dollars) == ("sp", 100, True)
    assert file.format == "own_contracts"


@pytest.mark.parametrize("off", ["much", "100", "-1", "H100=40;H200"])
def test_a_discount_that_is_none_is_rejected(read: Read, off: str) -> None:
    file, contracts = read(DOLLARS.format(models="H100", usd="100", off=off))
    assert not contracts and [row.code for row in file.rejected] == ["bad_number"]


@pytest.mark.parametrize(
    ("start", "end", "term", "last"),
    [
        ("2025-07-01", "2026-08", "", "2026-09-01"),  # until August is over
        ("2025-07-01", "2026-08", "12", "2026-09-01"),
        ("2025-07-01", "Jul 2026", "", "2026-07-01"),  # whole years
        ("2025-07-01T09:00:00Z", "Jul 2026", "", "2026-07-01"),
        ("2025-07-02", "Jul 2026", "", "2026-08-01"),
        ("2026-07-01", "Jul 2026", "", "2026-08-01"),  # it begins and ends in one month
        ("2025-07-01", "Q3 2026", "", "2026-10-01"),
        ("2025-07-01", "Q3 2026", "12", "2026-07-01"),  # its term is over with the quarter before
        ("2025-07-01", "2026-07-15", "", "2026-07-16"),
    ],
)
def test_a_contract_up_to_a_month_lasts_until_it_is_over(
    read: Read, start: str, end: str, term: str, last: str
) -> None:
    _, (made,) = read(f"contract,gpu,quantity,rate,start,end,term\nA,H100,8,2,{start},{end},{term}\n")
    assert made.end_s is not None and iso_utc(made.end_s) == f"{last}T00:00:00Z"

"""Contracts and prices as people keep them in spreadsheets: found, mapped, read; every row accounted for."""

import datetime
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.contracts.contract_tables import read_contracts
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import (
    ContractsRead,
    PricesRead,
    import_contracts,
    import_prices,
)
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.sources.source import survey
from gpuplanner.files.tables.column_mapping import TableMapping
from gpuplanner.files.tables.propose_mapping import propose_table_mapping
from tests.files.job_logs.cluster_damage import check_rows_add_up
from tests.files.job_logs.row_ends import codes, counts, fates

TITLED = """GPU contracts of Example Inc.,,,,,,,
As of February,,,,,,,

Vendor,GPU type,# GPUs,Commit,"Rate ($/GPU/hr)",Start date,End,Notes
Alpha,NVIDIA H100 80GB,64,3 yrs,$2.75/hr,1/15/2026,,first
Beta,H200,32,36 mo,"USD 3.10",2/1/2026,1/31/2029,
Gamma,H100,16,1 year,"2.50 €",3/1/2026,2/28/2027,
,,,,,,,
Total,,112,,,,,
* rates without tax,,,,,,,
"""
GERMAN = """Vertragsübersicht;;;;;;
Anbieter;GPU-Typ;Anzahl;Laufzeit;Preis pro GPU-Stunde;Beginn;Ende
Alpha;H100;64;12 Monate;2,75;01.02.2026;31.01.2027
Beta;A100;1.024;24 Monate;1,85;15.03.2026;
Summe;;1.088;;;;
"""
MONTHLY = """Supplier,Product,Qty,Term (years),Monthly cost (USD),From,To
Alpha,H100 SXM5 80GB,8,1,"$16,060.00",2026-01-01,2027-01-01
Beta,A100 40GB,4,3,"4,380",2026-02-01,2029-02-01
Gamma,MI300X,8,TBD,on request,2026-02-01,
"""


def _read(folder: Path, text: str) -> ContractsRead:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return import_contracts([str(path)])


def _codes(file: FileIntake) -> dict[str, int]:
    check_rows_add_up(file)
    return codes(file)


def _day(seconds: int | None) -> str | None:
    return None if seconds is None else iso_utc(seconds)[:10]


def _prices(folder: Path, text: str) -> PricesRead:
    path = folder / "prices.csv"
    path.write_text(text, encoding="utf-8")
    return import_prices([str(path)])


def test_titles_totals_and_footnotes_are_no_contracts(tmp_path: Path) -> None:
    read = _read(tmp_path, TITLED)
    assert fates(read) == ("mapped", 6, 3, 0, 0, 3)
    assert codes(read) == counts(computed=3, not_a_row=3, other_currency=1)
    by_provider = {contract.provider: contract for contract in read.contracts}
    alpha, beta, gamma = (by_provider[name] for name in ("Alpha", "Beta", "Gamma"))
    assert (alpha.gpu_model, alpha.gpu_memory_gb, alpha.gpus, alpha.rate) == ("H100", 80.0, 64.0, 2.75)
    assert (alpha.term_months, _day(alpha.start_s), _day(alpha.end_s)) == (36, "2026-01-15", "2029-01-15")
    assert (beta.rate, _day(beta.end_s)) == (3.1, "2029-02-01")  # the day after the last
    assert gamma.rate is None  # euros are not dollars


def test_a_total_is_left_out_though_a_row_before_it_is_alike_in_all_that_is_read(tmp_path: Path) -> None:
    rows = "quote 1,Nebius,H100,2.95\nquote 2,CoreWeave,,2.45\nTotal,CoreWeave,,2.45\n"
    (file,) = _prices(tmp_path, f"Row,Vendor,GPU,Price per GPU hour\n{rows}").intake
    assert (file.rows_accepted, file.rows_rejected, file.rows_ignored) == (1, 1, 1)
    assert (_codes(file)["missing_column"], _codes(file)["not_a_row"]) == (1, 1)


def test_decimal_commas_and_days_before_months(tmp_path: Path) -> None:
    read = _read(tmp_path, GERMAN)
    alpha, beta = sorted(read.contracts, key=lambda contract: contract.provider or "")
    assert (alpha.rate, beta.rate, beta.gpus) == (2.75, 1.85, 1024.0)
    assert (_day(alpha.start_s), _day(alpha.end_s)) == ("2026-02-01", "2027-02-01")
    assert _day(beta.end_s) == "2028-03-15"
    assert _codes(read.intake[0]) == {"computed": 2, "not_a_row": 1}


def test_a_cost_per_month_is_divided_and_the_arithmetic_is_said(tmp_path: Path) -> None:
    read = _read(tmp_path, MONTHLY)
    alpha, beta, gamma = sorted(read.contracts, key=lambda contract: contract.provider or "")
    assert (alpha.rate_usd_per_gpu_hour, beta.rate_usd_per_gpu_hour) == (Decimal("2.75"), Decimal("1.5"))
    assert (beta.term_months, beta.gpu_memory_gb) == (36, 40.0)
    assert (gamma.rate, gamma.term_months, gamma.end_s) == (None, None, None)
    (said,) = [issue.message for issue in read.intake[0].issues if issue.code == "computed"]
    assert "16,060.00 / (730 h x 8 GPUs) = 2.75 per GPU-hour" in str(said)


def test_what_nothing_decides_is_said(tmp_path: Path) -> None:
    read = _read(
        tmp_path,
        "Contract,GPU,Count,Type,Price,Start,End\nA,H100,64,Reserved,2.75,01/02/2026,01/02/2027\n"
        "B,H100,8,On-Demand,6.88,03/04/2026,\nC,A100,8,Spot,1.20,05/06/2026,\nD,8x H200,8,Gold,4,Jan 2026,\n",
    )
    (file,) = read.intake
    assert _codes(file) == {"undecided": 3, "unknown_value": 1}
    assert [row.row for row in file.rejected] == [5]
    assert [str(contract.pricing_category) for contract in read.contracts] == [
        "COMMITTED",
        "STANDARD",
        "DYNAMIC",
    ]
    assert _day(read.contracts[0].start_s) == "2026-01-02"


def test_a_caller_may_say_what_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('Contract,GPU,Count,Price,Start\nA,H100,64,"2,750",01/02/2026\n', encoding="utf-8")
    source = survey(str(path))
    proposed = propose_table_mapping(source, "contracts")
    assert proposed.of("gpus") is not None and proposed.unused == ()
    assert [one.rate for one in read_contracts(source).values] == [2.75]  # no GPU-hour costs 2,750
    styles = {"start": "dmy", "rate_usd_per_gpu_hour": "point"}
    columns = tuple(replace(one, style=styles.get(one.field, one.style)) for one in proposed.columns)
    changed = TableMapping(kind="contracts", columns=columns, headings=proposed.headings, delimiter=",")
    (contract,) = read_contracts(source, changed).values
    assert (contract.rate, _day(contract.start_s)) == (2750.0, "2026-02-01")
    by_words = import_contracts([str(path)], {str(path): changed.words})
    assert by_words.contracts == (contract,)


@pytest.mark.parametrize(
    ("words", "code"),
    [("gpus=Nowhere,start=Start", "missing_column"), ("colour=Start", "usage"), ("gpus", "usage")],
)
def test_a_mapping_that_cannot_be_is_an_error(tmp_path: Path, words: str, code: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text("Contract,Count,Start\nA,64,2026-01-02\n", encoding="utf-8")
    with pytest.raises(PlannerError) as caught:
        read_contracts(survey(str(path)), words)
    assert caught.value.code == code


@pytest.mark.parametrize("text", [TITLED, GERMAN, MONTHLY], ids=["titled", "german", "monthly"])
def test_the_mapping_that_check_prints_gives_the_same(tmp_path: Path, text: str) -> None:
    read = _read(tmp_path, text)
    path = str(tmp_path / "table.csv")
    words = dict(check_file(path)[0].facts)["mapping"]
    assert import_contracts([path], {path: words}).contracts == read.contracts


def test_rows_without_a_name_are_kept_and_the_same_file_twice_is_not(tmp_path: Path) -> None:
    text = "Vendor,GPU type,Qty,Rate,Start,Term\nA,H100,8,3,2026-01-01,3 mo\nA,H100,8,3,2026-01-01,3 mo\n"
    once = _read(tmp_path, text)
    assert len(once.contracts) == 2
    assert _codes(once.intake[0])["possible_duplicate"] == 1
    path = str(tmp_path / "table.csv")
    twice = import_contracts([path, path])
    assert twice.contracts == once.contracts
    assert [(file.rows_accepted, file.rows_duplicate) for file in twice.intake] == [(2, 0), (0, 2)]


def _two_rows_of_headings(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["See the next sheet"])
    sheet = book.create_sheet("Commitments")
    sheet.append([None, "GPU commitments"])
    sheet.append([])
    sheet.append([None, "Vendor", "Hardware", None, "Commercials", None, None, "Dates", None])
    sheet.append([None, None, "GPU type", "Qty", "Rate", "Term", "Pricing model", "Start", "End"])
    sheet.merge_cells("C3:D3")
    start, end = datetime.datetime(2026, 1, 1), datetime.datetime(2029, 1, 1)
    sheet.append([None, "Alpha", "H100", 64, 2.75, "3 yrs", "Reserved", start, end])
    sheet.append([None, "Alpha", "H100", 8, 3.5, "1 yr", "Reserved", 46054, 46419])
    sheet.append([None, "Total", None, 72])
    book.save(path)


def test_merged_headings_on_another_sheet(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    _two_rows_of_headings(path)
    assert recognise(str(path)).kind == "contracts"
    read = import_contracts([str(path)])
    first, second = [(c.provider, c.gpus, c.rate, _day(c.start_s), _day(c.end_s)) for c in read.contracts]
    assert first == ("Alpha", 64.0, 2.75, "2026-01-01", "2029-01-01")
    assert second == ("Alpha", 8.0, 3.5, "2026-02-01", "2027-02-01")
    assert _codes(read.intake[0]) == {"not_a_row": 1, "other_sheets": 1}
    facts = dict(check_file(str(path))[0].facts)
    assert (facts["sheet"], facts["other_sheets"], facts["header_row"]) == ("Commitments", ["Sheet"], 3)


@pytest.mark.parametrize("first", ["contracts", "jobs", "nodes", "unknown"])
def test_sheets_that_are_not_read_are_named_with_their_kind(tmp_path: Path, first: str) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    rows = {
        "contracts": (
            ("Vendor", "GPU model", "GPUs", "$/GPU-hr", "Start"),
            ("A", "H100", 8, 2.5, "2026-01-01"),
        ),
        "jobs": (
            ("job_id", "gpus", "start", "end"),
            ("1", 8, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
        ),
        "nodes": (("hostname", "gpu model", "gpus"), ("n1", "H100", 8)),
        "unknown": (("Notes",), ("to be discussed",)),
    }
    for kind in sorted(rows, key=lambda kind: kind != first):
        for row in rows[kind] if kind != "contracts" or first == kind else ():
            (book[kind] if kind in book.sheetnames else book.create_sheet(kind)).append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    (file, *beside) = check_file(str(path))
    assert file.kind == first
    others = {"jobs", "nodes"} - {first}
    assert {one.path: one.kind for one in beside} == {f"{path}/{kind}": kind for kind in others}
    said = [str(issue.message) for issue in file.issues if issue.code == "other_sheets"]
    assert len(said) == (first != "unknown")
    assert all("not “unknown”;" in text for text in said)
    assert recognise(f"{path}/nodes").kind == "nodes"
    with pytest.raises(PlannerError, match="file_missing"):
        recognise(f"{path}/Nodes of last year")


def test_of_two_sheets_of_a_kind_the_second_is_named(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in ("CoreWeave", "Lambda"):
        for row in (
            ("Contract", "Vendor", "GPU model", "GPUs", "$/GPU-hr", "Start"),
            ("A", name, "H100", 8, 2.5, "2026-01-01"),
        ):
            (book[name] if name in book.sheetnames else book.create_sheet(name)).append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    (file,) = check_file(str(path))
    (said,) = (str(issue.message) for issue in file.issues if issue.code == "other_sheets")
    assert "“CoreWeave”" in said and "“Lambda” (contracts)" in said
    (one,) = import_contracts([f"{path}/Lambda"]).contracts
    assert one.provider == "Lambda"


def test_a_workbook_given_as_contracts_and_as_prices_is_read_as_both(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in {
        "Contracts": (
            ("contract_id", "provider", "cluster", "gpu_model", "gpus", "rate_usd_per_gpu_hour", "start"),
            ("k1", "A", "atlas", "H100", 64, 2.0, "2026-01-01"),
        ),
        "List": (
            ("offer_id", "provider", "gpu_model", "term_months", "rate_usd_per_gpu_hour", "pricing_category"),
            ("o1", "A", "H100", 12, 2.0, "committed"),
        ),
    }.items():
        for row in rows:
            (book[name] if name in book.sheetnames else book.create_sheet(name)).append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    read = read_inputs([], [str(path)], [str(path)], rows_dir=tmp_path)
    assert ([one.contract_id for one in read.contracts], [one.offer_id for one in read.offers]) == (
        ["k1"],
        ["o1"],
    )
    assert not [issue.code for file in read.intake for issue in file.issues], "no sheet was left unread"


PRICES = """Cloud,GPU Type,GPUs,GPU RAM,On-demand,Per-GPU,Spot,Name
A,H100 HGX (80GB),8,640,16.00,2.00,8.00,big
A,H100 HGX (80GB),8,640,16.00,2.00,8.00,big
A,T4 (16 GB),1,16,0.32,0.30,,small
B,A5000 (24 GB),2,48,,2.48,,odd
"""


def test_a_list_of_machines_gives_an_offer_for_each_way_to_pay(tmp_path: Path) -> None:
    read = _prices(tmp_path, PRICES)
    path = tmp_path / "prices.csv"
    assert fates(read)[1:] == (4, 3, 0, 1, 0)
    assert codes(read) == counts(computed=1, price_mismatch=1, undated_price=3)
    offers = [(o.gpu_model, str(o.pricing_category), o.rate, o.gpu_memory_gb) for o in read.offers]
    assert offers == [
        ("H100 SXM", "STANDARD", 2.0, 80.0),
        ("H100 SXM", "DYNAMIC", 1.0, 80.0),
        ("T4", "STANDARD", 0.32, 16.0),
        ("RTX A5000", "STANDARD", 2.48, 24.0),  # its machine has no price, so that of one GPU counts
    ]
    assert {offer.term_months for offer in read.offers} == {0}
    facts = dict(check_file(str(path))[0].facts)
    assert (facts["rows"], facts["duplicate_rows"], facts["per_gpu_mismatches"]) == (4, 1, 1)
    assert facts["empty_cells"] == {"On-demand": 1, "Spot": 2}
    twice = import_prices([str(path), str(path)])
    assert twice.offers == read.offers
    assert [(file.rows_accepted, file.rows_duplicate) for file in twice.intake] == [(3, 1), (0, 4)]


def test_a_column_for_each_term(tmp_path: Path) -> None:
    read = _prices(
        tmp_path,
        "GPU Model,On-Demand ($/GPU/hr),1-yr Reserved ($/GPU/hr),3-yr Reserved ($/GPU/hr),As of\n"
        "H100 SXM,$6.88,$4.20,$2.75,1 Feb 2026\nB200,TBD,,,1 Feb 2026\n",
    )
    rates = [("B200", 0, None), ("H100 SXM", 12, 4.2), ("H100 SXM", 36, 2.75), ("H100 SXM", 0, 6.88)]
    assert [(o.gpu_model, o.term_months, o.rate) for o in read.offers] == rates
    assert {o.as_of for o in read.offers} == {"2026-02-01"}
    assert _codes(read.intake[0]) == {"quote_needed": 1}


def test_a_provider_may_be_called_total(tmp_path: Path) -> None:
    rows = "Total Cloud,H100,8,3,2026-01-01\nTotal GPUs,,8,,\n"
    read = _read(tmp_path, f"Vendor,GPU type,Qty,Rate,Start\n{rows}")
    assert [contract.provider for contract in read.contracts] == ["Total Cloud"]
    assert _codes(read.intake[0]) == {"not_a_row": 1}


PRICED_JOBS = "Job,GPU model,GPUs,Rate,Provider,Region,Start,End\na,H100,4,2.5,X,eu,2026-01-01,2026-01-02\n"


@pytest.mark.parametrize(
    "text",
    [
        "JobID,User,GPUs,Start,End,State\n1,u,8,2026-01-01,2026-01-02,COMPLETED\n",
        "name,num_gpu,creation_time,deletion_time\np,1,0,5\n",
        PRICED_JOBS,
        "Name,Start,End\nAda,2026-01-01,2026-01-02\n",
        "Vendor,Cost\nA,5\n",
        "Dear planner,\nfrom Monday to Friday we start.\n",
    ],
    ids=["a log", "a trace", "jobs with a price", "people", "costs", "prose"],
)
def test_other_tables_are_not_taken_for_contracts(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    assert recognise(str(path)).kind not in ("contracts", "prices")


OWN = "contract_id,gpus,start,rate_usd_per_gpu_hour\nk,8,2026-01-01,2.5\n"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "Our contracts\n\n" + text,
        lambda text: text.replace("2.5", "$2.50/hr").replace("2026-01-01", "1 Jan 2026"),
        lambda text: text.replace(",", ";").replace("2.5", "2,5"),
        lambda text: text.replace("contract_id", "Contract no").replace("gpus", "GPU count"),
    ],
    ids=["titled", "signs", "semicolons", "other names"],
)
def test_our_own_table_may_be_written_as_people_do(tmp_path: Path, change: Callable[[str], str]) -> None:
    plain, changed = _read(tmp_path, OWN), _read(tmp_path, change(OWN))
    assert changed.contracts == plain.contracts
    assert len(plain.contracts) == 1


def test_gpus_per_instance_divide_every_price_of_the_row(tmp_path: Path) -> None:
    head = "Provider,GPU,On-demand $/hr,1 yr reserved $/hr,Spot $/hr,GPUs per instance"
    found = _prices(tmp_path, f"{head}\nAWS,H100,55.04,43.16,19.80,8\nAzure,H100,98.32,62.90,n/a,8\n")
    rates = sorted(offer.rate or 0 for offer in found.offers)
    assert rates == pytest.approx([2.475, 5.395, 6.88, 7.8625, 12.29])


@pytest.mark.parametrize("reserved", ["1 yr reserved", "Spot"])
def test_all_prices_of_a_row_are_of_one_machine(tmp_path: Path, reserved: str) -> None:
    found = _prices(tmp_path, f"Provider,GPU,On-demand,{reserved},GPUs\nX,H100,31.20,19.92,8\n")
    assert sorted(offer.rate or 0 for offer in found.offers) == [pytest.approx(2.49), pytest.approx(3.9)]


@pytest.mark.parametrize(
    ("heading", "model", "gpus", "said_codes"),
    [
        ("Units", "8x H100 node", 256.0, {"computed"}),
        ("Anzahl", "8 x H100 Server", 256.0, {"computed"}),
        ("Qty", "8x H100", 256.0, {"computed", "undecided"}),
        ("# GPUs", "8x H100 node", 32.0, set()),
        ("Units", "H100 node", 32.0, {"undecided"}),
    ],
)
def test_sets_of_gpus_are_counted_as_gpus(
    tmp_path: Path, heading: str, model: str, gpus: float, said_codes: set[str]
) -> None:
    header = f"Contract,Supplier,GPU model,{heading},Rate ($/GPU/hr),Start,End"
    text = f"{header}\nM1,Alpha,{model},32,2.5,2026-01-15,2027-01-15\n"
    read = _read(tmp_path, text)
    (contract,) = read.contracts
    assert (contract.gpu_model, contract.gpus, contract.rate) == ("H100", gpus, 2.5)
    assert _codes(read.intake[0]).keys() == said_codes
    said = {issue.code: str(issue.message) for issue in read.intake[0].issues}
    assert "are 256 GPUs" in said.get("computed", "are 256 GPUs")


def test_a_german_table_of_monthly_prices_in_an_old_encoding(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    header = "Vertragsnummer;Anbieter;GPU;Stückzahl;Monatspreis (USD);von;bis"
    text = f"{header}\nX1;Nebel;H200;16;23.360,00;01.01.2026;01.01.2027\n"
    path.write_bytes(text.replace("\n", "\r\n").encode("cp1252"))
    (contract,) = import_contracts([str(path)]).contracts
    assert (contract.gpus, contract.gpu_model, contract.rate) == (16.0, "H200", 2.0)


def test_a_model_may_say_how_many_where_no_column_does(tmp_path: Path) -> None:
    row = "{},Alpha,{},$2.10/GPU/h,2026-01-15,2027-01-15\n"
    rows = row.format("K1", "256x H100 SXM5") + row.format("K2", "32 x H200")
    read = _read(tmp_path, f"Contract,Provider,Hardware,Price,From,To\n{rows}")
    found = [(contract.gpus, contract.gpu_model, contract.rate) for contract in read.contracts]
    assert found == [(256.0, "H100 SXM", 2.1), (32.0, "H200", 2.1)]


def test_an_instance_type_is_the_model_and_the_gpus_of_its_machines(tmp_path: Path) -> None:
    header = "Reservation,Cloud,Instance type,Instances,Price per instance-hour,Start,Term"
    (contract,) = _read(tmp_path, f"{header}\nR1,AWS,p5.48xlarge,16,$43.20,2026-03-01,1 year\n").contracts
    assert (contract.gpus, contract.gpu_model, contract.rate) == (128.0, "H100", 5.4)
    header = "Contract,Vendor,SKU,Quantity,Rate ($/GPU/hr),Start,End"
    (contract,) = _read(tmp_path, f"{header}\nR1,AWS,p5.48xlarge,2,$5.40,2026-03-01,2027-03-01\n").contracts
    assert (contract.gpus, contract.gpu_model) == (16.0, "H100")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Q1 2026", "2026-01-01"),
        ("2026 Q3", "2026-07-01"),
        ("2026-04", "2026-04-01"),
        ("March 2026", "2026-03-01"),
    ],
)
def test_a_month_or_a_quarter_begins_on_its_first_day(tmp_path: Path, text: str, iso: str) -> None:
    table = f"contract,vendor,gpu,gpus,rate,start,term\nX,Alpha,H100,100,2.2,{text},2 years\n"
    (contract,) = _read(tmp_path, table).contracts
    assert _day(contract.start_s) == iso


def test_a_column_that_says_whether_a_price_is_of_spot_is_no_price(tmp_path: Path) -> None:
    header = "instance_name,location,price,gpu_count,gpu_name,gpu_memory,spot"
    row = "p5.48xlarge,us-east-1,{},8,H100,80,{}\n"
    read = _prices(tmp_path, f"{header}\n{row.format('96.0', False)}{row.format('32.0', True)}")
    rates = {str(offer.pricing_category): offer.rate for offer in read.offers}
    assert rates == {"STANDARD": 12, "DYNAMIC": 4}


def test_a_ruler_is_no_offer(tmp_path: Path) -> None:
    path = tmp_path / "prices.md"
    path.write_text(
        "| Provider | GPU | On-demand $/hr | 1yr reserved $/hr |\n|---|:---|---:|---|\n| A | H100 | 4.25 | 2.95 |\n"
    )
    read = import_prices([str(path)])
    assert {offer.gpu_model for offer in read.offers} == {"H100"} and len(read.offers) == 2
    assert _codes(read.intake[0])["not_a_row"] == 1


@pytest.mark.parametrize(
    ("start", "term", "text", "iso"),
    [
        ("Q1 2026", "", "Q4 2026", "2027-01-01"),
        ("2026-01", "", "2026-12", "2027-01-01"),
        ("Jan 2026", "", "Dec 2026", "2027-01-01"),
        ("Jan 2026", "", "Jan 2027", "2027-01-01"),  # whole years: the day of the month it begins on
        ("Mar 2026", "3", "Jun 2026", "2026-06-01"),  # its term says which day
        ("Jan 2026", "12", "2026-12-31", "2027-01-01"),
        ("Jan 2026", "", "1 Dec 2026", "2026-12-01"),
    ],
)
def test_a_contract_up_to_a_month_or_a_quarter_lasts_until_that_is_over(
    tmp_path: Path, start: str, term: str, text: str, iso: str
) -> None:
    header = "Contract,GPU,GPUs,Rate per GPU hour,Start,End,Term (months)"
    read = _read(tmp_path, f"{header}\nA,H100,64,2.75,{start},{text},{term}\n")
    assert [_day(contract.end_s) for contract in read.contracts] == [iso]

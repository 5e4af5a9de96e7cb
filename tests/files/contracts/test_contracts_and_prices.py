"""Contracts and price lists: header in any case and order, every row accounted for, a missing rate never free."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.recognise import recognise

CONTRACTS = Path(__file__).parent.parent / "fixtures" / "contracts.csv"
COLUMNS = (
    "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,max_gpus,"
    + "lead_time_hours,source,as_of"
)
OFFERS = f"""{COLUMNS}
o2,Acme,H100,COMMITTED,12,2.10,64,336,quote,2026-01-02
o1,Acme,H100,standard,,6.88,,,list,2026-01-01
o3,Acme,NA,DYNAMIC,12,,,,list,
o4,Acme,H100,COMMITTED,,2.10,,,,
o5,Acme,H100,,12,2.10,,,,
o6,Acme,,STANDARD,,2.10,,,,
o1,Other,H100,STANDARD,,1,,,,
o7,Acme,H100,STANDARD,,-1,x,,,
"""


def _codes(file: FileIntake) -> dict[str, tuple[int, int | None]]:
    return {issue.code: (issue.count, issue.first_row) for issue in file.issues}


def test_every_row_of_contracts_is_accounted_for() -> None:
    read = import_contracts([str(CONTRACTS)])
    (file,) = read.intake
    assert (file.kind, file.format) == ("contracts", "own_contracts")
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (11, 3, 7, 1)
    assert [(row.row, row.code) for row in file.rejected] == [
        (5, "end_before_start"),
        (6, "bad_time"),
        (7, "bad_number"),
        (8, "bad_number"),
        (9, "negative_gpus"),
        (10, "missing_column"),
        (11, "unknown_value"),
    ]
    assert _codes(file)["quote_needed"] == (2, 3)
    assert _codes(file)["unknown_value"] == (2, 3)
    assert all(";" in str(issue.message) for issue in file.issues)


def test_what_a_contract_says_is_read_and_what_it_does_not_say_is_unknown() -> None:
    first, second, third = import_contracts([str(CONTRACTS)]).contracts
    assert first.contract_id == "0012"  # text, not a number
    assert (first.rate, first.start_s, first.end_s) == (None, 1_767_222_000, None)
    assert (first.pricing_category, first.bare_metal, first.interconnect) == (
        PricingCategory.STANDARD,
        False,
        None,
    )
    assert (first.pool, first.notice_days, first.gpu_memory_gb) == (Pool.INFERENCE, None, None)
    assert second == Contract(
        contract_id="C1",
        cluster="fox",
        gpu_model="H100",
        milli_gpus=64_000,
        rate_usd_per_gpu_hour=Decimal("2.75"),
        start_s=1_759_276_800,
        end_s=1_790_812_800,
        provider="Acme",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        min_term_months=1,
        notice_days=90,
        region="eu-north",
        bare_metal=True,
        interconnect="infiniband",
        gpu_memory_gb=80.0,
        egress_usd_per_gb=Decimal(0),
    )
    assert (third.cluster, third.gpu_model, third.milli_gpus, third.rate) == ("", None, 500, None)


def test_a_notice_of_centuries_is_a_slip(tmp_path: Path) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text("contract_id,gpus,start,notice_days\nk,1,1900-01-02,36500\nl,1,1900-01-02,36501\n")
    read = import_contracts([str(path)])
    assert [contract.notice_days for contract in read.contracts] == [36_500, None]
    assert [
        (issue.code, issue.first_row) for issue in read.intake[0].issues if issue.code == "bad_number"
    ] == [("bad_number", 3)]


def test_the_same_contracts_from_a_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in CONTRACTS.read_text(encoding="utf-8-sig").splitlines():
        sheet.append([cell or None for cell in line.split(",")])
    book.save(tmp_path / "contracts.xlsx")
    found = import_contracts([str(tmp_path / "contracts.xlsx")])
    assert found.contracts == import_contracts([str(CONTRACTS)]).contracts
    assert [row.row for row in found.intake[0].rejected] == [5, 6, 7, 8, 9, 10, 11]


def test_the_same_contracts_given_twice_are_duplicates() -> None:
    once, twice = import_contracts([str(CONTRACTS)]), import_contracts([str(CONTRACTS)] * 2)
    assert twice.contracts == once.contracts
    assert [(file.rows_accepted, file.rows_duplicate) for file in twice.intake] == [(3, 1), (0, 4)]


def test_every_row_of_prices_is_accounted_for(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(OFFERS, encoding="utf-8")
    read = import_prices([str(path)])
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (8, 4, 3, 1)
    assert _codes(file)["quote_needed"] == (2, 4)
    assert [offer.offer_id for offer in read.offers] == ["o1", "o2", "o3", "o7"]
    on_demand, committed, spot, odd = read.offers
    assert (on_demand.pricing_category, on_demand.term_months, on_demand.rate) == (
        PricingCategory.STANDARD,
        0,
        6.88,
    )
    assert (committed.term_months, committed.max_gpus, committed.lead_time_hours) == (12, 64, 336.0)
    assert (spot.gpu_model, spot.term_months, spot.rate) == ("NA", 0, None)  # NA is a name here, not a gap
    assert (odd.rate, odd.max_gpus) == (None, None)


def test_the_newest_rate_of_an_offer_counts_and_every_row_is_accounted_for(tmp_path: Path) -> None:
    def listed(name: str, *rows: str) -> str:
        (tmp_path / name).write_text("\n".join((COLUMNS, *rows)) + "\n", encoding="utf-8")
        return str(tmp_path / name)

    first = listed(
        "q1.csv",
        "a,Acme,H100,COMMITTED,12,2.10,,,,2026-01-02",
        "a,Acme,H100,COMMITTED,12,2.50,,,,2025-01-02",
        "b,Acme,H100,STANDARD,,6.88,,,,2026-01-02",
    )
    second = listed(
        "q2.csv",
        "a,Acme,H100,COMMITTED,12,1.90,,,,2026-04-02",
        "a,Acme,H100,COMMITTED,12,1.95,,,,2026-04-02",
        "a,Acme,H100,COMMITTED,12,7.00,,,,",
        "acme-od,Acme,H100,STANDARD,,6.50,,,,2026-04-02",
    )
    for paths in ([first, second], [second, first]):
        read = import_prices(paths)
        assert {offer.offer_id: offer.rate for offer in read.offers} == {"a": 1.90, "acme-od": 6.50}
        assert [(one.offer_id, one.as_of) for one in read.earlier_offers] == [
            ("a", "2025-01-02"),
            ("a", "2026-01-02"),
            ("b", "2026-01-02"),
        ]
        for file in read.intake:
            fates = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
            assert file.rows_read == sum(fates)
        assert sum(file.rows_accepted for file in read.intake) == 5


def test_limits_terms_in_days_and_upfront_payments_are_read(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(
        "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,min_gpus,unit_gpus,upfront_usd,"
        "sla_percent,term_days,starts,ends,valid_until\n"
        "block,H100,COMMITTED,,2.1,16,8,900,99.95,14,2026-10-01T11:30:00Z,2026-10-15T11:30:00Z,2026-09-20\n"
        "half,H100,COMMITTED,0.5,2.1,,,,,,,,\n"
        "late,H100,COMMITTED,3,2.1,,,,,,someday,,\n",
        encoding="utf-8",
    )
    read = import_prices([str(path)])
    (block,) = read.offers
    assert (block.term_months, block.term_days, block.term_hours) == (1, 14, 336.0)
    assert (block.min_gpus, block.unit_gpus, block.upfront_usd, block.sla_percent) == (
        16,
        8,
        Decimal(900),
        99.95,
    )
    assert (block.starts, block.ends, block.valid_until) == (
        "2026-10-01T11:30:00Z",
        "2026-10-15T11:30:00Z",
        "2026-09-20",
    )
    half, late = read.intake[0].rejected
    assert (half.row, half.code) == (3, "bad_number")
    assert "term_days" in str(half.message)
    assert (late.row, late.code) == (4, "bad_time")


def test_a_commitment_without_a_term_is_a_block_of_the_days_that_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(
        "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,starts,ends\n"
        "block,H100,COMMITTED,,2.8,2026-08-01T06:00:00Z,2026-09-12T06:00:00Z\n"
        "hours,H100,COMMITTED,,2.8,2026-08-01T06:00:00Z,2026-09-12T07:00:00Z\n"
        "open,H100,COMMITTED,,2.8,2026-08-01T06:00:00Z,\n",
        encoding="utf-8",
    )
    read = import_prices([str(path)])
    (block,) = read.offers
    assert (block.term_days, block.term_hours) == (42, 1008.0)
    assert [(row.row, row.code) for row in read.intake[0].rejected] == [(3, "bad_number"), (4, "bad_number")]


def test_who_owns_a_contract_and_its_sla_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text(
        "contract_id,gpus,start,egress_usd_per_gb,sla_percent,owner\nc,8,2026-01-01,0.02,99.9,research\n",
        encoding="utf-8",
    )
    (contract,) = import_contracts([str(path)]).contracts
    assert (contract.egress_usd_per_gb, contract.sla_percent, contract.owner) == (
        Decimal("0.02"),
        99.9,
        "research",
    )


def test_a_file_given_as_another_kind_is_refused_with_the_right_option(tmp_path: Path) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(OFFERS, encoding="utf-8")
    read = read_inputs([], [str(prices)], [str(CONTRACTS)])
    assert [str(error.remedy) for error in read.refused] == [
        "use it with --prices",
        "use it with --contracts",
    ]
    assert (read.contracts, read.offers, read.window) == ((), (), None)


def test_a_dropped_file_sorts_itself(tmp_path: Path) -> None:
    prices, jobs = tmp_path / "a.txt", tmp_path / "contracts.csv"
    prices.write_text(OFFERS, encoding="utf-8")
    jobs.write_text("job_id,gpus,start,end\n", encoding="utf-8")
    kinds = [recognise(str(path)).kind for path in (prices, jobs, CONTRACTS)]
    assert kinds == ["prices", "jobs", "contracts"]


def test_check_tells_what_a_file_holds(tmp_path: Path) -> None:
    prices, jobs = tmp_path / "prices.csv", tmp_path / "jobs.csv"
    prices.write_text(OFFERS, encoding="utf-8")
    jobs.write_text(
        "job_id,cluster,gpu_model,gpus,start,end\n1,fox,H100,2,2026-01-05,2026-01-06\n", encoding="utf-8"
    )
    facts = [dict(check_file(str(path))[0].facts) for path in (prices, jobs, CONTRACTS)]
    assert (facts[0]["offers"], facts[0]["quotes_needed"], facts[0]["terms_months"]) == (4, 2, [0, 12])
    assert (facts[1]["gpu_hours"], facts[1]["peak_gpus"], facts[1]["clusters"]) == (48.0, 2.0, ["fox"])
    assert (facts[1]["first_start"], facts[1]["last_end"]) == ("2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z")
    assert (facts[2]["gpus"], facts[2]["usd_per_month"], facts[2]["last_end"]) == (72.5, None, None)


def test_models_are_spelled_in_one_way(tmp_path: Path) -> None:
    prices, jobs = tmp_path / "prices.csv", tmp_path / "jobs.csv"
    prices.write_text(OFFERS.replace("H100", "h100"), encoding="utf-8")
    jobs.write_text(
        "job_id,gpu_model,gpus,start,end\n1,H100,2,2026-01-05,2026-01-06\n2,rtx9,1,2026-01-05,2026-01-06\n"
        "3,h100,1,2026-01-05,2026-01-06\n4,RTX9,1,2026-01-05,2026-01-06\n5,l40s,1,2026-01-05,2026-01-06\n",
        encoding="utf-8",
    )
    read = read_inputs([str(jobs)], [str(CONTRACTS)], [str(prices)])
    assert read.cube is not None
    assert read.cube.gpu_models == ("H100", "L40S", "RTX9")
    assert {contract.gpu_model for contract in read.contracts} == {"H100", None}
    totals = {
        read.cube.gpu_models[model]: int(total)
        for model, total in zip(read.cube.model_index, read.cube.row_totals, strict=True)
    }
    assert totals == {"L40S": 86_400_000, "RTX9": 2 * 86_400_000, "H100": 3 * 86_400_000}


def test_builtin_prices_are_those_of_the_product() -> None:
    read = import_prices(["builtin"])
    assert read.intake[0].path == "builtin"
    assert read.intake[0].rows_accepted == len(read.offers) > 0
    assert read.intake[0].rows_rejected == 0


@pytest.mark.parametrize("gpus", ["1e12", "0.0004", "0", "-1"])
def test_gpus_that_nobody_can_have_reject_the_row(tmp_path: Path, gpus: str) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text(f"contract_id,gpus,start\nc1,{gpus},2026-01-01\nc2,0.0005,2026-01-01\n")
    read = import_contracts([str(path)])
    assert [contract.milli_gpus for contract in read.contracts] == [1]
    (rejected,) = read.intake[0].rejected
    assert rejected.code == ("negative_gpus" if gpus == "-1" else "bad_number")
    assert str(rejected.message).startswith(f"gpus is {gpus}; ")


def test_a_workbook_is_of_no_encoding(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["contract_id", "gpus", "start", "rate_usd_per_gpu_hour"])
    book.active.append(["Zürich", 8, "2026-01-01", 2.5])
    path = tmp_path / "contracts.xlsx"
    book.save(path)
    read = import_contracts([str(path)])
    assert [contract.contract_id for contract in read.contracts] == ["Zürich"]
    assert _codes(read.intake[0]) == {}


def test_an_empty_table_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("\n")
    read = import_contracts([str(empty), str(CONTRACTS)])
    assert [fault.code for fault in read.refused] == ["missing_column"]
    assert [file.rows_accepted for file in read.intake] == [0, 3]


def test_rejected_rows_of_one_code_do_not_hide_those_of_another(tmp_path: Path) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text("contract_id,gpus,start\n" + "c,1,soon\n" * 1200 + "d,-1,2026-01-01\n")
    rejected = import_contracts([str(path)]).intake[0].rejected
    assert (len(rejected), rejected[-1].code) == (1001, "negative_gpus")


@pytest.mark.parametrize("end", ["", "9999-12-31", "9999-12-31T00:00:00Z"])
def test_no_end_is_written_in_more_than_one_way(tmp_path: Path, end: str) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text(
        f"contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end\nk,c,H100,8,2,2026-01-01,{end}\n"
    )
    (contract,) = import_contracts([str(path)]).contracts
    assert contract.end_s is None


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (import_contracts, "contract_id,gpus,start,colour,\na,8,2026-01-01,red,\nb,8,2026-01-01,,\n"),
        (
            import_prices,
            "offer_id,gpu_model,pricing_category,colour\na,H100,STANDARD,red\nb,H100,STANDARD,\n",
        ),
    ],
)
def test_a_column_that_is_not_known_is_said_and_its_rows_are_taken(
    tmp_path: Path, read: Callable[[list[str]], Any], text: str
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    (file,) = read([str(path)]).intake
    (issue,) = [each for each in file.issues if each.code == "unknown_column"]
    assert (file.rows_accepted, issue.count, issue.first_row) == (2, 1, 1), "columns are counted"
    assert "“colour”" in str(issue.message) and "“”" not in str(issue.message)
    path.write_text(text.replace("colour", "provider"), encoding="utf-8")
    assert "unknown_column" not in {each.code for each in read([str(path)]).intake[0].issues}

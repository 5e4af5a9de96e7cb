"""The workbook of a plan is known by its own marks, and its lists are tables with our own columns."""

import xlsxwriter

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.other_sheets import PLAN_SHEETS
from gpuplanner.files.sources.source import survey
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables.fields import FIELD_NAMES
from gpuplanner.files.tables.own_workbook import BESIDE, own_list, own_workbook
from gpuplanner.files.workbook.inputs import contracts_sheet, prices_sheet, rates_found
from gpuplanner.files.workbook.kit.sheets import CONTRACT_INPUTS, OFFER_INPUTS
from tests.files.open_document_files import write_ods

HEADINGS = (
    *("Contract", "Provider", "Cluster", "GPU model", "Pricing category", "Pinned to", "GPUs"),
    *("Rate, $ per GPU-h", "Start (UTC)", "End, exclusive (UTC)", "Term, months", "Notice, days"),
    *("Paid, GPU-h in the lookback period", "Counted"),
)
M_1 = ("M-1", "Saltmarsh", "core", "H200", "COMMITTED", "—", 48, 3.4, "2026-01-03", "2027-01-03", 12, 30)
M_2 = ("M-2", "Fenwick", "no cluster", "A10", "COMMITTED", "—", 24, 0.7, "2026-03-12", "2027-03-12", 12, 90)
FREE = (*[""] * 13, "free")
LIST = (HEADINGS, (*M_1, 1, "yes"), (*M_2, 2, "yes"), FREE, FREE)
OFFERS = (
    ("Offer", "Provider", "GPU model", "Pricing category", "Term, months", "Rate, $ per GPU-h"),
    ("h200-12", "—", "H200", "COMMITTED", 12, 2.95),
    ("h200-00", "Gemmel", "H200", "STANDARD", 0, "quote needed"),
)
ORDERS = (
    (
        "Order",
        "Provider",
        "GPU model",
        "GPUs",
        "Start (UTC)",
        "End (UTC)",
        "Rate, $ per GPU-h",
        "Term, months",
    ),
    *(
        (f"O{number}", "Gemmel", "H200", 16, f"2027-0{number}-03", f"2028-0{number}-03", 2.7, 12)
        for number in range(1, 6)
    ),
)
OLD = {
    "Cover": (("Plan of 30 Nov 2026",),),
    "Commitment": ORDERS,
    "Contracts": (
        ("Contracts",),
        (),
        *LIST,
        (),
        ("Timeline",),
        ("Contract", "What it is"),
        ("M-1", "48 H200"),
    ),
    "Prices": (("Prices",), (), *OFFERS),
}
MARKS = ("all_checks", "advice_is_of")


def written(path, sheets, names=MARKS, tables=()):
    """A workbook. tables: name and sheet; each covers the rows of LIST from the third row on."""
    with xlsxwriter.Workbook(path) as book:
        for title, rows in sheets.items():
            sheet = book.add_worksheet(title)
            for number, cells in enumerate(rows):
                for place, value in enumerate(cells):
                    if value != "":
                        sheet.write(number, place, value)
            for name in (name for name, of in tables if of == title):
                columns = [{"header": heading} for heading in HEADINGS]
                sheet.add_table(2, 0, 4, len(HEADINGS) - 1, {"name": name, "columns": columns})
        for name in names:
            book.define_name(name, f"='{next(iter(sheets))}'!$A$1")
    return str(path)


def issues(files, code):
    """The issues of a code, over files."""
    return [issue for file in files for issue in file.issues if issue.code == code]


def test_a_book_of_the_old_layout_gives_its_contracts_and_never_its_orders(tmp_path) -> None:
    path = written(tmp_path / "old.xlsx", OLD)
    contracts, prices = check_file(path)
    assert (contracts.rows_read, contracts.rows_accepted) == (2, 2)
    facts = dict(contracts.facts)
    # 48 × 3.40 × 730 h + 24 × 0.70 × 730 h
    assert (facts["contracts"], facts["gpus"], facts["usd_per_month"]) == (2, 72, 131_400)
    assert (prices.path, prices.rows_read, prices.rows_accepted) == (f"{path}/Prices", 2, 2)
    (said,) = issues((contracts, prices), PLAN_SHEETS)
    assert said.count == 2
    assert all(name in str(said.message) for name in ("Cover", "Commitment"))


def test_the_cells_of_a_list_are_read_as_what_they_state(tmp_path) -> None:
    path = written(tmp_path / "old.xlsx", OLD)
    first, second = import_contracts([path]).contracts
    assert (first.cluster, first.notice_days, first.pool) == ("core", 30, None)
    assert second.cluster == ""
    on_demand, committed = import_prices([path]).offers
    assert (on_demand.rate_usd_per_gpu_hour, on_demand.provider) == (None, "Gemmel")
    assert (str(committed.rate_usd_per_gpu_hour), committed.provider) == ("2.95", None)


def test_both_lists_of_a_book_given_as_two_kinds_say_once_what_is_skipped(tmp_path) -> None:
    path = written(tmp_path / "old.xlsx", OLD)
    read = read_inputs((), (path,), (path,))
    assert [file.kind for file in read.intake] == ["contracts", "prices"]
    assert len(issues(read.intake, PLAN_SHEETS)) == 1
    assert not issues(read.intake, "other_sheets")
    alone = read_inputs((), (path,))
    (said,) = issues(alone.intake, "other_sheets")
    assert "Prices" in str(said.message)


def test_a_list_is_found_by_its_table_where_its_sheet_has_another_name(tmp_path) -> None:
    sheets = {"Contracts": ORDERS, "Ours": (("Contracts",), (), *LIST)}
    path = written(tmp_path / "renamed.xlsx", sheets, tables=(("ContractList", "Ours"),))
    assert own_workbook(survey(path)).lists == (("contracts", "Ours"),)
    assert [one.contract_id for one in import_contracts([path]).contracts] == ["M-1", "M-2"]


def test_a_book_saved_as_open_document_is_known_too(tmp_path) -> None:
    path = str(write_ods(tmp_path / "book.ods", OLD, names=MARKS))
    assert own_workbook(survey(path)).sheets == tuple(OLD)
    assert [one.contract_id for one in import_contracts([path]).contracts] == ["M-1", "M-2"]
    theirs = str(write_ods(tmp_path / "theirs.ods", OLD))
    assert own_workbook(survey(theirs)) is None


def test_in_the_new_layout_the_front_sheet_of_contracts_is_no_list(tmp_path) -> None:
    sheets = {"Decisions": ORDERS, "Contracts": ORDERS, CONTRACT_INPUTS: LIST, OFFER_INPUTS: OFFERS}
    path = written(tmp_path / "new.xlsx", sheets)
    assert dict(own_workbook(survey(path)).lists) == {"contracts": CONTRACT_INPUTS, "prices": OFFER_INPUTS}
    assert [one.contract_id for one in import_contracts([path]).contracts] == ["M-1", "M-2"]


def test_a_workbook_of_somebody_else_is_read_as_before(tmp_path) -> None:
    theirs = (
        ("Contract ID", "Vendor", "GPU type", "GPUs", "Price per GPU-hour", "Start date", "End date"),
        ("A-1", "Gemmel", "H100", 8, 2.5, "2026-01-01", "2027-01-01"),
    )
    sheets = {"Contracts": theirs, "Notes": (("call on Monday",),)}
    path = written(tmp_path / "theirs.xlsx", sheets, names=("all_checks",))
    source = survey(path)
    assert own_workbook(source) is None
    assert own_list(source, "contracts") is None
    (file,) = check_file(path)
    assert (file.rows_accepted, file.format) == (1, "mapped")
    assert not issues((file,), PLAN_SHEETS)


def test_an_entry_in_a_free_row_counts_and_one_that_lacks_a_start_is_rejected(tmp_path) -> None:
    typed = ("M-3", "Gemmel", "core", "H100", "COMMITTED", "", 8, 2.5, "2026-06-01", "2027-06-01")
    lacking = ("M-4", "Gemmel", "core", "H100", "COMMITTED", "", 8, 2.5, "", "2027-06-01")
    rows = (*LIST[:3], FREE, typed, lacking)
    path = written(tmp_path / "typed.xlsx", {CONTRACT_INPUTS: rows})
    read = import_contracts([path])
    assert [one.contract_id for one in read.contracts] == ["M-1", "M-2", "M-3"]
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected) == (4, 3, 1)
    assert [row.row for row in file.rejected] == [6]


def test_amounts_are_in_the_currency_that_the_headings_name(tmp_path) -> None:
    headings = tuple(heading.replace("$", "€") for heading in HEADINGS)
    path = written(tmp_path / "euro.xlsx", {CONTRACT_INPUTS: (headings, *LIST[1:])})
    assert {one.currency for one in import_contracts([path]).contracts} == {"EUR"}


def test_the_stated_end_counts_while_the_end_is_as_exported(tmp_path) -> None:
    headings = (*HEADINGS, "End at export (UTC)", "End, as signed (UTC)")
    kept = (*M_1[:9], "—", 12, 30, 1, "yes", "—", "2027-01-03")
    changed = (*M_2[:9], "2028-01-01", 12, 30, 1, "yes", "—", "2027-03-12")
    path = written(tmp_path / "ends.xlsx", {CONTRACT_INPUTS: (headings, kept, changed)})
    first, second = import_contracts([path]).contracts
    assert (second.end_s - first.end_s) / 86_400 == 363  # 3 Jan 2027 to 1 Jan 2028


def test_parts_of_a_commitment_in_dollars_are_the_whole_once_and_those_of_an_order_are_none(tmp_path) -> None:
    headings = (*HEADINGS, "Part of", "Models of the commitment", "Commitment, $ per hour", "Discount, %")
    parts = [
        (
            f"{whole}: {model}",
            "AWS",
            "core",
            model,
            "COMMITTED",
            "",
            9.5,
            2.5,
            *M_1[8:],
            1,
            "yes",
            whole,
            *terms,
        )
        for whole, terms in (("D", ("H100;H200", 50, "H100=40;H200=35")), ("O1", ("—", "—", "—")))
        for model in ("H100", "H200")
    ]
    path = written(tmp_path / "dollars.xlsx", {CONTRACT_INPUTS: (headings, *parts)})
    (commitment,) = import_contracts([path]).contracts
    assert (commitment.contract_id, commitment.is_dollars) == ("D", True)
    assert str(commitment.commitment_usd_per_hour) == "50"
    assert commitment.discount_percent == "H100=40;H200=35"


def test_a_list_without_its_headings_is_refused_and_nothing_else_is_guessed(tmp_path) -> None:
    path = written(tmp_path / "bare.xlsx", {"Commitment": ORDERS, CONTRACT_INPUTS: LIST[1:]})
    read = import_contracts([path])
    assert not read.contracts
    assert [fault.code for fault in read.refused] == ["missing_column"]


def test_every_term_of_the_lists_has_a_field_or_follows_from_others() -> None:
    marks = rows_of("own_workbook.csv")
    known = {(row["kind"], row["text"]) for row in marks if row["mark"] == "heading"}
    follow = {"sla_hours_per_month", "sla_usd_per_month", "ramp"}
    fields = {
        "contracts": [
            *contracts_sheet.OF_EXTRAS[:-1],
            *contracts_sheet.OF_TERMS.values(),
            *contracts_sheet.AS_SIGNED,
            *contracts_sheet.OF_DOLLARS,
        ],
        "prices": [*rates_found.EXTRA_FIELDS, rates_found.UPFRONT, *prices_sheet.OF_TERMS.values()],
    }
    unread = {
        (kind, field.key)
        for kind, of in fields.items()
        for field in of
        if (kind, str(field.heading)) not in known and field.key not in follow
    }
    assert unread == set()
    named = {(row["kind"], row["field"]) for row in marks if row["mark"] == "heading"}
    ours = {(kind, name) for kind, names in FIELD_NAMES.items() for name in names}
    assert named - ours == {("contracts", field) for field in BESIDE}

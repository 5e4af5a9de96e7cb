"""The files that go to vendors: three sheets, nothing of our own costs, known in every format, never written over."""

import csv
import re
import zipfile
from dataclasses import replace
from decimal import Decimal

import openpyxl
import pytest
from openpyxl.cell.cell import MergedCell

from gpuplanner.domain.commitment.listed_order import READY
from gpuplanner.domain.fit.needs import NOTHING_ASKED
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.request import request_file
from gpuplanner.files.request.answered_offer import interconnect_of
from gpuplanner.files.request.request import (
    UNSAID,
    Terms,
    decide_s,
    has_rows,
    parse_terms,
    questions_until_s,
    reply_by_s,
    request_of,
)
from gpuplanner.files.request.request_file import Written, name_network, request_bytes, too_late_words
from gpuplanner.files.request.request_form import (
    COMPARE,
    HEAD,
    MUST,
    NO_BID,
    QUESTIONS,
    SHEETS,
    WRITTEN,
    read_key,
)
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.tables.network_words import NETWORKS, offered_network_words
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator

PROVIDERS = ("Northlight", "northlight", "CON: a/b", "=cmd|x", None)
BUYER = Terms(buyer="ACME")


def write_requests(evaluation, folder, day_s, terms=BUYER, **values):
    """Writes the requests of a buyer."""
    return request_file.write_requests(evaluation, folder, day_s, terms, **values)


@pytest.fixture(scope="module")
def evaluation():
    """The small case, its offers from several providers, one of them of a name that no file may have."""
    found = two_clusters_evaluated()
    offers = tuple(
        replace(offer, provider=PROVIDERS[place % len(PROVIDERS)])
        for place, offer in enumerate(found.project.offers)
    )
    return replace(found, project=replace(found.project, offers=offers))


@pytest.fixture(scope="module")
def day_s(evaluation):
    return evaluation.project.window.end_s + 10 * DAY_S + 5000


@pytest.fixture(scope="module")
def request_(evaluation, day_s):
    return request_of(evaluation, read_tables(), day_s, UNSAID)


@pytest.fixture(scope="module")
def written(evaluation, day_s, tmp_path_factory):
    return write_requests(evaluation, tmp_path_factory.mktemp("rfq") / "new", day_s).paths


def with_orders(evaluation, *orders):
    """The evaluation whose plan has these orders, which are numbered again."""
    return replace(evaluation, advice=replace(evaluation.advice, orders=orders), outlook=None)


def sheets_in(path):
    """Its three sheets: request, quote, questions."""
    book = openpyxl.load_workbook(path)
    assert tuple(book.sheetnames) == SHEETS
    return book.worksheets


def cells_in(path):
    """All filled cells of all sheets."""
    return [
        cell
        for sheet in sheets_in(path)
        for cells in sheet.iter_rows()
        for cell in cells
        if cell.value is not None
    ]


def table_of(path):
    """The rows of the table, each a dict by the keys of the columns; those for alternatives are left out."""
    _, sheet, _ = sheets_in(path)
    return [
        {column.key: cell.value for column, cell in zip(WRITTEN, cells, strict=True)}
        for cells in sheet.iter_rows()
        if (key := read_key(str(cells[1].value))) and key[1].startswith("O")
    ]


def heading_row(sheet):
    (row,) = [cells[0].row for cells in sheet.iter_rows() if cells[0].value == WRITTEN[0].heading]
    return row


def test_a_file_for_each_provider_of_the_models(written, request_):
    assert request_.vendors == ("=cmd|x", "CON: a/b", "Northlight")
    assert [path.name for path in written] == [
        f"=cmd-x {request_.reference}.xlsx",
        f"CON- a-b {request_.reference}.xlsx",
        f"Northlight {request_.reference}.xlsx",
    ]


def test_who_is_named_is_asked_and_nobody_else(evaluation, day_s, tmp_path):
    paths = write_requests(evaluation, tmp_path, day_s, vendors=["Vela", " vela ", "Orrin"]).paths
    assert [path.name.split(" RFQ")[0] for path in paths] == ["Orrin", "Vela"]


@pytest.mark.parametrize(("terms", "option"), [(UNSAID, "--rfq-head buyer="), (BUYER, "--rfq-vendor NAME")])
def test_no_file_without_a_buyer_and_a_vendor(evaluation, day_s, tmp_path, terms, option):
    offers = tuple(replace(offer, provider=None) for offer in evaluation.project.offers)
    nobody = replace(evaluation, project=replace(evaluation.project, offers=offers))
    with pytest.raises(PlannerError) as refused:
        write_requests(nobody, tmp_path / "new", day_s, terms)
    assert option in str(refused.value.remedy) and not (tmp_path / "new").exists()


def test_every_order_is_asked_for_in_whole_nodes_from_the_day_of_the_export(
    evaluation, written, request_, day_s
):
    orders = evaluation.advice.orders
    assert sorted(map(id, (one for row in request_.rows for one in row.orders))) == sorted(map(id, orders))
    rows = table_of(written[-1])
    assert [row["request"] for row in rows] == [row.name for row in request_.rows]
    assert [row.number for row in request_.rows] == sorted(one.number for one in evaluation.listed_orders)
    for row, asked in zip(rows, request_.rows, strict=True):
        assert (row["gpus"], row["gpu_model"].split(" ")[0]) == (asked.gpus, asked.gpu_model)
        assert (row["until"] == "None") == (asked.terms == 1)
        assert row["gpus"] % asked.node_gpus == 0
        assert asked.ordered_gpus <= row["gpus"] < asked.ordered_gpus + asked.node_gpus
        assert row["start"].date().isoformat() >= iso_utc(day_s)[:10]
        assert read_key(row["key"]) == (request_.reference, asked.name)
        assert re.fullmatch(r"\d+ (month|day)s?", row["term"])


def test_the_first_sheet_says_who_asks_for_what_by_when(written, request_, day_s):
    sheet, _, _ = sheets_in(written[2])
    at = {cell.value: cell for cells in sheet.iter_rows() for cell in (cells[0], cells[3]) if cell.value}
    day = day_s - day_s % DAY_S

    def said(key):
        line = next(line for line in HEAD if line.key == key)
        cell = next(cells[place + 1] for cells in sheet.iter_rows() for place in (0, 3)
                    if cells[place].value == line.label and (place == 3) == (line.who == "vendor"))  # fmt: skip
        return cell.value.timestamp() if hasattr(cell.value, "timestamp") else cell.value

    expected = {"buyer": "ACME", "reference": request_.reference, "vendor": "Northlight", "currency": "USD"}
    assert {key: said(key) for key in expected} == expected
    days = [(said(key) - said("issued")) / DAY_S for key in ("questions_until", "reply_by", "decide_by")]
    assert days == [7, 14, 19] and day == request_.asking.today_s
    firm = [row for row in request_.rows if not row.is_option]
    gpus = map(int, re.findall(r"([0-9,]+) (?:more|[A-Z])", sheet["A1"].value))
    assert sum(gpus) == sum(row.gpus for row in firm)
    assert len([value for value in at if re.fullmatch(r"[1-9]", str(value))]) == 7


def test_each_question_has_its_weight_and_a_cell_for_its_answer(written):
    _, _, sheet = sheets_in(written[0])
    asked = [[cell.value for cell in cells] for cells in sheet.iter_rows(min_row=5)]
    assert asked == [[at, one.text, one.weight, None] for at, one in enumerate(QUESTIONS, 1)]
    assert {one.weight for one in QUESTIONS} == {"Must", "Compare", "Price"}
    assert all(not cells[3].protection.locked for cells in sheet.iter_rows(min_row=5))


@pytest.mark.long
def test_the_total_is_what_the_vendor_would_be_paid_over_the_term(written, request_, need_tool, tmp_path):
    """(Rate x hours of the term + upfront) x GPUs + set-up: in the vendor's own cells, and 0 without a rate."""
    book = openpyxl.load_workbook(written[2])
    sheet, place = book.worksheets[1], {column.key: at for at, column in enumerate(WRITTEN, 1)}
    rows = [
        cells[0].row
        for cells in sheet.iter_rows()
        if (read_key(str(cells[1].value)) or "  ")[1].startswith("O")
    ]
    for key, value in {"rate": 2.5, "upfront": 100, "setup": 700, "most": 8}.items():
        sheet.cell(rows[0], place[key]).value = value
    copy = tmp_path / "filled.xlsx"
    book.save(copy)
    (again,) = Recalculator(need_tool("soffice"), tmp_path / "out").converted("xlsx", copy)
    values = openpyxl.load_workbook(again, data_only=True).worksheets[1]
    first = request_.rows_for("Northlight")[0]
    hours = first.term_days * 24 or first.term_months * 730
    total = (2.5 * hours + 100) * 8 + 700
    assert [values.cell(row, place["total"]).value for row in (rows[0], rows[1], rows[-1] + 1)] == [
        total,
        0,
        total,
    ]


def _asked_anyhow(request):
    """Numbers that a request has in its own right: GPUs in whole nodes and months."""
    return {row.gpus for row in request.rows} | {row.term_months for row in request.rows}


def test_nothing_of_our_own_stands_in_a_request(evaluation, written, day_s):
    """No formula, link, path, author; no offer, rate, workload, pool, cluster, contract or plan."""
    project, orders = evaluation.project, evaluation.advice.orders
    amounts = {float(rate) for offer in project.offers for rate in [offer.rate_usd_per_gpu_hour] if rate}
    amounts |= {contract.rate for contract in project.contracts if contract.rate}
    amounts |= {amount for order in orders for amount in (order.cost_per_month, order.liability) if amount}
    words = {offer.offer_id for offer in project.offers} | {
        contract.contract_id for contract in project.contracts
    }
    words |= {workload.name for workload in project.workloads} | {row.cluster for row in project.contracts}
    words |= {project.title, evaluation.scenario, "training", "inference", "burst", "--", "/tmp", "\\"}
    others = set(PROVIDERS[2:4])
    request = request_of(evaluation, read_tables(), day_s, UNSAID)
    needed = {f"{sum(row.ordered_gpus for row in request.rows if not row.is_option):g}"}
    needed |= {
        f"{row.ordered_gpus:g}" for row in request.rows if row.ordered_gpus not in _asked_anyhow(request)
    }
    assert needed
    total = next(column.heading for column in WRITTEN if column.key == "total")
    for path in written:
        cells = cells_in(path)
        own = path.name.split(" RFQ")[0]
        for cell in cells:
            text = str(cell.value)
            assert cell.hyperlink is None
            if cell.data_type == "f":
                above = [line[cell.column - 1].value for line in cell.parent.iter_rows(max_row=cell.row)]
                assert total in above and "!" not in text and "[" not in text
                continue
            if cell.protection.locked:
                assert not any(word in text for word in words), (path.name, cell.coordinate, text)
            assert not needed & set(re.findall(r"(?<![OA\d.])[\d.]*\d", text)) or text.startswith(
                ("gpuplanner-", "RFQ-")
            )
            assert own != "Northlight" or not any(other in text for other in others)
            assert cell.data_type != "n" or cell.value not in amounts or cell.value == int(cell.value)
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            assert not any("external" in name or "comments" in name for name in names)
            core = archive.read("docProps/core.xml").decode()
            assert "gpuplanner" not in core and "<dc:creator></dc:creator>" in core
            everything = b"".join(archive.read(name) for name in names)
        assert b"/tmp" not in everything
        assert not cells[0].parent.parent.defined_names


def test_the_vendors_cells_alone_are_unlocked_yellow_and_validated(written):
    for sheet in sheets_in(written[-1]):
        assert sheet.protection.sheet and sheet.protection.password is None
        for cells in sheet.iter_rows():
            for cell in cells:
                if not isinstance(cell, MergedCell) and not cell.protection.locked:
                    assert cell.fill.fgColor.rgb == "FFFFF3BF", cell.coordinate
    _, sheet, _ = sheets_in(written[-1])
    rules = [(rule.sqref, rule.type) for rule in sheet.data_validations.dataValidation]
    for cells in sheet.iter_rows():
        key = read_key(str(cells[1].value))
        if key is None:
            assert all(cell.protection.locked for cell in cells)
            continue
        for column, cell in zip(WRITTEN, cells, strict=True):
            is_theirs = column.who == "vendor" or (
                key[1].startswith("A") and column.key not in ("key", "total")
            )
            assert cell.protection.locked is not is_theirs, cell.coordinate
            if column.who == "vendor" and column.key != "remark":
                kinds = [kind for area, kind in rules if cell.coordinate in area]
                by_kind = {"text": "list", "date": "date", "gpus": "whole"}
                assert kinds == [by_kind.get(column.kind, "decimal")], cell.coordinate
    assert any(NO_BID in str(rule.formula1) for rule in sheet.data_validations.dataValidation)


@pytest.mark.parametrize(("paper", "code"), [("a4", "9"), ("letter", "1")])
def test_it_prints_on_one_page_across_with_its_headings_on_each(request_, tmp_path, paper, code):
    path = tmp_path / "request.xlsx"
    path.write_bytes(request_bytes(replace(request_, terms=BUYER), "Northlight", paper))
    for sheet in sheets_in(path):
        assert sheet.page_setup.fitToWidth in (None, 1) and sheet.page_setup.fitToHeight == 0
        assert sheet.sheet_properties.pageSetUpPr.fitToPage and sheet.page_setup.orientation == "landscape"
        assert str(sheet.page_setup.paperSize) == code
    _, sheet, _ = sheets_in(path)
    head = heading_row(sheet)
    assert sheet.print_title_rows == f"${head}:${head}"
    assert sheet.column_dimensions["B"].hidden
    seen = [column for column in sheet.column_dimensions.values() if not column.hidden]
    assert sum(column.width * (column.max - column.min + 1) for column in seen) <= 170, (
        "text of 7 pt at least"
    )
    book = openpyxl.load_workbook(path)
    assert (book._fonts[0].name, book._fonts[0].sz) == ("Arial", 10), "its digits are the unit of the widths"


def test_the_network_of_a_row_is_that_of_its_offer_unless_another_is_needed(evaluation, day_s):
    sold = {"interconnect": "roce_400", "bare_metal": True}
    offers = tuple(replace(offer, **sold) for offer in evaluation.project.offers)
    of = replace(evaluation, project=replace(evaluation.project, offers=offers))
    request = request_of(of, read_tables(), day_s, UNSAID)
    row = request.rows[0]
    needy = replace(row, needs=replace(row.needs, interconnect="infiniband"))
    names = [name_network(request, one) for one in (replace(row, needs=NOTHING_ASKED), needy)]
    assert names == [f"{offered_network_words(offers[0])}: {COMPARE}", f"{NETWORKS['infiniband']}: {MUST}"]
    assert [interconnect_of(name) for name in names] == ["roce_400", "infiniband"]


@pytest.mark.long
def test_the_same_again_is_the_same_bytes_and_what_somebody_filled_in_stays(evaluation, day_s, tmp_path):
    first = write_requests(evaluation, tmp_path, day_s).paths
    before = {path: path.read_bytes() for path in first}
    assert write_requests(evaluation, tmp_path, day_s + 3600).paths == first
    assert {path: path.read_bytes() for path in first} == before
    other = write_requests(evaluation, tmp_path, day_s, Terms(buyer="Acme Ltd")).paths
    assert other == first and other[0].read_bytes() != before[other[0]]  # an empty one makes room
    book = openpyxl.load_workbook(first[-1])
    row = next(cells for cells in book.worksheets[1].iter_rows() if read_key(str(cells[1].value)))
    row[-1].value = "on request"
    book.save(first[-1])
    kept = {path: path.read_bytes() for path in first}
    with pytest.raises(PlannerError, match="not an empty RFQ"):
        write_requests(evaluation, tmp_path, day_s)
    assert {path: path.read_bytes() for path in first} == kept, "none of the others is written either"


@pytest.mark.parametrize("content", [b"", b"not a book", b"PK\x03\x04 damaged"])
def test_what_is_no_request_is_not_written_over(evaluation, day_s, tmp_path, content):
    first = write_requests(evaluation, tmp_path, day_s).paths
    first[0].write_bytes(content)
    with pytest.raises(PlannerError, match="not an empty RFQ"):
        write_requests(evaluation, tmp_path, day_s)
    assert first[0].read_bytes() == content


def test_a_file_that_a_person_gave_is_never_written_to(evaluation, day_s, tmp_path):
    first = write_requests(evaluation, tmp_path, day_s).paths
    with pytest.raises(PlannerError, match="an input file"):
        write_requests(evaluation, tmp_path, day_s, given=[first[1]])


def test_cancelled_between_two_files_those_written_are_whole(evaluation, day_s, tmp_path):
    answers = iter([False, False, True])
    with pytest.raises(Cancelled):
        write_requests(evaluation, tmp_path, day_s, is_cancelled=lambda: next(answers))
    (path,) = tmp_path.iterdir()
    assert table_of(path)


def test_a_plan_that_orders_nothing_asks_for_nothing(evaluation, day_s, tmp_path):
    idle = with_orders(evaluation)
    assert write_requests(idle, tmp_path / "none", day_s) == Written()
    assert not (tmp_path / "none").exists()


def test_whether_anything_is_asked_is_known_without_the_rows(evaluation, day_s):
    last_s = max(order.end_s for order in evaluation.advice.orders)
    days = range(day_s, last_s + 30 * DAY_S, 30 * DAY_S)
    asked = [has_rows(evaluation, day) for day in days]
    assert asked == [bool(request_of(evaluation, read_tables(), day, UNSAID).rows) for day in days]
    assert asked[0] and not asked[-1]


def test_rows_that_one_provider_alone_may_serve_go_to_it_alone(evaluation, day_s, request_):
    first, *rest = evaluation.advice.orders
    limited = replace(first, gpu_model=f"{first.offer_gpu_model} @ NORTHLIGHT [eu]")
    request = request_of(with_orders(evaluation, limited, *rest), read_tables(), day_s, UNSAID)
    assert len(request.rows_for("Northlight")) == len(request.rows)
    assert len(request.rows_for("CON: a/b")) == len(request.rows_for("Vela")) == len(request.rows) - 1


def test_who_alone_may_serve_a_row_is_asked_whatever_it_has_on_offer(evaluation, day_s):
    first, *rest = evaluation.advice.orders
    limited = replace(first, gpu_model=f"{first.offer_gpu_model} @ Fjord Compute")
    request = request_of(with_orders(evaluation, limited, *rest), read_tables(), day_s, UNSAID)
    assert "Fjord Compute" in request.vendors
    (row,) = [row for row in request.rows if row.only.provider]
    assert row in request.rows_for("Fjord Compute") and row not in request.rows_for("Vela")
    asked_of = [vendor for vendor in (*request.vendors, "Vela") if row in request.rows_for(vendor)]
    assert asked_of == ["Fjord Compute"]


def test_nothing_is_ordered_before_replies_are_decided_on_and_what_is_too_late_is_told(evaluation, day_s):
    (first, *_) = evaluation.advice.orders
    day = day_s - day_s % DAY_S

    def of(reason, order_by, starts, terms=UNSAID, **values):
        one = replace(
            first, reason=reason, offer_id="elsewhere", order_by_s=day + order_by * DAY_S, start_s=day + starts * DAY_S,
            end_s=day + (starts + 365) * DAY_S, term_months=12, term_days=None, **values,
        )  # fmt: skip
        of_one = with_orders(evaluation, one)
        request = request_of(of_one, read_tables(), day_s, terms)
        (row,) = request.rows
        days = (request.asking.reply_by_s, request.order_day_s(row), row.start_s)
        assert (
            bool(too_late_words(request, of_one))
            == (row in request.too_late)
            == (days[1] - day > order_by * DAY_S)
        )
        return [(at_s - day) // DAY_S for at_s in days], row

    assert of("now", 0, 2)[0] == [14, 19, 21], "it waits for the replies, and then its lead"
    assert of("contract_end", 60, 90)[0] == [14, 60, 90], "there is time enough"
    assert of("contract_end", 19, 40)[0] == [14, 19, 40], "on the very day"
    assert of("contract_end", 4, 30)[0] == [14, 19, 45], "too late for its day by 15 days"
    days, row = of("now", 0, 2, Terms(reply_by=iso_utc(day + 9 * DAY_S)[:10], decide_days="2"))
    assert days == [9, 11, 13] and row.is_soonest


@pytest.mark.long
def test_what_is_too_late_is_told_with_what_waiting_costs_at_most():
    """The orders of the request that cannot wait, and the sum of what the plan knows of their waiting."""
    case = two_clusters_with_layers()
    case.offers = [replace(offer, provider="Northlight") for offer in case.offers]
    whole = evaluation_of(case)
    begins_s = whole.project.plan_window.end_s
    request = request_of(whole, read_tables(), begins_s, UNSAID)
    wait = whole.wait_for_quotes(request.asking.days)
    late = [row for row in request.rows if row in request.too_late]
    assert wait is not None and late
    words = str(too_late_words(request, whole))
    assert re.findall(r"O\d+", words) == [row.name for row in late]
    usd = sum(one.usd for row in late if (one := wait.of(row.number)))
    assert re.findall(r"\$([\d,]+)", words) == [f"{usd:,.0f}"]
    number = late[0].number
    listed = (replace(one, status=READY) if one.number == number else one for one in whole.listed_orders)
    ready = replace(whole, outlook=replace(whole.outlook, listed_orders=tuple(listed)))
    assert late[0].name not in str(too_late_words(request, ready)), "a valid quote waits for no other"


@pytest.mark.parametrize("days", ["soon", "-1", "5.5", "999"])
def test_days_to_decide_are_days(days):
    with pytest.raises(PlannerError):
        decide_s(Terms(decide_days=days))


def test_what_the_buyer_says_stands_above(evaluation, day_s, tmp_path):
    day = iso_utc(day_s + 5 * DAY_S)[:10]
    terms = parse_terms([f"reply_by={day}", "buyer= ACME = Co ", "contact=buy@example.org"])
    path = write_requests(evaluation, tmp_path, day_s, terms).paths[0]
    texts = [str(cell.value) for cell in cells_in(path)]
    assert {"ACME = Co", "buy@example.org"} <= set(texts) and any(text.startswith(day) for text in texts)


@pytest.mark.parametrize("text", ["buyer", "buyer=", "colour=red", ""])
def test_words_that_say_nothing_are_refused(text):
    with pytest.raises(PlannerError):
        parse_terms([text])


@pytest.mark.parametrize("day", ["soon", "2026-02-30", "1999-01-01"])
def test_a_day_to_reply_by_is_a_day_to_come(day):
    for of, terms in ((reply_by_s, Terms(reply_by=day)), (questions_until_s, Terms(questions_until=day))):
        with pytest.raises(PlannerError):
            of(terms, 1_790_000_000)


def test_the_unit_that_the_planner_assumes_is_the_node(evaluation, day_s):
    assumptions = replace(evaluation.project.assumptions, unit=1)
    single = replace(evaluation, project=replace(evaluation.project, assumptions=assumptions))
    request = request_of(single, read_tables(), day_s, UNSAID)
    assert {row.node_gpus for row in request.rows} == {1}


def test_quotes_are_asked_for_in_the_money_of_the_project(evaluation, day_s):
    euro = replace(evaluation, project=replace(evaluation.project, currency="EUR"))
    assert request_of(euro, read_tables(), day_s, UNSAID).currency == "EUR"


@pytest.mark.long
def test_keys_survive_other_formats(need_tool, written, request_, tmp_path):
    calc = Recalculator(need_tool("soffice"), tmp_path)
    keys = [(request_.reference, row.name) for row in request_.rows]
    [ods] = calc.converted("ods", written[-1])
    [back] = Recalculator(calc.soffice, tmp_path / "back").converted("xlsx", ods)
    for path in (back, *calc.converted("xlsx", written[-1])):
        assert [read_key(row["key"]) for row in table_of(path)] == keys
    book = openpyxl.load_workbook(written[-1])
    book.move_sheet(book.worksheets[1], -1)  # a text file has the first alone
    book.save(tmp_path / "first.xlsx")
    [text] = calc.converted("csv", tmp_path / "first.xlsx")
    with text.open(encoding="utf-8", newline="") as lines:
        found = [read_key(cell) for cells in csv.reader(lines) for cell in cells]
    assert [key for key in found if key and key[1].startswith("O")] == keys


def test_what_is_bought_to_be_our_own_is_asked_of_nobody(tmp_path):
    """Its order is in no row, its provider gets no file, and what is written says how many GPUs that leaves out."""
    case = two_clusters_with_layers()
    own = Offer(
        offer_id="own",
        gpu_model="A100",
        pricing_category=PricingCategory.OWNED,
        term_months=48,
        rate_usd_per_gpu_hour=None,
        provider="Our hall",
        capex_usd_per_gpu=Decimal(15_000),
        life_months=48,
    )
    case.offers.append(own)
    found = evaluation_of(case)
    bought = sum(order.bought_gpus for order in found.advice.orders if order.offer_id == "own")
    begins_s = found.project.window.end_s
    asked = request_of(found, read_tables(), begins_s, UNSAID)
    held = [order.offer_id for row in asked.rows for order in row.orders]
    assert bought > 0 and held
    assert sorted(held) == sorted(o.offer_id for o in found.advice.orders if o.offer_id != "own")
    assert "Our hall" not in asked.vendors
    said = str(write_requests(found, tmp_path / "rfq", begins_s, vendors=["Vela"]).said)
    assert re.search(rf"No RFQ covers the plan's {bought:g} owned GPUs", said)

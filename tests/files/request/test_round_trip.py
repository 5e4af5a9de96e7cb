"""A request that was written, filled in and sent back, as any program saves it, is read as what was filled in."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from gpuplanner.domain.award.deciding import asked_on, decide
from gpuplanner.domain.commitment.asked_rows import WAITS, AskedRow
from gpuplanner.domain.evaluation import evaluate_advice
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import joined
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.project import while_asking
from gpuplanner.domain.model.window import DAY_S, day_of, iso_utc
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.request.request import UNSAID, Terms, days_of, request_of
from gpuplanner.files.request.request_file import is_unanswered, write_requests
from gpuplanner.files.request.request_form import COLUMNS, HEAD, QUESTIONS
from gpuplanner.files.system.resources import read_tables
from tests.files.workbook.evaluations import two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator

ANSWERS: Mapping[str, Mapping[str, object]] = {
    "R1": {
        "bid": "bid",
        "rate": 1.995,
        "most": 8,
        "least": 8,
        "lead": 10,
        "upfront": 1250.5,
        "sla": 99.95,
        "valid_until": datetime(2026, 12, 15),
        "earliest": datetime(2027, 1, 4),
        "egress": 0.015,
        "remark": "zwei Standorte, geprüft; “ab sofort”",
    },
    "R2": {"rate": 2.5},
    "R3": {"bid": "no bid"},
}
TOLD = {
    "vendor": "Nördlicht & Söhne",
    "quoted_on": datetime(2026, 10, 5),
    "valid_until": datetime(2026, 11, 30),
}


def fill(path: Path, answers: Mapping[str, Mapping[str, object]]) -> Path:
    """Fills in a request as a vendor does: by headings and labels, in the cells that are unlocked."""
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[0]
    labels = {line.label: TOLD[line.key] for line in HEAD if line.key in TOLD}
    places: dict[str, int] = {}
    for cells in sheet.iter_rows():
        texts = {cell.value: cell.column for cell in cells if isinstance(cell.value, str)}
        if {"Request", "Rate per GPU-hour"} <= texts.keys():
            places = {column.key: texts[column.heading] for column in COLUMNS}
        elif places and cells[0].value in answers:
            for key, value in answers[str(cells[0].value)].items():
                cell = sheet.cell(cells[0].row, places[key])
                assert not cell.protection.locked
                cell.value = value
        elif not places:
            for label in labels.keys() & texts.keys():
                below = sheet.cell(cells[0].row, texts[label] + 2)
                if not below.protection.locked:
                    below.value = labels[label]
    book.save(path)
    return path


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    evaluation = two_clusters_evaluated()
    paths = write_requests(evaluation, tmp_path / "rfq", 1_790_726_400).paths  # 2026-09-30
    return fill(next(path for path in paths if path.name.startswith("Any other")), ANSWERS)


def by_row(read: PricesRead) -> dict[str, Offer]:
    return {row.row: offer for offer in read.offers if (row := answered_row(offer)) is not None}


@pytest.mark.long
def test_what_was_filled_in_comes_back(filled: Path) -> None:
    read = import_prices([str(filled)])
    offers = by_row(read)
    assert sorted(offers) == ["R1", "R2"]
    (file,) = read.intake
    assert (
        file.rows_rejected == file.rows_duplicate == 0
        and file.rows_read == file.rows_accepted + file.rows_ignored
    )
    first, second = offers["R1"], offers["R2"]
    assert (first.provider, first.rate_usd_per_gpu_hour, first.upfront_usd) == (
        "Nördlicht & Söhne",
        Decimal("1.995"),
        Decimal("1250.5"),
    )
    assert (first.min_gpus, first.max_gpus, first.lead_time_hours, first.sla_percent) == (8, 8, 240.0, 99.95)
    assert (first.as_of, first.starts, first.valid_until) == ("2026-10-05", "2027-01-04", "2026-12-15")
    assert first.egress_usd_per_gb == Decimal("0.015") and (first.source or "").endswith("“ab sofort”")
    assert (second.rate, second.valid_until) == (2.5, "2026-11-30") and second.starts is not None
    assert {issue.code for issue in file.issues} <= {"no_quote", "odd_rate"}


@pytest.mark.long
def test_as_other_programs_save_it_the_values_are_the_same(filled: Path, tmp_path: Path, need_tool) -> None:
    usual = import_prices([str(filled)])
    calc = Recalculator(need_tool("soffice"), tmp_path / "soffice")
    for number, kind in enumerate(
        ("xlsx", "ods", *(f"csv:Text - txt - csv (StarCalc):{sign},34,76,1" for sign in (44, 59, 9)))
    ):
        copy = tmp_path / f"answer {number}.xlsx"
        copy.write_bytes(filled.read_bytes())
        [again] = calc.converted(kind, copy)
        assert recognise(str(again)).format == "workbook"
        read = import_prices([str(again)])
        assert read.offers == usual.offers, kind
        counts = [
            (file.rows_read, file.rows_accepted, file.rows_ignored) for file in (*read.intake, *usual.intake)
        ]
        assert counts[0] == counts[1], kind


@pytest.mark.long
def test_what_is_asked_besides_comes_back_with_its_answers(tmp_path: Path) -> None:
    evaluation = two_clusters_evaluated()
    day_s = evaluation.project.window.end_s + 5000
    own = ["Do you run on water?", "Which rack?"]
    terms = Terms(buyer="ACME", question="\n\n".join(own))
    path = write_requests(evaluation, tmp_path, day_s, terms).paths[0]
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[0]
    (heading,) = [cells[0].row for cells in sheet.iter_rows() if cells[0].value == "Question"]
    at = next(cell.column for cell in sheet[heading] if cell.value == "Answer")
    rows = range(heading + 1, sheet.max_row + 1)
    assert [sheet.cell(row, 1).value for row in rows] == [*QUESTIONS, *own]
    assert all(not sheet.cell(row, at).protection.locked for row in rows) and is_unanswered(path, {"USD"})
    sheet.cell(rows[0], at).value, sheet.cell(rows[-1], at).value = "one fabric", "the second"
    book.save(path)
    assert not is_unanswered(path, {"USD"})
    (file,) = import_prices([str(path)]).intake
    assert dict(file.facts)["answers"] == [
        {"question": QUESTIONS[0], "answer": "one fabric"},
        {"question": "Which rack?", "answer": "the second"},
    ]
    assert {issue.code for issue in file.issues} == {"no_quote"}, "neither rows nor remarks"


@pytest.mark.long
@pytest.mark.parametrize("days_later", [0, 15])
def test_the_plan_that_was_asked_for_is_awarded_under_the_numbers_of_its_request(
    tmp_path: Path, days_later: int
) -> None:
    """Whichever rows start later than the plan orders them, for replies have to come in first."""
    evaluation, tables = two_clusters_evaluated(), read_tables()
    day_s = evaluation.project.window.end_s + 5000
    request = request_of(evaluation, tables, day_s, UNSAID)
    assert any(row.is_soonest for row in request.rows)
    paths = write_requests(evaluation, tmp_path, day_s).paths
    file = fill(next(path for path in paths if path.name.startswith("Any other")), {"R1": ANSWERS["R2"]})
    intake = (*evaluation.project.intake, *import_prices([str(file)]).intake)
    answered = replace(evaluation.in_parts, project=replace(evaluation.in_parts.project, intake=intake))
    rows = asked_on(answered, day_s + days_later * DAY_S)
    asked = [(row.name, row.gpu_model, row.gpus, row.term_words, row.needs) for row in request.rows]
    assert [(row.name, row.gpu_model, row.gpus, row.term_words, row.needs) for row in rows] == asked
    assert [row.asked_as for row in rows] == [((request.reference, row.name),) for row in request.rows]
    assert all(day_of(now.start_s) >= before.start_s for now, before in zip(rows, request.rows, strict=True))


@pytest.mark.long
@pytest.mark.parametrize(("days_late", "reply_days"), [(0, 14), (12, 14), (-40, 14), (0, 190)])
def test_every_row_that_is_answered_as_it_was_asked_is_awarded_under_its_number(
    demo_path: Path, tmp_path: Path, days_late: int, reply_days: int
) -> None:
    """The plan that is exported and the one that is awarded wait for the days of the request, by one rule."""
    tables, project = read_tables(), open_project(demo_path)
    name, day_s = project.scenarios[0].name, project.plan_window.end_s + days_late * DAY_S
    terms = Terms(reply_by=iso_utc(day_s + reply_days * DAY_S)[:10])
    days = days_of(terms, day_s)
    asked = evaluate_advice(while_asking(project, days), name, tables)
    assert asked.advice is not None
    request = request_of(asked, tables, day_s, terms)
    for order in asked.advice.orders:
        is_free = order.term_months <= 1 or order.reason not in WAITS
        assert is_free or order.order_by_s + max(days_late, 0) * DAY_S >= days.orders_from_s
    rates = {row.name: {"rate": max(one.rate or 0.0 for one in row.orders)} for row in request.rows}
    paths = write_requests(asked, tmp_path, day_s, terms).paths
    read = import_prices([str(fill(next(path for path in paths if path.name.startswith("Any")), rates))])
    offers, _ = joined(project.offers, read.offers)
    answered = replace(project, offers=offers, intake=(*project.intake, *read.intake))
    assert answered.request_days == days
    award = decide(evaluate_advice(answered, name, tables), day_s, lambda offer: (0.0, 0.0))
    assert award is not None

    def told(row: AskedRow) -> tuple[object, ...]:
        return row.name, row.gpu_model, row.gpus, row.term_words, row.needs, row.start_s

    assert list(map(told, award.rows)) == [told(row) for row in request.rows if not row.is_option]
    for line in award.awarded:
        said = answered_row(line.offer)
        assert said is not None and (said.reference, said.row) == (request.reference, line.row.name)
    assert sum(line.gpus for line in award.awarded) == sum(row.gpus for row in award.rows) > 0

"""A request that was written, filled in and sent back, as any program saves it, is read as what was filled in."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any

import openpyxl
import pytest

from gpuplanner.domain.award.deciding import asked_on, decide
from gpuplanner.domain.commitment.asked_rows import AskedRow
from gpuplanner.domain.evaluation import Evaluation, evaluate_advice, with_outlook
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import joined
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.intake import sent_in
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.request.request import UNSAID, Terms, days_of, request_of
from gpuplanner.files.request.request_file import is_unanswered, write_requests
from gpuplanner.files.request.request_form import HEAD, QUESTIONS, WRITTEN, read_key
from gpuplanner.files.system.resources import read_tables
from tests.files.workbook.evaluations import evaluated, two_clusters_evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator

DAY_OF_REQUEST_S = 1_790_726_400  # 2026-09-30
BUYER = Terms(buyer="ACME")
ANSWERS: Mapping[str, Mapping[str, object]] = {
    "O1": {
        "bid": "bid",
        "rate": 1.995,
        "most": 8,
        "upfront": 1250.5,
        "setup": 20,
        "valid_until": datetime(2026, 12, 15),
        "earliest": datetime(2027, 1, 4),
        "remark": "zwei Standorte, geprüft; “ab sofort”",
    },
    "O2": {"rate": 2.5},
    "O3": {"bid": "no bid"},
}
TOLD = {
    "vendor": "Nördlicht & Söhne",
    "quoted_on": datetime(2026, 10, 5),
    "valid_until": datetime(2026, 11, 30),
}
PLACES = {column.key: place for place, column in enumerate(WRITTEN, 1)}


def fill(
    path: Path, answers: Mapping[str, Mapping[str, object]], said: Mapping[str, str] = MappingProxyType({})
) -> Path:
    """Fills in a request as a vendor does, in the cells that are unlocked. said: answers by the key of a question."""
    book = openpyxl.load_workbook(path)
    head, quote, questions = book.worksheets

    def put(cell: Any, value: object) -> None:
        assert not cell.protection.locked, cell.coordinate
        cell.value = value

    labels = {line.label: TOLD[line.key] for line in HEAD if line.key in TOLD}
    for cells in head.iter_rows():
        if cells[3].value in labels:
            put(cells[4], labels[cells[3].value])
    for cells in quote.iter_rows():
        key = read_key(str(cells[1].value))
        for column, value in answers.get(key[1] if key else "", {}).items():
            put(cells[PLACES[column] - 1], value)
    begins = {one.text.split("?")[0]: said[one.key] for one in QUESTIONS if one.key in said}
    for cells in questions.iter_rows():
        if answer := begins.get(str(cells[1].value).split(" (we")[0].split("?")[0]):
            put(cells[3], answer)
    book.save(path)
    return path


def asked_of_vela(evaluation: Evaluation, folder: Path, day_s: int, terms: Terms = BUYER) -> Path:
    """The request to one vendor."""
    (path,) = write_requests(evaluation, folder, day_s, terms, vendors=["Vela"]).paths
    return path


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    return fill(asked_of_vela(two_clusters_evaluated(), tmp_path / "rfq", DAY_OF_REQUEST_S), ANSWERS)


def by_row(read: PricesRead) -> dict[str, Offer]:
    return {row.row: offer for offer in read.offers if (row := answered_row(offer)) is not None}


@pytest.mark.long
def test_what_was_filled_in_comes_back(filled: Path) -> None:
    read = import_prices([str(filled)])
    offers = by_row(read)
    assert sorted(offers) == ["O1", "O2"]
    (file,) = read.intake
    assert (
        file.rows_rejected == file.rows_duplicate == 0
        and file.rows_read == file.rows_accepted + file.rows_ignored
    )
    first, second = offers["O1"], offers["O2"]
    assert (first.provider, first.rate_usd_per_gpu_hour, first.upfront_usd) == (
        "Nördlicht & Söhne",
        Decimal("1.995"),
        Decimal("1253"),  # 20 shared by 8
    )
    (asked,) = [row.gpus for row in sent_in(read.intake[0]) if row.name == "O1"]
    assert (first.min_gpus, first.max_gpus, first.sla_percent) == (min(8, asked or 0), 8, None)
    assert (first.as_of, first.starts, first.valid_until) == ("2026-10-05", "2027-01-04", "2026-12-15")
    assert (first.source or "").endswith("“ab sofort”") and second.upfront_usd is None
    assert (second.rate, second.valid_until) == (2.5, "2026-11-30") and second.starts is not None
    assert {issue.code for issue in file.issues} <= {"no_quote", "odd_rate", "computed"}


@pytest.mark.long
def test_as_other_programs_save_it_the_values_are_the_same(filled: Path, tmp_path: Path, need_tool) -> None:
    usual = import_prices([str(filled)])
    calc = Recalculator(need_tool("soffice"), tmp_path / "soffice")
    for number, kind in enumerate(("xlsx", "ods")):
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
def test_a_text_file_of_the_quote_alone_names_nobody_and_is_no_offer(
    filled: Path, tmp_path: Path, need_tool
) -> None:
    book = openpyxl.load_workbook(filled)
    book.move_sheet(book.worksheets[1], -1)
    book.save(tmp_path / "quote.xlsx")
    calc = Recalculator(need_tool("soffice"), tmp_path / "soffice")
    [text] = calc.converted("csv:Text - txt - csv (StarCalc):59,34,76,1", tmp_path / "quote.xlsx")
    read = import_prices([str(text)])
    assert not read.offers and read.intake[0].rows_rejected == 2
    assert all("Vendor" in str(row.message) for row in read.intake[0].rejected)


@pytest.mark.long
def test_what_is_asked_besides_comes_back_with_its_answers(tmp_path: Path) -> None:
    evaluation = two_clusters_evaluated()
    day_s = evaluation.project.window.end_s + 5000
    own = ["Do you run on water?", "Which rack?"]
    terms = Terms(buyer="ACME", sla="99.9%", question="\n\n".join(own))
    path = asked_of_vela(evaluation, tmp_path, day_s, terms)
    assert is_unanswered(path, {"USD", "Vela"})
    fill(path, {"O1": {"rate": 2}}, {"fabric": "one fabric", "sla": "99.95%, 10% credit"})
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[2]
    rows = list(sheet.iter_rows(min_row=5))
    assert [cells[1].value for cells in rows[-2:]] == own and len(rows) == len(QUESTIONS) + 2
    rows[-1][3].value = "the second"
    book.save(path)
    assert not is_unanswered(path, {"USD", "Vela"})
    read = import_prices([str(path)])
    answers = dict(read.intake[0].facts)["answers"]
    assert [one["answer"] for one in answers] == ["one fabric", "99.95%, 10% credit", "the second"]
    (offer,) = read.offers
    said = answered_row(offer)
    assert said is not None and (said.sla_percent, offer.sla_percent, said.remark) == (99.9, 99.95, "")


@pytest.mark.long
def test_an_alternative_is_an_offer_for_the_request_that_it_names(tmp_path: Path) -> None:
    """Another term, and one that names no request, which is asked about."""
    other = {
        "gpus": 16,
        "gpu_model": "H100 80 GB",
        "term": "24 months",
        "start": datetime(2026, 12, 1),
        "rate": 1.5,
    }
    alternatives = {"A1": {"request": "O1", **other}, "A2": {**other, "remark": "cheaper still"}}
    path = asked_of_vela(two_clusters_evaluated(), tmp_path, DAY_OF_REQUEST_S)
    read = import_prices([str(fill(path, {"O1": {"rate": 2}, **alternatives}))])
    own, alternative = read.offers
    assert (alternative.offer_id, alternative.term_months) == (f"{own.offer_id} A1", 24)
    assert (alternative.gpu_model, alternative.gpu_memory_gb, alternative.max_gpus) == ("H100", 80.0, 16)
    said = answered_row(alternative)
    assert said is not None and said.row == "O1"
    (rejected,) = read.intake[0].rejected
    assert rejected.code == "missing_column" and "O1" in str(rejected.message)


def told(row: AskedRow) -> tuple[object, ...]:
    """What a vendor is asked for by a row."""
    return row.name, row.gpu_model, row.gpus, row.term_words, row.terms, row.needs


@pytest.mark.long
@pytest.mark.parametrize("days_later", [0, 15])
def test_answers_do_not_change_what_was_asked(tmp_path: Path, days_later: int) -> None:
    """Also where the plan takes a quote for much less: the rows keep their numbers, GPUs and terms."""
    evaluation, tables = two_clusters_evaluated(), read_tables()
    day_s = evaluation.project.window.end_s + 5000
    request = request_of(evaluation, tables, day_s, UNSAID)
    path = asked_of_vela(evaluation, tmp_path, day_s)
    read = import_prices([str(fill(path, {row.name: {"rate": 0.5} for row in request.rows[:2]}))])
    project = replace(
        evaluation.project,
        intake=(*evaluation.project.intake, *read.intake),
        offers=(*evaluation.project.offers, *read.offers),
    )
    answered = evaluated(project, two_clusters_with_layers().classifications)
    assert answered.advice is not None and answered.advice.orders != evaluation.advised.orders
    rows = asked_on(answered, day_s + days_later * DAY_S)
    assert list(map(told, rows)) == list(map(told, request.rows))
    assert [row.asked_as for row in rows] == [((request.reference, row.name),) for row in request.rows]
    award = decide(answered, day_s + days_later * DAY_S, lambda offer: (0.0, 0.0))
    assert award is not None and not award.gone
    assert {line.row.name for line in award.awarded} == {row.name for row in request.rows[:2]}
    assert {line.offer.provider for line in award.awarded} == {TOLD["vendor"]}


@pytest.mark.long
@pytest.mark.parametrize(("days_late", "reply_days"), [(0, 14), (12, 14), (0, 190)])
def test_every_row_that_is_answered_as_it_was_asked_is_awarded_under_its_number(
    demo_path: Path, tmp_path: Path, days_late: int, reply_days: int
) -> None:
    tables, project = read_tables(), open_project(demo_path)
    name, day_s = project.scenarios[0].name, project.plan_window.end_s + days_late * DAY_S
    terms = Terms(buyer="ACME", reply_by=iso_utc(day_s + reply_days * DAY_S)[:10])
    asked = with_outlook(evaluate_advice(project, name, tables))
    request = request_of(asked, tables, day_s, terms)
    numbers = {listed.number for listed in asked.listed_orders}
    assert {row.number for row in request.rows} <= numbers, "ids are those of the orders"
    rates = {row.name: {"rate": max(one.rate or 0.0 for one in row.orders)} for row in request.rows}
    read = import_prices([str(fill(asked_of_vela(asked, tmp_path, day_s, terms), rates))])
    offers, _ = joined(project.offers, read.offers)
    answered = replace(project, offers=offers, intake=(*project.intake, *read.intake))
    assert answered.request_days == days_of(terms, day_s)
    award = decide(evaluate_advice(answered, name, tables), day_s, lambda offer: (0.0, 0.0))
    assert award is not None
    firm = [row for row in request.rows if not row.is_option]
    assert [(*told(row), row.start_s) for row in award.rows] == [(*told(row), row.start_s) for row in firm]
    for line in award.awarded:
        said = answered_row(line.offer)
        assert said is not None and (said.reference, said.row) == (request.reference, line.row.name)
    assert sum(line.gpus for line in award.awarded) == sum(row.gpus for row in award.rows) > 0

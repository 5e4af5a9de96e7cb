"""Made answers are applied to the same rows in plan, award and sheet."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from gpuplanner.domain.award.award import Award
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.evaluation import Evaluation, scenario_named
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.request.request import UNSAID, Request, request_of
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook
from tests.files.open_document_files import Value
from tests.files.request.answered_files import HEAD_VALUES, asked, sheet_of, write_xlsx
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluated, two_clusters_evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import cells_of
from tests.some_of import some_of


def moment(at_s: int) -> datetime:
    return datetime.fromtimestamp(at_s - at_s % DAY_S, UTC).replace(tzinfo=None)


def first_evaluation() -> Evaluation:
    return two_clusters_evaluated()


def evaluated_with(first: Evaluation, offers: Iterable[Offer], plan_from_s: int | None = None) -> Evaluation:
    """The plan again, with further offers, from a day on."""
    project = replace(first.project, offers=(*first.project.offers, *offers), plan_from_s=plan_from_s)
    return evaluated(project, two_clusters_with_layers().classifications)


@pytest.fixture(scope="module")
def first() -> Evaluation:
    return first_evaluation()


def answers(request: Request, random: Random, folder: Path) -> tuple[Offer, ...]:
    """Two vendors' quotes for most rows, each with a rate, a lead, an earliest start and days that it holds."""
    found: list[Offer] = []
    for vendor in ("Elm", "Fir"):
        rows: list[dict[str, Value]] = []
        for row in request.rows:
            if random.random() < 0.2:
                continue
            cells: dict[str, Value] = {
                "rate": round(random.uniform(0.8, 3.0), 2),
                "start": moment(row.start_s),
                "gpu_model": row.gpu_model,
                "gpus": row.gpus,
                "term": row.term_words,
                "interconnect": "any",
                "bare_metal": "any",
                "lead": random.choice([None, 0, 1, 14, 45]),
                "least": random.choice([None, None, 1]),
                "sla": random.choice([None, 99.9, 99.95, 99]),
                "valid_until": random.choice(
                    [None, moment(request.asking.today_s + random.choice([3, 30, 120]) * DAY_S)]
                ),
            }
            if random.random() < 0.3:
                cells["earliest"] = moment(row.start_s) + timedelta(days=random.choice([-5, 3, 40]))
            rows.append(asked(row.name, request.reference, **cells))
        head = HEAD_VALUES | {
            "vendor": vendor,
            "reference": request.reference,
            "quoted_on": moment(request.asking.today_s),
            "valid_until": None,
        }
        path = write_xlsx(folder / f"{vendor}.xlsx", {"Quote": sheet_of(rows, head=head)})
        read = import_prices([str(path)])
        assert not any(file.rows_rejected for file in read.intake), [file.issues for file in read.intake]
        found += read.offers
    return tuple(found)


def planned_again(first: Evaluation, seed: int, folder: Path) -> tuple[Evaluation, Award, int]:
    """A plan of which vendors were asked some days on, the plan from then on with their answers, and its award."""
    random = Random(seed)
    begins_s = first.project.plan_window.end_s + random.choice([0, 0, 3, 50]) * DAY_S
    request = request_of(first, read_tables(), begins_s, UNSAID)
    again = evaluated_with(first, answers(request, random, folder), begins_s)
    award = decide(again, begins_s, lambda offer: (0.0, 0.0))
    assert award is not None
    return again, award, begins_s


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(8), quick=1))
def test_plan_award_and_sheet_hold_the_same_quotes_open(first: Evaluation, seed: int, tmp_path: Path) -> None:
    again, award, begins_s = planned_again(first, seed, tmp_path)
    seen = 0
    advice = again.advice
    assert advice is not None
    offers = {offer.offer_id: offer for offer in again.project.offers}
    beside = {(one.row.name, one.offer.offer_id): one for one in award.considered}
    for row in award.rows:
        for order in row.orders:
            if answered_row(offers[order.offer_id]):
                one = beside[row.name, order.offer_id]
                why = [str(words) for words in one.against]
                assert not why, (row, order, why)
    ground = ground_of(
        again.in_parts.project,
        scenario_named(again.project, again.scenario),
        again.figures.workload_pools,
        AdviceCache(),
        advice.classes,
    )
    for one in award.considered:
        if one.qualifies and answered_row(one.offer):
            months = {(order.start_s - ground.window.end_s) // MONTH_S for order in one.row.orders}
            assert any(ground.calendar.is_open_in(one.offer, month) for month in months), one

    path = tmp_path / "plan.xlsx"
    write_workbook(again, path, begins_s)
    cells = SheetCells(cells_of(path)["Calc orders"])
    _, head = cells.column("For request")
    for one in award.considered:
        if answered_row(one.offer) and one.quoted_for and one.row.name in one.quoted_for:
            quoted = {"C": one.offer.provider, "D": one.offer.spread_rate, "I": one.offer.as_of}
            rows = cells.rows(A=one.row.name, **quoted)  # the award below has GPUs in D and $ in I
            below = [row for row in rows if row > head]
            assert below
            for row in below:
                said = cells.cells[f"K{row}"]
                assert (said in ("yes", "for a part")) is one.qualifies, (said, one)
                seen += 1
    assert seen


@pytest.mark.long
def test_made_answers_are_used_in_several_months(first: Evaluation, tmp_path: Path) -> None:
    months = set()
    for seed in range(4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        again, _, _ = planned_again(first, seed, folder)
        assert again.advice is not None
        begins_s = again.project.plan_window.end_s
        quoted = (order for order in again.advice.orders if order.offer_id.startswith("quote"))
        months |= {(order.start_s - begins_s) // MONTH_S for order in quoted}
    assert 0 in months and len(months) > 1

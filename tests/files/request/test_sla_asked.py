"""The SLA that a buyer asks for is a number: quotes of less are neither planned with nor awarded."""

from pathlib import Path

import pytest

from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.model.book.quote_source import Answered, answered_row
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.request.quoted_cells import UnclearError
from gpuplanner.files.request.request import UNSAID, Terms, sla_asked
from gpuplanner.files.request.request_form import sla_percent_of, sla_question
from tests.files.request.answered_files import HEAD_VALUES, asked, sheet_of, write_xlsx
from tests.files.request.test_same_everywhere import evaluated_with, first_evaluation, moment
from tests.some_of import some_of


def test_none_is_asked_unsaid_and_one_that_is_asked_is_a_must_that_is_read_back() -> None:
    assert sla_asked(UNSAID) == 0
    assert sla_question(0).weight == "Compare"
    asked_for = sla_question(99.95)
    assert (asked_for.weight, sla_percent_of(asked_for.text)) == ("Must", 99.95)


@pytest.mark.parametrize(
    ("terms", "percent"),
    [
        ("10% service credit below 99.9% a month", 99.9),
        ("99.9% a month, below 95% a 100% service credit", 99.9),
        ("99.9", 99.9),
        ("0.999", 99.9),
        ("99,95 percent", 99.95),
        ("99.99999%", 99.99999),
        ("three nines", 0),
    ],
)
def test_what_a_text_asks_for(tmp_path: Path, terms: str, percent: float) -> None:
    assert sla_percent_of(terms) == percent
    assert [one.sla_percent for one in answered_under(tmp_path, terms)] == [percent]


@pytest.mark.parametrize("number", [99.9, 0.999])
def test_a_number_in_its_cell_is_a_percentage(tmp_path: Path, number: float) -> None:
    assert [one.sla_percent for one in answered_under(tmp_path, number)] == [99.9]


@pytest.mark.parametrize("terms", ["10% credit", "24/7 support", "0.1% down", "250"])
def test_figures_that_are_no_percentage_are_asked_about(tmp_path: Path, terms: str) -> None:
    with pytest.raises(UnclearError):
        sla_percent_of(terms)
    with pytest.raises(PlannerError):
        sla_asked(Terms(sla=terms))
    assert [one.sla_percent for one in answered_under(tmp_path, terms)] == [99.9], "as where nothing is said"


def answered_under(folder: Path, terms: str | float) -> list[Answered]:
    """What the offers of a quote say that they answer, with these words as the SLA that was asked for."""
    sheet = sheet_of([asked("R1", rate=2.0)], head=HEAD_VALUES | {"sla": terms})
    read = import_prices([str(write_xlsx(folder / "a.xlsx", {"Q": sheet}))])
    return [said for offer in read.offers if (said := answered_row(offer)) is not None]


@pytest.mark.long
@pytest.mark.parametrize(
    ("terms", "asked_percent", "offered", "is_used"),
    some_of(
        [
            ("99.9% a month", 99.9, 99.5, False),
            ("99.5% a month", 99.5, 99.5, True),
            ("99.99 % a month", 99.99, 99.95, False),
            ("best effort", None, 95, True),
            ("99.99% a month", 99.99, None, True),
        ],
        quick=2,
    ),
)
def test_it_holds_in_plan_and_award(
    tmp_path: Path, terms: str, asked_percent: float | None, offered: float | None, is_used: bool
) -> None:
    first = first_evaluation()
    begins_s = first.project.plan_window.end_s
    head = HEAD_VALUES | {"sla": terms, "valid_until": None, "quoted_on": moment(begins_s)}
    row = asked("R1", rate=0.5, sla=offered, lead=0, start=moment(begins_s + 3 * 86_400))
    read = import_prices([str(write_xlsx(tmp_path / "a.xlsx", {"Q": sheet_of([row], head=head)}))])
    again = evaluated_with(first, read.offers)
    (quote,) = (offer for offer in again.project.offers if answered_row(offer))
    assert again.advice is not None
    assert any(order.offer_id == quote.offer_id for order in again.advice.orders) is is_used
    award = decide(again, begins_s, lambda offer: (0.0, 0.0))
    assert award is not None and award.conditions.sla_percent == asked_percent
    against = [str(words) for one in award.considered if one.offer is quote for words in one.against]
    assert any("SLA" in words for words in against) is not is_used

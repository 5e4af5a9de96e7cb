"""The panel Award: what it says of a plan, of today and of a plan that orders nothing; figures are the award's."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.sourcing.awarding import Found
from gpuplanner.domain.award.award import Award, award_of
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.award.quote_worths import with_worth
from gpuplanner.domain.evidence.award import OF_AWARD
from gpuplanner.domain.reports.award import headline
from gpuplanner.files.tables.odd_rates import market_of_offer
from gpuplanner.ui.panels.prices.award import (
    HOW_TO_ASK,
    NO_LIMIT,
    NOTHING_ASKED,
    OF_A_PLAN,
    SETTLING,
    AwardPanel,
)
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.figure_table import FigureTable
from tests.domain.award.conftest import CONDITIONS, quote, row
from tests.ui.priced_world import plan, today


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[AwardPanel]:
    made = AwardPanel()
    qtbot.addWidget(made)
    made.show()
    yield made
    made.awarding.close()


def texts(table: FigureTable) -> list[list[str]]:
    rows = table.model().rowCount()
    return [[str(cell.text) for cell in table.row_at(at).cells] for at in range(rows)]


def award_shown(shown: ViewState) -> Award:
    today_s = shown.evaluation.project.plan_window.end_s
    decided = decide(shown.evaluation, today_s, market_of_offer)
    assert decided is not None
    whole = with_worth(decided, shown.evaluation)
    assert whole is not None
    return whole


@pytest.mark.long
def test_a_plan_is_awarded_in_a_thread(qtbot: QtBot, panel: AwardPanel) -> None:
    shown = plan()
    panel.show_state(shown)
    assert panel.tables["rows"].isHidden()
    qtbot.waitUntil(lambda: panel.answer is not None and panel.answer.is_whole, timeout=60_000)
    award = award_shown(shown)
    assert panel.headline.text() == str(headline(award))
    rows = texts(panel.tables["rows"])
    assert len(rows) == len(award.awarded) + len(award.open) > 0
    assert len(texts(panel.tables["quotes"])) == sum(bool(one.rows) for one in award.quotes)
    assert len(texts(panel.tables["left_out"])) == sum(not one.rows for one in award.quotes)
    assert all(line[-1] for line in texts(panel.tables["left_out"]))  # each says why
    left_out = [one.offer.offer_id for one in award.quotes if not one.rows]
    assert [panel.tables["left_out"].names_of(at)[0] for at in range(len(left_out))] == left_out


@pytest.mark.long
def test_remarks_have_a_column_where_somebody_made_one(
    panel: AwardPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, award = panel.tables["rows"], award_shown(plan())
    panel.show_tables(award)
    assert table.habits.titles[-1] == "Whole term $"
    monkeypatch.setattr("gpuplanner.domain.reports.award.remark_of", lambda offer: "Free of set-up fees.")
    panel.show_tables(award)
    assert table.habits.titles[-1] == "Remark"
    assert texts(table)[0][-1] == "Free of set-up fees."


@pytest.mark.long
def test_how_much_of_what_quotes_are_worth_is_done_is_said(panel: AwardPanel) -> None:
    award = award_shown(plan())
    panel.show_answer(Found(award, False))
    assert panel.note.text().split("\n")[0].endswith("quotes: 0%")
    panel.awarding.progressed.emit(0.35, "")
    assert panel.note.text().split("\n")[0].endswith("quotes: 35%")
    panel.show_answer(Found(award, True))
    assert "35%" not in panel.note.text()


def test_today_and_a_plan_that_settles_have_none(panel: AwardPanel) -> None:
    panel.show_state(today())
    assert panel.headline.text() == str(OF_A_PLAN)
    shown = plan()
    panel.show_state(replace(shown, evaluation=replace(shown.evaluation, advice=None)))
    assert panel.headline.text() == str(SETTLING)
    assert panel.tables["rows"].isHidden() and panel.note.text() == str(HOW_TO_ASK)


def test_nothing_asked_for_is_said(panel: AwardPanel) -> None:
    award = award_of([], [], CONDITIONS)
    assert award is not None
    panel.show_answer(Found(award, True))
    assert panel.headline.text() == str(NOTHING_ASKED)


def test_an_undecided_quote_waits_also_where_nothing_is_asked_for_any_more(panel: AwardPanel) -> None:
    source = "Quote RFQ-20261001-7C1E R1 for 2026-10-31; subject to availability"
    award = award_of([], [quote("a", 2.0, source=source)], CONDITIONS)
    assert award is not None
    panel.show_answer(Found(award, True))
    assert panel.headline.text() == str(NOTHING_ASKED) and "needs clarification" in panel.note.text()
    (line,) = texts(panel.tables["undecided"])
    assert line[-1] == "subject to availability" and "\u201csubject" in line[-2]
    assert not panel.taker.isHidden()


def test_answers_are_imported(qtbot: QtBot, panel: AwardPanel) -> None:
    with qtbot.waitSignal(panel.import_asked):
        panel.importer.click()


def test_what_may_be_prepaid_is_a_limit_of_the_award(qtbot: QtBot, panel: AwardPanel) -> None:
    shown = plan()
    panel.show_state(shown)
    assert panel.max_prepaid is None and panel.prepaid.text() == str(NO_LIMIT)
    assert "$0" not in panel.note.text()
    qtbot.waitUntil(lambda: panel.answer is not None, timeout=60_000)
    assert panel.answer is not None and panel.answer.award.conditions.max_prepaid is None
    panel.prepaid.stepUp()
    assert panel.prepaid.value() == 0
    qtbot.waitUntil(
        lambda: panel.answer is not None and panel.answer.award.conditions.max_prepaid == 0, timeout=60_000
    )
    assert "$0" in panel.note.text()
    panel.prepaid.setValue(-1)
    assert panel.prepaid.text() == str(NO_LIMIT)
    qtbot.waitUntil(
        lambda: panel.answer is not None and panel.answer.award.conditions.max_prepaid is None, timeout=60_000
    )


def test_the_limit_is_of_one_project(qtbot: QtBot, panel: AwardPanel) -> None:
    panel.show_project(1, "USD")
    panel.prepaid.setValue(20_000)
    panel.show_project(1, "USD")
    assert panel.max_prepaid == 20_000  # an edit leaves it
    for loads, currency in ((2, "USD"), (2, "EUR")):
        panel.prepaid.setValue(20_000)
        panel.show_project(loads, currency)
        assert panel.max_prepaid is None and panel.prepaid.text() == str(NO_LIMIT)


@pytest.mark.long
def test_its_figures_say_why(qtbot: QtBot, panel: AwardPanel) -> None:
    panel.show_state(plan())
    qtbot.waitUntil(lambda: panel.answer is not None and panel.answer.is_whole, timeout=60_000)
    award = panel.award
    assert award is not None
    asked = {figure_id for table in panel.tables.values() for figure_id in table.figure_ids()}
    kinds = {figure_id.split(":")[0] for figure_id in asked}
    assert (
        {"award_cost", "award_share", "award_worth"} <= kinds <= set(OF_AWARD)
    )  # nobody saves where nobody else serves
    for figure_id in asked:
        assert OF_AWARD.answer(award, figure_id).figure_id == figure_id


def test_an_undecided_quote_is_taken_with_a_button(qtbot: QtBot, panel: AwardPanel) -> None:
    waiting = quote(
        "odd", 0.5, source="Quote RFQ-20261001-7C1E R1 for 2026-10-31; plus VAT", starts="2026-10-31"
    )
    award = award_of([row()], [quote("plain", 2.5), waiting], CONDITIONS)
    assert award is not None
    panel.show_answer(Found(award, True))
    assert panel.taker.isVisibleTo(panel)
    ((who, *_, remark),) = texts(panel.tables["undecided"])
    assert who.startswith("Vendor odd") and remark == "plus VAT"
    with qtbot.waitSignal(panel.take_asked) as asked:
        panel.taker.click()
    assert asked.args == ["odd"]
    plain = award_of([row()], [quote("plain", 2.5)], CONDITIONS)
    assert plain is not None
    panel.show_answer(Found(plain, True))
    assert not panel.taker.isVisibleTo(panel) and panel.tables["undecided"].isHidden()

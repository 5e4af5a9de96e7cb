"""Sentences of the model stay messages until the window writes them: its digits, its money, its language."""

import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.translation import spoken, use_currency
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, Largest
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.rule_preview import ClassAmount, RuleEffect, RulePreview
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.fit.fit_rows import Sharing
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer_fields import OFFER_FIELDS
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.serving import CITIES, SITE_SETS, named_sets
from gpuplanner.domain.serving.placement import placement_of
from gpuplanner.files.importing.recognise import GIVE_AS
from gpuplanner.ui.board import toolbar
from gpuplanner.ui.cards import facets
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.frame.headline import FigureButton
from gpuplanner.ui.importing.import_state import import_remedy
from gpuplanner.ui.importing.issue_words import report_trace, validation_figure
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.panels.duration.backtest import too_short_words
from gpuplanner.ui.panels.duration.level_words import levels_words
from gpuplanner.ui.panels.duration.sections import FLIPS
from gpuplanner.ui.panels.prices.detail import write_field_tip
from gpuplanner.ui.panels.today.contract_times import timeline_rows
from gpuplanner.ui.panels.today.hardware_rows import fit_columns
from gpuplanner.ui.plans.rule_rows import class_figure, preview_trace, rule_rows
from gpuplanner.ui.plans.separation import Separation, SeparationMove, stays_words
from gpuplanner.ui.plans.separation_dialog import SeparationDialog
from gpuplanner.ui.state.headline_figures import NEEDS_LOG, HeadlineFigure, figures_of
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.tables.cells import filled_row
from gpuplanner.ui.window.language_choice import locale_of
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane
from gpuplanner.ui.words.window_words import in_window_words
from tests.domain.serving.small_places import city, site, world
from tests.ui.priced_world import plan
from tests.ui.pseudo import Pseudo, pseudo
from tests.ui.sample_world import evaluation_of, sample_project

PLAIN = re.compile(r"[A-Za-z]{2,}")
KM = worded("it is {km} km away", km=whole(1234.0))


@pytest.fixture
def german() -> Iterator[None]:
    """Digits as in German, money in euros, words still ours."""
    before = QLocale()
    numbers.use_locale(locale_of("german"))
    use_currency("EUR")
    yield
    numbers.use_locale(before)
    use_currency("USD")


@pytest.fixture
def translated(qapp: QApplication) -> Iterator[None]:
    """A language in which every word of ours is another one."""
    translator = Pseudo()
    QApplication.installTranslator(translator)
    yield
    QApplication.removeTranslator(translator)


def test_why_the_plan_is_unknown_is_in_the_money_of_the_project(german: None) -> None:
    shown, said = plan(), worded("whole GPUs add ${usd} per month", usd=whole(1234.0))
    assert shown.advice is not None
    totals = replace(shown.advice.totals, plan=None)
    pools = tuple(replace(pool, note=said) for pool in shown.advice.pools)
    evaluation = replace(shown.evaluation, advice=replace(shown.advice, pools=pools, totals=totals))
    figures = figures_of(next_view_state(None, evaluation))
    tips = [figure.tip for figure in figures if "a rate is missing" in figure.tip]
    assert tips and all("Whole GPUs add \u20ac1.234 per month." in tip for tip in tips)


def test_flips_have_the_digits_of_the_planner(german: None, window: MainWindow) -> None:
    window.docks.duration.choose(Pool.TRAINING, "H100")
    sections = window.docks.duration.sections
    before = sections.flips
    sections.flips = (
        FlipPoint(
            assumption="delta",
            pool=Pool.TRAINING,
            gpu_model="H100",
            value=0.02,
            at=0.031,
            today=Largest(12, 17.0),
            there=Largest(3, 14.0),
        ),
    )
    sections.draw_flips()
    assert "3,1% per month" in sections.texts[FLIPS].text() and ".</p>" in sections.texts[FLIPS].text()
    sections.flips = before


def test_a_failed_backtest_says_where_what_and_what_to_do(german: None, window: MainWindow) -> None:
    remedy = worded("import again")
    window.docks.backtest.show_failure(PlannerError("rows", "file_missing", KM, remedy))
    assert window.docks.backtest.verdict.text() == f"rows: {spoken(KM)}. {str(remedy).capitalize()}."
    assert "1.234" in spoken(KM)


def test_reasons_of_a_class_have_the_digits_of_the_planner(
    german: None, window: MainWindow, qtbot: QtBot
) -> None:
    shown = window.session.view_state
    assert shown is not None
    card = replace(shown.cards[0], classification=replace(shown.cards[0].classification, reasons=(KM, "x")))
    move = SeparationMove(card, Lane.BURST, Lane.TRAINING, 1.0)
    dialog = SeparationDialog(Separation((move,), 0, 0, 0))
    qtbot.addWidget(dialog)
    assert dialog.table.row_at(0).cells[3].tip == f"{spoken(KM)}\nx"
    assert "1.234" in spoken(KM)


def test_ways_of_a_report_have_the_digits_of_the_planner(german: None) -> None:
    cities = (city("Berlin", 500, "DE", 52.5, 13.4),)
    sites = (site("us", "US", 39.0, -77.5, 1000, is_current=True),)
    placement = placement_of(world(cities, sites, [("Berlin", "us", 80.0004)]))
    legs = placement.today.current.service.legs
    for report, row in ((SITE_SETS, named_sets(placement)[0]), (CITIES, legs[0])):
        ways = [column for column in report.columns_in(Medium.WINDOW) if column.name.endswith("_ms")]
        written = [numbers.of_unit(one.of(row), one.figure.unit.key) for one in ways if one.figure]
        assert written == ["80,0004", "160,0"]


def test_an_order_without_a_rate_has_no_sign_of_money_in_any_language(translated: None) -> None:
    project = sample_project()
    evaluation = evaluation_of(project, project.scenarios[0].name)
    assert evaluation.advice is not None
    (order, *_) = asked_for(evaluation.advice.orders)
    unpriced = replace(order, gpu_model="of no layer", cost_per_month=None, liability=None)
    advice = replace(evaluation.advice, orders=(unpriced,))
    shown = next_view_state(None, replace(evaluation, advice=advice))
    tip = timeline_rows(shown, LIGHT, project.window.end_s)[-1].tip
    assert pseudo("quote needed") in tip and "$" not in tip


def test_the_tip_of_a_figure_is_translated(translated: None, qtbot: QtBot) -> None:
    button = FigureButton()
    qtbot.addWidget(button)
    button.show_figure(HeadlineFigure(figure_id="spend", title="", unit="", plan="", second=NEEDS_LOG))
    assert pseudo(str(NEEDS_LOG[0])) in button.toolTip() and str(NEEDS_LOG[0]) not in button.toolTip()


def test_a_rule_in_the_list_is_translated(translated: None) -> None:
    rules = [
        ClassRule(
            rule_id="r",
            field=field,
            pattern="rollouts?",
            pool=Pool.BURST,
            subtype="",
            confidence=0.97,
            reason="",
        )
        for field in ("name", "queue")
    ]
    names, queue = (row.cells[1].text for row in rule_rows(rules, {}))
    assert names == pseudo("names with {said}").format(said="\u201crollout\u201d")
    assert queue == "queue \u201crollout\u201d"


def test_rows_with_nothing_amiss_say_so_in_any_language(translated: None) -> None:
    fit = WorkloadFit(
        key="k",
        pool=Pool.BURST,
        gpu_model="H100",
        light=None,
        rows=(),
        needs={},
        hardware=(),
        sharing=Sharing(),
        active_hours=1.0,
    )
    name = filled_row(fit_columns(True, {fit.key: worded("name")}, {fit.key: 1.0}), fit).cells[0]
    assert name.tip.endswith(pseudo("nothing amiss"))
    assert name.tip.startswith(pseudo("name"))


def test_what_the_advice_minimises_is_translated(translated: None) -> None:
    assert "advice" not in levels_words(None, None)


def test_what_is_taken_off_the_rows_read_is_translated(translated: None) -> None:
    file = FileIntake(
        path="a.csv",
        kind="jobs",
        format="",
        rows_read=4,
        rows_accepted=1,
        rows_rejected=1,
        rows_duplicate=1,
        rows_ignored=1,
    )
    words = [str(row.name) for row in report_trace(file, validation_figure("rows_accepted")).rows]
    assert any(pseudo("Rejected") in said for said in words)


def test_why_a_log_has_no_backtest_is_translated(translated: None) -> None:
    short = SimpleNamespace(hours=24, is_whole_log=True, backtest=None)
    assert "needs" not in too_short_words(short)  # type: ignore[arg-type]


def test_what_a_field_of_a_price_is_is_translated(translated: None) -> None:
    for spec in OFFER_FIELDS:
        assert spoken(spec.title) in write_field_tip(spec)


def test_what_stays_when_cards_are_separated_is_translated(translated: None) -> None:
    assert not PLAIN.findall(stays_words(Separation((), 1, 2, 3)))


def test_why_of_a_class_with_a_rule_is_translated(translated: None) -> None:
    def found(pool: Pool) -> Classification:
        return Classification(
            pool=pool, subtype="", confidence=0.9, reasons=(), runner_up=None, source="score"
        )

    effects = (
        RuleEffect(
            key="1",
            name="1",
            cluster="c",
            before=found(Pool.BURST),
            after=found(Pool.TRAINING),
            was_in_review=True,
            gpu_hours_per_month=5.0,
            usd_per_month=1.0,
        ),
        RuleEffect(
            key="2",
            name="2",
            cluster="c",
            before=found(Pool.TRAINING),
            after=found(Pool.BURST),
            was_in_review=True,
            gpu_hours_per_month=5.0,
            usd_per_month=1.0,
        ),
    )
    amounts = {pool: ClassAmount(3, 10.0, 4.0) for pool in POOLS}
    preview = RulePreview(
        rules=(), effects=effects, left=(), classes_before=amounts, classes_after=amounts, decided=()
    )
    trace = preview_trace(preview, class_figure(Pool.BURST, "workloads", "change"))
    said = [spoken(text) for text in (trace.title, *(row.name for row in trace.rows))]
    assert len(said) == 3 and not PLAIN.findall(" ".join(said))


def test_what_to_do_about_a_file_is_in_words_of_the_window(german: None) -> None:
    fault = PlannerError("a.csv", "columns_missing", KM, GIVE_AS["jobs"])
    told = import_remedy(SimpleNamespace(refused=(fault,)))
    assert "1.234" in told and told.endswith(f"; {in_window_words(GIVE_AS['jobs'])}.") and "--" not in told


def test_a_value_to_filter_by_is_said_alike_in_name_and_tip(
    translated: None, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    value: Message = worded("large")
    monkeypatch.setattr(facets, "values_of", lambda *_: [(value, 3)])
    menu = QMenu()
    qtbot.addWidget(menu)
    toolbar.fill_filter_menu(menu, BoardView(), (), None, lambda *_: None, lambda: None)  # type: ignore[arg-type]
    entries = [action for part in menu.findChildren(QMenu) for action in part.actions()]
    assert entries and all(action.toolTip() == pseudo("large") for action in entries)

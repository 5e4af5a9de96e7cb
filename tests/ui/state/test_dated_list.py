"""The list of dated commitments in the window: unserved work in red, runs with their own days and dollars."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.commitment.plan.layers import order_dollars
from gpuplanner.domain.commitment.uncertainty.levels import set_levels
from gpuplanner.domain.evaluation import evaluate, evaluate_advice
from gpuplanner.domain.evidence.plan.layers import order_subject
from gpuplanner.domain.evidence.plan.orders import WHY_NOW
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.cards.card_dates import card_dates
from gpuplanner.ui.cards.details import details_of
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.cards.marks import CardMarks
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.panels.duration.level_curve import curve_of, curve_table
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.term_rows import term_rows, total_row
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.why.plan_answers import plan_evidence
from gpuplanner.ui.words import numbers
from tests.arrived import arrived
from tests.ui.priced_world import priced_project
from tests.ui.visible_texts import appear_in_order


@pytest.fixture(scope="module")
def unserved() -> ViewState:
    """One workload that nobody may serve."""
    project = priced_project()
    first = project.scenarios[0]
    limited = replace(first, only={project.workloads[0].key: Only("nobody sells this")})
    changed = replace(project, scenarios=(limited, *project.scenarios[1:]))
    return next_view_state(None, evaluate(changed, first.name, read_tables()))


def test_the_red_band_has_the_area_of_what_nobody_serves(unserved: ViewState) -> None:
    assert unserved.advice is not None
    plans = [plan for plan in unserved.advice.pools if plan.unserved_gpu_hours > 0]
    assert plans
    for plan in plans:
        curve = curve_of(plan, LIGHT)
        (red,) = [band for band in curve.bands if band.name == "Unserved"]
        area = float(np.clip(curve.gpus - red.low, 0.0, red.high - red.low).mean())
        assert red.colour == LIGHT.red and area * HOURS_PER_MONTH == pytest.approx(
            plan.unserved_gpu_hours, rel=0.02
        )
        row = term_rows(plan, ())[-1]
        assert (
            row.is_unserved
            and row.usd == 0
            and row.gpus * HOURS_PER_MONTH == pytest.approx(plan.unserved_gpu_hours)
        )
        assert total_row(plan, term_rows(plan, ()), "All").gpus == pytest.approx(
            sum(one.gpus for one in term_rows(plan, ())[:-1])
        )  # what nobody serves is not paid for
        trace = answer(
            plan_evidence(unserved, None),
            figure("layer_unserved", f"{plan.pool.value}\t{plan.gpu_model}\tall"),
        )
        assert arrived(trace) == pytest.approx(row.gpus)


def test_what_nobody_serves_stands_in_red_in_the_headline_and_on_its_card(unserved: ViewState) -> None:
    assert unserved.advice is not None
    spend = figures_of(unserved)[0]
    hours = numbers.whole(unserved.advice.comparison[0].unserved_gpu_hours)
    assert spend.is_bad and spend.second[0] == f"Unserved next month: {hours} GPU-h"
    key = unserved.evaluation.project.workloads[0].key
    mark = next(mark for mark in CardMarks(unserved)[key] if mark.icon == "octagon")
    assert mark.role == "red" and mark.lost == pytest.approx(1.0, rel=0.05)


@pytest.mark.long
def test_a_layer_that_starts_inside_the_month_is_as_wide_as_its_part_of_it() -> None:
    shown = next_view_state(
        None, evaluate(priced_project(), priced_project().scenarios[0].name, read_tables())
    )
    assert shown.advice is not None
    plan = next(one for one in shown.advice.pools if any(layer.is_new for layer in one.layers))
    late = tuple(replace(one, paid_hours=365.0) if one.is_new else one for one in plan.layers)
    whole, half = curve_of(plan, LIGHT), curve_of(replace(plan, layers=late), LIGHT)
    for before, after in zip(whole.bands, half.bands, strict=True):
        assert (before.low, before.high) == (after.low, after.high)  # the edge and its handle stay
        assert after.share == (0.5 if before.is_paid_idle else 1.0)
        if before.is_paid_idle:
            assert after.note == "365 of 730 h" and half.served(after, 75.0) == 0.0
    assert [edge.level for edge in half.edges] == [edge.level for edge in whole.edges]
    headings, rows = curve_table(half)
    term = next(headings.index(band.name.replace(" ", "\n")) for band in half.bands if band.is_paid_idle)
    assert {row[term] for row in rows[11:]} == {"0.0"} and rows[0][term] != "0.0"


@pytest.fixture(scope="module")
def with_runs() -> ViewState:
    """A run of ten days in the second month, and one of every week in a pool that signs a term for its other work."""
    project = priced_project()
    name, begins_s = project.scenarios[0].name, project.plan_window.end_s
    model = project.offers[0].gpu_model
    works = (
        PlannedWork(
            name="later",
            pool=Pool.TRAINING,
            gpu_model=model,
            gpus=16.0,
            cluster="c",
            team="o",
            begins_s=begins_s + 35 * DAY_S,
            length_hours=240,
        ),
        PlannedWork(
            name="weekly",
            pool=Pool.BURST,
            gpu_model="A100",
            gpus=8.0,
            cluster="c",
            team="o",
            length_hours=42,
            every_hours=168,
        ),
    )
    return next_view_state(None, evaluate(edits.dates.plan_work(project, name, works), name, read_tables()))


def test_a_run_says_its_dollars_with_its_day_on_card_and_headline(with_runs: ViewState) -> None:
    assert with_runs.advice is not None
    cards = {card.name: card for card in with_runs.cards if card.name in ("later", "weekly")}
    assert cards["later"].gpu_hours_per_month == pytest.approx(
        8 * 480 / 12
    )  # a mean of twelve months, as its $
    assert cards["weekly"].gpu_hours_per_month == pytest.approx(8 * 730 / 4, rel=0.01)  # the mean
    run = next(one for one in with_runs.advice.planned_runs if one.key.endswith("later"))
    assert run.usd and with_runs.usd[run.key] == pytest.approx(run.usd / 12)
    day = numbers.short_date(with_runs.evaluation.project.plan_window.end_s + 35 * DAY_S)
    money = numbers.short_dollars(run.usd)
    assert not any(
        key.endswith("weekly") for key in card_dates(with_runs)
    )  # it does not come back: it never went
    dates = card_dates(with_runs)[run.key]
    assert dates.run_usd == money and f"from {day}" in dates.texts
    apart, begins = figures_of(with_runs)[0].second[:2]
    assert begins == f"From {day}: {money}"
    assert apart.endswith(f" later, from {day}: {money}")


def test_a_card_that_comes_back_says_what_each_way_to_hold_it_costs(with_runs: ViewState) -> None:
    assert with_runs.advice is not None
    card = next(card for card in with_runs.cards if card.name == "weekly")
    ways = next(one.ways for one in with_runs.advice.planned_runs if one.key == card.key)
    details = details_of([card], with_runs, CardFacts())
    assert details is not None
    lines = [line for section in details.sections for line in section.lines]
    found = [line.figure for line in lines if str(line.text).startswith("A mean month")]
    assert found == [numbers.dollars(way.cost_per_month) for way in ways] != []


def test_what_a_run_is_bought_by_adds_up_to_its_dollars(with_runs: ViewState) -> None:
    assert with_runs.advice is not None
    evidence = plan_evidence(with_runs, None)
    begins_s = with_runs.evaluation.project.plan_window.end_s
    for run in with_runs.advice.planned_runs:
        whole = answer(evidence, figure("planned_run_usd", run.key))
        assert arrived(whole) == pytest.approx(run.usd) and "has its own orders" in str(whole.note)
        month = answer(evidence, figure("card_usd", run.key))
        assert arrived(month) == pytest.approx(with_runs.usd[run.key], abs=0.01)
        orders = [with_runs.advice.orders[at] for at in run.orders]
        assert all(one.reason == "planned_run" for one in orders)
        if run.key.endswith("later"):
            assert all(one.start_s >= begins_s + MONTH_S for one in orders)
            said = details_of(
                [card for card in with_runs.cards if card.key == run.key],
                with_runs,
                CardFacts(has_warning=with_runs),
            )
            assert said is not None
            texts = [line.text for section in said.sections for line in section.lines]
            assert any("has its own orders" in text for text in texts) and len(orders) == sum(
                "Commit" in text for text in texts
            )


def test_the_mean_of_the_past_is_that_of_the_log_whatever_is_planned_or_over(with_runs: ViewState) -> None:
    """Work that begins in the second month was in it, and what the plan stops was in the sum and in no row."""
    project, name = with_runs.evaluation.project, with_runs.evaluation.scenario
    begins_s, key = project.plan_window.end_s, project.workloads[0].key
    stopped = edits.dates.date_workloads(project, name, [key], None, begins_s)
    evidence = plan_evidence(next_view_state(None, evaluate_advice(stopped, name, read_tables())), None)
    means = [arrived(answer(evidence, figure("demand_mean", pool.value))) for pool in Pool]
    assert means == pytest.approx([evidence.mean_gpus[pool] for pool in Pool])
    hours = sum(one.gpu_hours for one in project.workloads)
    assert sum(means) == pytest.approx(hours / project.window.hours)


@pytest.mark.long
def test_the_dollars_of_an_order_are_those_that_its_why_explains() -> None:
    """Also where its layer is held for a part of the month alone; and it says from when to when it runs, and why."""
    project = priced_project()
    shown = next_view_state(None, evaluate(project, project.scenarios[0].name, read_tables()))
    assert shown.advice is not None and shown.advice.orders
    part = tuple(
        replace(
            plan, layers=tuple(replace(one, cost_per_month=1.0) if one.is_new else one for one in plan.layers)
        )
        for plan in shown.advice.pools
    )
    for advice in (shown.advice, replace(shown.advice, pools=part)):
        given = replace(shown, advice=advice)
        for order in advice.orders:
            trace = answer(plan_evidence(given, None), figure("order_usd", order_subject(order)))
            assert order_dollars(order, advice) == pytest.approx(trace.value, abs=1.0)
            note = str(trace.note)
            days = map(numbers.date, (order.start_s, order.end_s - 1, order.last_day_s))
            assert appear_in_order(note, *days, str(WHY_NOW[order.reason]))


def test_the_chart_paints_of_a_term_what_the_plan_uses_of_it(with_runs: ViewState) -> None:
    """A run is bought apart: it has a band of its own under the terms, and none of theirs is painted used for it."""
    assert with_runs.advice is not None
    seen = 0
    for plan in with_runs.advice.pools:
        curve = curve_of(plan, LIGHT)
        runs = [band for band in curve.bands if band.name == "Planned runs"]
        gpus = 0.0 if plan.apart is None else plan.apart.gpus
        assert sum(band.high - band.low for band in runs) == pytest.approx(gpus)
        if gpus and set_levels(plan):
            seen += 1
            (level, *_) = set_levels(plan)
            paid = next(band for band in curve.bands if band.is_paid_idle)
            used = np.clip(curve.gpus - paid.low, 0.0, paid.high - paid.low).mean()
            (layer,) = [one for one in plan.layers if one.term_months == level.term_months]
            assert used == pytest.approx(layer.busy_gpus, rel=0.05)
    assert seen

"""Where a plan leaves to nobody what others would serve, the headline and its why say that no saving is known."""

from dataclasses import replace

import pytest

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.plan.twelve_months import NO_SAVINGS
from gpuplanner.domain.commitment.words.savings import no_savings_words
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.book.contract import in_force
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.queue.sentences import OF_ITS_MONTHS
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.state.headline_figures import HeadlineFigure, figures_of
from gpuplanner.ui.state.headline_horizons import FIRST_MONTH, in_horizon
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.why.plan_answers import why
from gpuplanner.ui.words import numbers
from tests.ui.priced_world import plan, priced_project


def savings(shown: ViewState) -> HeadlineFigure:
    return next(figure for figure in figures_of(shown) if figure.figure_id == "savings")


def limited() -> ViewState:
    """One workload that nobody may serve."""
    project = priced_project()
    first = project.scenarios[0]
    asked = replace(first, only={project.workloads[0].key: Only("nobody sells this")})
    changed = replace(project, scenarios=(asked, *project.scenarios[1:]))
    return next_view_state(None, evaluate(changed, first.name, read_tables()))


@pytest.mark.long
def test_the_headline_and_its_why_say_that_demand_is_left_to_nobody() -> None:
    shown = limited()
    figure = savings(shown)
    assert figure.plan == numbers.UNKNOWN and shown.advice is not None and shown.advice.unserved
    assert figure.second != savings(plan()).second
    assert figure.tip == spoken(no_savings_words(shown.advice)) and str(NO_SAVINGS) in figure.tip
    assert figure.tip in why("savings", shown).remark


@pytest.mark.long
def test_what_nobody_serves_is_not_used() -> None:
    """GPU-hours under Effective utilization are those served next month: without what is left to nobody."""
    shown = limited()
    assert shown.advice is not None and shown.advice.inputs.used_gpus is not None
    served = numbers.whole(shown.advice.inputs.used_gpus * HOURS_PER_MONTH)
    used = next(figure for figure in figures_of(shown) if figure.figure_id == "utilization").second[0]
    assert shown.advice.comparison[0].unserved_gpu_hours > 1 and used == f"{served} GPU-h used per month"


def test_nothing_of_it_where_all_is_served() -> None:
    assert not no_savings_words(plan().advice) and str(NO_SAVINGS) not in why("savings", plan()).remark


@pytest.mark.long
def test_what_costs_less_because_it_serves_less_is_no_good_news() -> None:
    project = priced_project()
    first = project.scenarios[0]
    nobody = {workload.key: Only("nobody sells this") for workload in project.workloads}
    asked = replace(first, name="asked", scratch_of=first.name, only=nobody)
    changed = replace(project, scenarios=(*project.scenarios, asked))
    tables = read_tables()
    before = evaluate(changed, first.name, tables).advice
    shown = replace(next_view_state(None, evaluate(changed, "asked", tables)), before=before)
    assert shown.is_question and shown.advice is not None
    spend, saved, *_ = in_horizon(figures_of(shown), shown, Horizon.NEXT_MONTH)
    hours = numbers.whole(shown.advice.comparison[0].unserved_gpu_hours)
    assert str(spend.second[0]).startswith(numbers.MINUS) and not spend.is_good
    assert saved.second[0] == f"Unserved next month: {hours} GPU-h"
    _, saved, *_ = in_horizon(figures_of(shown), shown, Horizon.TWELVE_MONTHS)
    whole = numbers.whole(sum(one.gpu_hours for one in shown.advice.unserved))
    assert saved.second[0] == f"Unserved in 12 months: {whole} GPU-h"


def test_what_is_of_the_first_month_says_so_over_another_time() -> None:
    """Month 12 left what is unused, utilization and lock-in at the first month, without a word but in their tips."""
    shown, waits = plan(), ("P90 wait, Training, replayed: 12.5 \u2192 3.5 h",)
    figures = figures_of(shown, waits)
    for horizon in (Horizon.MONTH_12, Horizon.TWELVE_MONTHS):
        is_mean = horizon is Horizon.TWELVE_MONTHS  # of what is idle too
        for figure in in_horizon(figures, shown, horizon)[2 + is_mean :]:
            assert all(str(line).startswith("First month") for line in figure.second)
            assert figure.tip.startswith(str(FIRST_MONTH))
        assert any(str(line).endswith(waits[0]) for line in in_horizon(figures, shown, horizon)[2].second)
    assert in_horizon(figures, shown, Horizon.NEXT_MONTH) == figures
    assert str(OF_ITS_MONTHS) in figures[2].tip and str(OF_ITS_MONTHS) not in figures_of(shown)[2].tip


@pytest.mark.long
def test_spend_of_a_window_in_which_a_contract_ended_says_what_is_in_force_now() -> None:
    shown = plan()
    evaluation, window = shown.evaluation, shown.evaluation.project.window
    first, *others = evaluation.project.contracts
    for half_s, is_said in ((window.end_s - window.hours * 1800, True), (first.end_s, False)):
        contracts = (replace(first, end_s=half_s), *others)
        project = replace(evaluation.project, contracts=contracts)
        given = next_view_state(None, evaluate(project, evaluation.scenario, read_tables()))
        now = sum(one.cost_per_month or 0.0 for one in in_force(contracts, window.end_s))
        said = f"In force now: {numbers.dollars(now)}"
        assert (said in figures_of(given)[0].tip) is is_said
        today = next_view_state(None, evaluate(project, TODAY, read_tables()))
        lines = figures_of(today)[0].second  # in all lengths
        assert str(lines[0]).endswith(f"\u00b7 {said}") is is_said


def test_twelve_months_that_lack_a_rate_say_so_where_the_first_month_is_known() -> None:
    shown = plan()
    assert shown.advice is not None
    months = [
        replace(month, contracts_usd=None, do_nothing_usd=None) for month in shown.advice.comparison[1:]
    ]
    advice = replace(shown.advice, comparison=(shown.advice.comparison[0], *months))
    spend, saved, *_ = in_horizon(figures_of(shown), replace(shown, advice=advice), Horizon.TWELVE_MONTHS)
    for figure in (spend, saved):
        assert figure.plan == numbers.UNKNOWN
        assert str(figure.second[0]).startswith("A later month needs a rate") and "A100" not in str(
            figure.second
        )
    audit = replace(
        shown.evaluation.audit,
        checks=(Check(code="gpu_model_unpriced", severity="amber", subject="A100", message="no offer"),),
    )
    named = replace(shown, advice=advice, evaluation=replace(shown.evaluation, audit=audit))
    for figure in in_horizon(figures_of(named), named, Horizon.TWELVE_MONTHS)[:2]:
        assert str(figure.second[0]).startswith("No on-demand rate in a later month for A100: ")


@pytest.mark.long
def test_a_rate_that_is_missing_in_both_ways_leaves_the_savings_in_the_headline() -> None:
    """A V100 contract without a rate, which nothing runs on: it costs the same with the plan and without it."""
    project = priced_project()
    bare = replace(project.contracts[0], contract_id="bare", gpu_model="V100", rate_usd_per_gpu_hour=None)
    first = project.scenarios[0].name
    with_bare = replace(project, contracts=(*project.contracts, bare))
    shown = next_view_state(None, evaluate(with_bare, first, read_tables()))
    known = next_view_state(None, evaluate(project, first, read_tables()))
    assert shown.advice is not None and shown.advice.totals.plan is None
    for horizon in (Horizon.NEXT_MONTH, Horizon.TWELVE_MONTHS):
        saved, same = (in_horizon(figures_of(one), one, horizon)[1] for one in (shown, known))
        assert saved.plan == same.plan != numbers.UNKNOWN and "rate" not in str(saved.second[0])

"""Where a plan leaves to nobody what others would serve, the headline and its why say that no saving is known."""

from dataclasses import replace

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.state.headline_figures import HeadlineFigure, figures_of, in_horizon
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


def test_the_headline_and_its_why_say_that_demand_is_left_to_nobody() -> None:
    shown = limited()
    figure = savings(shown)
    assert figure.plan == numbers.UNKNOWN and figure.second[0] == "Unknown: demand is left to nobody"
    assert figure.tip.startswith("Unknown: the plan leaves demand to nobody")
    assert "savings are not known" in figure.tip and figure.tip in why("savings", shown).remark


def test_what_nobody_serves_is_not_used() -> None:
    """GPU-hours under Effective utilization are those served next month: without what is left to nobody."""
    shown = limited()
    assert shown.advice is not None and shown.advice.inputs.used_gpus is not None
    served = numbers.whole(shown.advice.inputs.used_gpus * HOURS_PER_MONTH)
    used = next(figure for figure in figures_of(shown) if figure.figure_id == "utilization").second[0]
    assert shown.advice.comparison[0].unserved_gpu_hours > 1 and used == f"{served} GPU-h used per month"


def test_nothing_of_it_where_all_is_served() -> None:
    assert "nobody" not in savings(plan()).tip and "left to nobody" not in why("savings", plan()).remark


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
        assert figure.second[0] == "A later month needs a rate that nobody stated"
    audit = replace(
        shown.evaluation.audit, checks=(Check("gpu_model_unpriced", "amber", "A100", "no offer"),)
    )
    named = replace(shown, advice=advice, evaluation=replace(shown.evaluation, audit=audit))
    for figure in in_horizon(figures_of(named), named, Horizon.TWELVE_MONTHS)[:2]:
        assert figure.second[0] == "A later month needs an on-demand rate of A100: see Checks"

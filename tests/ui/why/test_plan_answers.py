"""Why this number: the rows arrive at the figure shown, on a project that the engine itself evaluated."""

from dataclasses import replace

import pytest

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit.cost_result import Premium
from gpuplanner.domain.commitment.result import ByHand
from gpuplanner.domain.commitment.words.assumed import WHAT_THE_ADVICE_MINIMISES
from gpuplanner.domain.commitment.words.savings import avoided_words
from gpuplanner.domain.evidence.plan.headline import separation_words
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Row
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.why.plan_answers import why
from gpuplanner.ui.words import numbers
from tests.some_of import one_in
from tests.ui.priced_world import plan, today

FIGURES_OF_A_PLAN = ("spend", "savings", "unused_per_month", "utilization", "lock_in")


def test_the_project_has_what_the_answers_are_about() -> None:
    advice = plan().advice
    assert advice is not None and advice.totals.plan
    layers = [layer for row in advice.pools for layer in row.layers]
    assert any(layer.existing for layer in layers) and advice.idle_existing
    assert sum(bool(layer.term_months) for layer in layers) > 1
    assert sum(cluster.overflow_gpu_hours for cluster in today().evaluation.audit.clusters) > 0


def amount(text: str) -> float:
    return float(text.replace(",", "").replace(numbers.MINUS, "-").rstrip("%"))


def parts(answer: Why) -> list[tuple[list[Row], Row]]:
    """Every total with the rows above it, since the total before."""
    made: list[tuple[list[Row], Row]] = []
    rows: list[Row] = []
    for row in answer.rows:
        if row.is_total:
            made.append((rows, row))
            rows = []
        else:
            rows.append(row)
    assert not rows, "rows without a total"
    return made


def test_totals_are_the_figures_of_the_headline() -> None:
    figures = {figure.figure_id: figure for figure in figures_of(plan())}
    spend, unused, used = (parts(why(name, plan())) for name in ("spend", "unused_per_month", "utilization"))
    assert "$" + spend[-1][1].cells[2].text == figures["spend"].plan
    assert ["$" + total.cells[3].text for _, total in unused] == [
        figures["unused_per_month"].now,
        figures["unused_per_month"].plan,
    ]
    # of the GPU-hours: the share of the total is rounded itself, and rounded again it can be a tenth off
    hours = [[amount(cell.text) for cell in total.cells[1:3]] for _, total in used]
    assert [numbers.percent(busy / paid) for busy, paid in hours] == [
        figures["utilization"].now,
        figures["utilization"].plan,
    ]
    assert parts(why("lock_in", plan()))[0][1].cells[2].text == figures["lock_in"].plan
    assert "$" + parts(why("savings", plan()))[0][1].cells[1].text == figures["savings"].plan


def test_utilization_is_its_numerator_over_its_denominator() -> None:
    for _, total in parts(why("utilization", plan())):
        used, paid, share = (amount(cell.text) for cell in total.cells[1:4])
        assert 100 * used / paid == pytest.approx(share, abs=0.01)


def test_lock_in_is_what_is_bound_over_the_spend() -> None:
    ((_, total),) = parts(why("lock_in", plan()))
    usd, months, bound = (amount(cell.text) for cell in total.cells[1:4])
    assert bound / usd == pytest.approx(months, abs=0.05)


def test_titles_are_those_of_the_headline() -> None:
    for figure in figures_of(plan()):
        assert why(figure.figure_id, plan()).title.startswith(figure.title)


def test_the_band_and_the_cost_of_separation_are_explained() -> None:
    assert "500 draws" in why("spend", plan()).remark and "with fixed advice" in why("spend", plan()).remark
    outlook = plan().outlook
    assert outlook is not None
    usd = outlook.separation.cost_usd()
    assert usd and numbers.dollars(abs(usd)) in spoken(separation_words(usd))
    assert spoken(separation_words(usd)) in why("savings", plan()).remark


def test_what_separate_pools_avoid_stands_beside_their_cost() -> None:
    audit = plan().evaluation.audit
    remark = why("savings", plan()).remark
    assert f"{audit.contended_hours:,} hours over capacity" in remark
    usd = audit.premium.usd_per_month
    assert usd is None or numbers.dollars(usd) in remark
    assert "unknown" in str(avoided_words(replace(audit, premium=Premium())))
    assert avoided_words(replace(audit, premium=Premium(), contention={})) == ""


@pytest.mark.parametrize(
    "cents", one_in(2, [(case,) for case in [(0.4, 0.4), (0.6, 0.4), (0.4, 0.6), (0.9, 0.1)]])
)
def test_each_amount_of_the_savings_is_written_as_it_is_everywhere(cents: tuple[float, float]) -> None:
    shown = plan()
    assert shown.advice is not None
    nothing, spend = 673_050 + cents[0], 460_066 + cents[1]
    totals = replace(
        shown.advice.totals, do_nothing=nothing, plan=spend, savings_vs_do_nothing=nothing - spend
    )
    answer = why("savings", replace(shown, advice=replace(shown.advice, totals=totals)))
    rows, total = parts(answer)[0]
    view_state_of = {row.cells[0].text: amount(row.cells[1].text) for row in rows}
    assert view_state_of["Do nothing: no new commitments"] == round(nothing)
    assert view_state_of["Plan"] == -round(spend)
    assert sum(view_state_of.values()) == amount(total.cells[1].text) == round(nothing - spend)


def test_levels_set_by_hand_are_said_beside_what_the_advice_minimises() -> None:
    shown = plan()
    assert shown.advice is not None
    pools = tuple(replace(row, by_hand=ByHand(is_set=True)) for row in shown.advice.pools)
    by_hand = replace(shown, advice=replace(shown.advice, pools=pools))
    for figure_id in ("spend", "savings"):
        assert tr(WHAT_THE_ADVICE_MINIMISES) in why(figure_id, by_hand).remark
        assert tr(WHAT_THE_ADVICE_MINIMISES) not in why(figure_id, shown).remark


@pytest.mark.parametrize("figure_id", one_in(2, FIGURES_OF_A_PLAN))
def test_an_answer_is_there_before_the_advice_is(figure_id: str) -> None:
    shown = plan()
    evaluation = shown.evaluation
    early = ViewState(
        evaluation=evaluation,
        advice=None,
        outlook=None,
        is_settling=True,
        is_outlook_settling=True,
        usd={},
        cards=shown.cards,
    )
    assert numbers.UNKNOWN in why(figure_id, early).as_text()

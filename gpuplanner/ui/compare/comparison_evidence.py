"""Evidence of a comparison: each plan's evidence, and dollars as the page writes them."""

from gpuplanner.app.plans.comparing import Comparison, Side
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.plan.layers import ComparisonEvidence, SideEvidence, WorthEvidence
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.compare import move_rows
from gpuplanner.ui.compare.dollar_lines import amounts_of, line_figure, whole_lines
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.state.waterfall_steps import whole_amounts
from gpuplanner.ui.why.plan_answers import plan_evidence


def comparison_evidence(comparison: Comparison, now_s: int | None) -> ComparisonEvidence:
    """Of what is known of a comparison so far. now_s: the day it is, epoch seconds."""
    lines = whole_lines(comparison)
    sides = []
    for at, side in enumerate(comparison.sides):
        evaluation = Evaluation(  # of its own, so that its figures answer why as on the board
            project=comparison.project,
            scenario=side.scenario.name,
            audit=comparison.audit,
            figures=side.figures,
            advice=side.advice,
            outlook=side.outlook,
        )
        plan = plan_evidence(next_view_state(None, evaluation), now_s)
        written = {line_figure(key): usd for key, usd in lines[at].items() if usd is not None}
        parts = evaluation.in_parts.audit.workloads
        sides.append(
            SideEvidence(
                replace(plan, whole_usd={**plan.whole_usd, **written}),
                side.steps,
                {
                    pool: known_sum(
                        workload.usd_per_month
                        for workload, own in zip(parts, side.figures.workload_pools, strict=True)
                        if own is pool
                    )
                    for pool in POOLS
                },
                _whole_steps(side, at),
            )
        )
    ways = () if comparison.worths is None else tuple(_way(comparison, at) for at in range(1, len(sides)))
    return ComparisonEvidence(tuple(sides), ways)


def _whole_steps(side: Side, at: int) -> dict[str, int]:
    """The steps from today in the whole dollars that the page shows."""
    amounts = amounts_of(side, at)
    return {
        amount.figure_id.split(":", 2)[2]: usd
        for amount, usd in zip(amounts, whole_amounts(amounts), strict=True)
        if amount.figure_id.startswith("from_today:") and usd is not None
    }


def _way(comparison: Comparison, at: int) -> tuple[WorthEvidence, ...]:
    """What each change on the way from the first plan to another is worth, in the order of its table."""
    assert comparison.worths is not None, "what a change is worth is known"
    first, found = comparison.sides[0], comparison.worths[at - 1]
    cards = {whole_key(card.key, first.scenario.splits): card for card in first.figures.whole_cards}
    _, rows = move_rows.move_table(comparison, at)  # as they are called there; the last row is their sum
    return tuple(
        WorthEvidence(
            name=rows[step].cells[0].text,
            worth=worth,
            whole_usd=usd,
            hours={key: cards[key].gpu_hours_per_month for key in worth.change.keys},
            names={key: cards[key].name for key in worth.change.keys},
        )
        for step, (worth, usd) in enumerate(zip(found, move_rows.whole_worths(comparison, at), strict=True))
    )

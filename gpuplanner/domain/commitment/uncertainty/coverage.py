"""Coverage: the share of GPU-hours that is committed, and what another share would cost a month."""

from typing import NamedTuple

from gpuplanner.domain.commitment import outlook_result
from gpuplanner.domain.commitment.demand.slicing import weighted_mean
from gpuplanner.domain.commitment.plan import row_plans, totals
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import replace


class _Step(NamedTuple):
    """One slice to commit, or to let go: GPU-hours a month per hour that it covers, and $ a month it adds."""

    gpus: float
    covered: float
    usd: float


def coverage_of(ground: Ground, planned: row_plans.Planned) -> outlook_result.Coverage:
    """Commit open slices, or let committed ones go, until the target is met; what costs least per GPU-hour first.

    A slice committed beyond the plan takes the shortest term that its row commits to (else the shortest on offer);
    one that is let go is paid by use. Source: docs/formulas/layers.md, Coverage.
    """
    target = ground.assumptions.target_coverage
    total = served = bought = 0.0
    for row in planned.rows:
        weights = ground.weights_of(Row(row.row.pool, row.row.gpu_model))
        demand = weighted_mean(row.demand_gpus, weights)
        total += demand
        served += demand - weighted_mean(row.residual_gpus, weights)
        bought += sum(step.covered for step in _committed(row))
    if total <= 0:
        return outlook_result.Coverage(
            now=None, plan=None, target=target, reached=None, extra_gpus=0.0, extra_usd_per_month=None
        )
    plan = (served + bought) / total
    is_short = plan < target
    steps = [step for row in planned.rows for step in (_open(row) if is_short else _committed(row))]
    share, gpus, usd = plan, 0.0, 0.0
    for step in sorted(steps, key=lambda step: (step.usd / step.covered, step.gpus)):
        change = step.covered / total
        if is_short:
            if share >= target:
                break
            share, gpus = share + change, gpus + step.gpus
        elif share - change >= target:
            share, gpus = share - change, gpus - step.gpus
        else:
            continue
        usd += step.usd
    is_reached = share >= target
    return outlook_result.Coverage(
        now=served / total,
        plan=plan,
        target=target,
        reached=share if is_reached else None,
        extra_gpus=gpus,
        extra_usd_per_month=usd if is_reached else None,
    )


def _open(planned: row_plans.PlannedRow) -> list[_Step]:
    """The slices of a row that are paid by use and that a commitment could take in month 0."""
    row, flex, offer = planned.row, planned.row.flex.rate, _marginal_offer(planned)
    if offer is None or flex is None or not row.slices:
        return []
    busy, terms, widths = row.busy.today(0), planned.term_now, row.slicing.widths
    return [
        _Step(width, width * share, HOURS_PER_MONTH * width * ((offer.spread_rate or 0.0) - share * flex))
        for share, term, width in zip(busy.tolist(), terms.tolist(), widths.tolist(), strict=True)
        if term == 0 and share > 0
    ]


def _committed(planned: row_plans.PlannedRow) -> list[_Step]:
    """The slices of a row that the plan commits, each as it would be paid by use."""
    row = planned.row
    if not row.slices:
        return []
    flex, answer = row.flex.rate or 0.0, []
    columns = (row.busy.today(0), planned.term_now, planned.signed.now, row.slicing.widths)
    for share, term, place, width in zip(*(column.tolist() for column in columns), strict=True):
        if term > 0 and share > 0:
            paid = row.offers[place].spread_rate or 0.0 if place >= 0 else 0.0
            answer.append(_Step(width, width * share, HOURS_PER_MONTH * width * (share * flex - paid)))
    return answer


def _marginal_offer(row: row_plans.PlannedRow) -> Offer | None:
    """The cheapest offer of the shortest term that the row commits to in month 0, else of the shortest on offer."""
    calendar = row.row.calendar
    now = [o for o in row.row.offers if not o.term_days and calendar.is_open_in(o, 0)]  # cheapest first
    taken = row.term_now
    terms = [int(term) for term in taken[taken > 0]] or [offer.term_months for offer in now]
    shortest = min(terms, default=0)
    return next((offer for offer in now if offer.term_months == shortest), None)


def coverage_where_priced(coverage: outlook_result.Coverage, advice: Advice) -> outlook_result.Coverage:
    """Where a price is missing nobody knows what the plan would commit, nor what more would cost."""
    if totals.is_priced(advice.pools):
        return coverage
    return replace(coverage, plan=None, reached=None, extra_gpus=0.0, extra_usd_per_month=None)

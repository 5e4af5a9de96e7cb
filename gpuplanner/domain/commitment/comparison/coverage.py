"""Coverage: what share of all GPU-hours is committed, and what another share would cost a month."""

from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.commitment.demand.slices import weighted_mean
from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True)
class _Step:
    """One slice to commit, or to let go: GPU-hours a month per hour that it covers, and $ a month it adds."""

    gpus: float
    covered: float
    usd: float

    @property
    def usd_per_gpu_hour(self) -> float:
        """By what steps are sorted."""
        return self.usd / self.covered


def coverage_of(ground: Ground, planned: Planned) -> Coverage:
    """Commit open slices, or let committed ones go, until the target is met; what costs least per GPU-hour first.

    A slice committed beyond the plan takes the shortest term that its row commits to (else the shortest on offer);
    one that is let go is paid by use. Source: docs/formulas.md, Coverage.
    """
    target = ground.assumptions.target_coverage
    total = served = bought = 0.0
    for one in planned.rows:
        demand = weighted_mean(one.demand_gpus, ground.weights)
        total += demand
        served += demand - weighted_mean(one.residual_gpus, ground.weights)
        bought += sum(step.covered for step in _committed(one))
    if total <= 0:
        return Coverage(None, None, target, None, 0.0, None)
    plan = (served + bought) / total
    is_short = plan < target
    steps = [step for one in planned.rows for step in (_open(one) if is_short else _committed(one))]
    share, gpus, usd = plan, 0.0, 0.0
    for step in sorted(steps, key=lambda step: (step.usd_per_gpu_hour, step.gpus)):
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
    return Coverage(
        served / total, plan, target, share if is_reached else None, gpus, usd if is_reached else None
    )


def _open(one: PlannedRow) -> list[_Step]:
    """The slices of a row that are paid by use and that a commitment could take in month 0."""
    row, flex, offer = one.row, one.row.flex.rate, _marginal_offer(one)
    if offer is None or flex is None or not row.slices:
        return []
    busy, terms, widths = row.busy.today(0), one.signed.term[0], row.slicing.widths
    return [
        _Step(width, width * share, HOURS_PER_MONTH * width * ((offer.spread_rate or 0.0) - share * flex))
        for share, term, width in zip(busy.tolist(), terms.tolist(), widths.tolist(), strict=True)
        if term == 0 and share > 0
    ]


def _committed(one: PlannedRow) -> list[_Step]:
    """The slices of a row that the plan commits, each as it would be paid by use."""
    row = one.row
    if not row.slices:
        return []
    busy, flex = row.busy.today(0), row.flex.rate
    answer = []
    for k in np.flatnonzero(one.signed.term[0] > 0).tolist():
        place, share, width = int(one.signed.offer[0, k]), float(busy[k]), float(row.slicing.widths[k])
        if share > 0:
            paid = row.offers[place].spread_rate or 0.0 if place >= 0 else 0.0
            usd = HOURS_PER_MONTH * width * (share * (flex or 0.0) - paid)
            answer.append(_Step(width, width * share, usd))
    return answer


def _marginal_offer(one: PlannedRow) -> Offer | None:
    """The cheapest offer of the shortest term that the row commits to in month 0, else of the shortest on offer."""
    calendar = one.row.calendar
    now = [o for o in one.row.offers if not o.term_days and calendar.start_in(o, 0)]  # cheapest first
    taken = one.signed.term[0]
    terms = [int(term) for term in taken[taken > 0]] or [offer.term_months for offer in now]
    shortest = min(terms, default=0)
    return next((offer for offer in now if offer.term_months == shortest), None)

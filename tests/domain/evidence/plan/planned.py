"""A plan with a contract that goes on and one that ends, worked out once, as evidence."""

from collections.abc import Sequence
from functools import cache

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.month_advice import with_cards
from gpuplanner.domain.commitment.plan.orders import to_sign
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

OFFERS = [offer("od", 0, 7.0), offer("q1", 3, 4.6), offer("y1", 12, 3.9), offer("y3", 36, 2.6)]


@cache
def planned_evidence() -> PlanEvidence:
    held = [contract("k1", 4, 3.0, 40, 700), contract("ends_soon", 1, 3.0, 0.5, 700)]
    return evidence_of([6.5 + hour % 12 for hour in range(700)], held)


def evidence_of(gpus: Sequence[float], held: Sequence[Contract]) -> PlanEvidence:
    """gpus: of inference in each hour of the log; held: contracts."""
    made = case([Load(pool=Pool.INFERENCE, gpus=[*gpus])], held, OFFERS)
    project, found = made.project, audit()
    of, cache = (project, project.scenarios[0], made.pools), AdviceCache()
    advice = with_cards(*of, advise(*of, found, cache), cache)
    return PlanEvidence(
        project=project,
        scenario=project.scenarios[0].name,
        audit=found,
        advice=advice,
        offers=project.offers,
        cards=(),
        due=to_sign(advice.orders, project.window.end_s),
        is_today=False,
    )

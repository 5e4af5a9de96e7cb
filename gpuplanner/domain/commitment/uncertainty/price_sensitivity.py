"""Price sensitivity: the same plan at the low, the mid and the high rate of every offer."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.price_case import PRICE_CASES, PriceCase, without_own_rate
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

LayerKey = tuple[Pool, str | None, int]
"""Pool, GPU model and term in months of new commitments."""


@dataclass(frozen=True, slots=True)
class LayerChange:
    """New commitments of one pool, GPU model and term: GPUs at mid, and in another case."""

    pool: Pool
    gpu_model: str | None
    term_months: int
    gpus_mid: float
    gpus: float


@dataclass(frozen=True, slots=True)
class CasePlan:
    """A plan in one price case. Money in $ a month, None: unknown.

    priced_offers: how many offers have a rate; at_mid: how many of them state none of their own for this case and
    count with their mid rate. changed_layers: those that are not as at mid, by pool, model and term.
    advice: what the figures are of.
    """

    case: PriceCase
    plan_usd_per_month: float | None
    do_nothing_usd_per_month: float | None
    savings_vs_do_nothing_usd_per_month: float | None
    priced_offers: int
    at_mid: int
    changed_layers: tuple[LayerChange, ...]
    advice: Advice | None = field(default=None, compare=False, repr=False)


def price_sensitivity(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    cache: AdviceCache | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> tuple[CasePlan, ...]:
    """A scenario's plan in each price case, in the order low, mid, high; fewer where it is cancelled.

    pools[i] is the pool of project.workloads[i]. Each case is planned afresh: layers set by hand stay as they are.
    Source: docs/formulas.md, Price sensitivity.
    """
    cache = AdviceCache() if cache is None else cache
    advices: dict[PriceCase, Advice] = {}
    for case in PRICE_CASES:
        if is_cancelled():
            return ()
        advices[case] = advise(project, replace(scenario, price_case=case), pools, audit, cache)
    mid = _new_layers(advices[PriceCase.MID])
    priced = sum(offer.rate is not None for offer in project.offers)
    return tuple(
        CasePlan(
            case,
            advice.totals.plan,
            advice.totals.do_nothing,
            advice.totals.savings_vs_do_nothing,
            priced,
            len(without_own_rate(project.offers, case)),
            _changes(mid, _new_layers(advice)),
            advice,
        )
        for case, advice in advices.items()
    )


def _new_layers(advice: Advice) -> dict[LayerKey, float]:
    """GPUs of new commitments; existing ones are in no price case."""
    found: dict[LayerKey, float] = {}
    for plan in advice.pools:
        for layer in plan.layers:
            if not layer.existing and layer.term_months:
                key = (plan.pool, plan.gpu_model, layer.term_months)
                found[key] = found.get(key, 0.0) + layer.gpus
    return found


def _changes(mid: dict[LayerKey, float], here: dict[LayerKey, float]) -> tuple[LayerChange, ...]:
    """Layers whose GPUs are not as at mid, in the order of pool, model and term."""
    keys = sorted({*mid, *here}, key=lambda key: (POOLS.index(key[0]), key[1] or "", key[2]))
    return tuple(
        LayerChange(*key, mid.get(key, 0.0), here.get(key, 0.0))
        for key in keys
        if mid.get(key, 0.0) != here.get(key, 0.0)
    )

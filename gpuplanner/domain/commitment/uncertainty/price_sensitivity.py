"""Price sensitivity: the same plan at the low, the mid and the high rate of every offer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice, Layer
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.price_case import PRICE_CASES, PriceCase, without_own_rate
from gpuplanner.domain.model.book.term_words import terms_words
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

SoldAs = tuple[int, int | None]
"""A term as an offer has it: months, and days where it is sold by the day."""
LayerKey = tuple[Pool, str | None, int]
"""Pool, GPU model and term in months of new commitments."""


@dataclass(frozen=True, slots=True)
class LayerChange:
    """New commitments of one pool, GPU model and term: GPUs at mid, and in another case.

    sold_as: as its offers are sold in either, months and days of each that differs.
    """

    pool: Pool
    gpu_model: str | None
    term_months: int
    gpus_mid: float
    gpus: float
    sold_as: frozenset[SoldAs] = frozenset()

    @property
    def term(self) -> Message:
        """What the term is called: 12 months, 90 days."""
        return terms_words(self.sold_as or {(self.term_months, None)})


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
    mid = advices[PriceCase.MID]
    priced = sum(offer.rate is not None for offer in project.offers)
    return tuple(
        CasePlan(
            case,
            advice.totals.plan,
            advice.totals.do_nothing,
            advice.totals.savings_vs_do_nothing,
            priced,
            len(without_own_rate(project.offers, case)),
            _changes(mid, advice),
            advice,
        )
        for case, advice in advices.items()
    )


def _new_layers(advice: Advice) -> Iterator[tuple[LayerKey, Layer]]:
    """New commitments; existing ones are in no price case."""
    for plan in advice.pools:
        for layer in plan.layers:
            if layer.is_new:
                yield (plan.pool, plan.gpu_model, layer.term_months or 0), layer


def _changes(mid: Advice, here: Advice) -> tuple[LayerChange, ...]:
    """Layers whose GPUs are not as at mid, in the order of pool, model and term."""
    at_mid, in_case, sold_as = dict[LayerKey, float](), dict[LayerKey, float](), dict[LayerKey, set[SoldAs]]()
    for advice, found in ((mid, at_mid), (here, in_case)):
        for key, layer in _new_layers(advice):
            found[key] = found.get(key, 0.0) + layer.gpus
            sold_as.setdefault(key, set()).add((key[2], layer.term_days))
    keys = sorted(sold_as, key=lambda key: (POOLS.index(key[0]), key[1] or "", key[2]))
    return tuple(
        LayerChange(*key, at_mid.get(key, 0.0), in_case.get(key, 0.0), frozenset(sold_as[key]))
        for key in keys
        if at_mid.get(key, 0.0) != in_case.get(key, 0.0)
    )

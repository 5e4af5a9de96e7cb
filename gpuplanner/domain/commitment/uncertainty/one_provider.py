"""Who could serve all: the same plan with the offers of one provider alone, provider by provider."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.comparison.horizons import Horizon, plan_usd_in
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.unserved import LEAST_GPU_HOURS
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import ONE_PROVIDER
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.pool import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

MOST_NAMED: Final = 3
"""What a provider lacks is named so often, the rest is counted."""


@dataclass(frozen=True, slots=True)
class ProviderPlan:
    """A plan with the offers of one provider alone. Money None: unknown, or it does not serve all.

    from_scratch: $ of the first month without any existing contract; alone_year: $ of the next 12 months, in which
    existing contracts run to their end; plan_year: the same of the plan with all offers. lacks: what it cannot serve or
    has no price for; empty where it serves all. alone: the advice of the year.
    """

    provider: str
    offers: int
    from_scratch: float | None
    alone_year: float | None
    plan_year: float | None
    beside_plan: float | None
    lacks: Text = ""
    alone: Advice | None = field(default=None, compare=False, repr=False)

    @property
    def serves_all(self) -> bool:
        """Whether its offers serve every pool and GPU model of the plan, from scratch."""
        return not self.lacks


def providers_alone(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    plan: Advice,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> tuple[ProviderPlan, ...]:
    """Each provider of the price book alone: those that serve all first, the cheapest of the year before the others.

    pools[i] is the pool of project.workloads[i]; plan: with all offers. Limits on the shares of providers do not hold
    here, all other limits and rules of the plan do; hardware of our own is no provider. Nothing where it is cancelled.
    Source: docs/formulas.md, One provider alone.
    """
    cache = AdviceCache()
    shares = {who: share for who, share in scenario.shares.items() if not who.provider}
    free = replace(scenario, assumptions={**scenario.assumptions, "max_provider_share": None}, shares=shares)
    found = []
    for name, ours in _by_provider(project):
        if is_cancelled():
            return ()
        afresh = advise(ours, replace(free, greenfield=True), pools, audit, cache)
        alone = afresh if scenario.greenfield else advise(ours, free, pools, audit, cache)
        found.append(_row(name, len(ours.offers), afresh, alone, plan))
    return tuple(sorted(found, key=lambda one: (not one.serves_all, one.alone_year or 0.0, one.provider)))


def _by_provider(project: Project) -> Iterator[tuple[str, Project]]:
    """The project with the offers of each provider alone, by name."""
    sold = [offer for offer in project.offers if offer.pricing_category is not PricingCategory.OWNED]
    for name in sorted({offer.provider for offer in sold if offer.provider}):
        yield name, replace(project, offers=tuple(offer for offer in sold if offer.provider == name))


def _row(name: str, offers: int, afresh: Advice, alone: Advice, plan: Advice) -> ProviderPlan:
    lacks = _lacks(afresh)
    given = {
        "alone_year": None if lacks else plan_usd_in(alone, Horizon.TWELVE_MONTHS),
        "plan_year": plan_usd_in(plan, Horizon.TWELVE_MONTHS),
        "from_scratch": None if lacks else afresh.totals.plan,
    }
    return ProviderPlan(name, offers, lacks=lacks, alone=alone, **ONE_PROVIDER.row(given))


def _lacks(afresh: Advice) -> Text:
    """GPU models that it leaves to nobody or has no price for; with the pools, where it serves them in others."""
    left = {(one.pool, one.gpu_model) for one in afresh.unserved if one.gpu_hours > LEAST_GPU_HOURS}
    left |= {(row.pool, row.gpu_model) for row in afresh.pools if row.cost_per_month is None}
    models = sorted({model for _, model in left}, key=lambda model: model or "")
    names = [_model_words(model, left, afresh) for model in models]
    if len(names) <= MOST_NAMED:
        return joined(names, ", ")
    more = whole(len(names) - MOST_NAMED)
    return worded("{names} and {more} more", names=joined(names[:MOST_NAMED], ", "), more=more)


def _model_words(model: str | None, left: set[tuple[Pool, str | None]], afresh: Advice) -> Text:
    name: Text = model or worded("unknown model")
    every = {row.pool for row in afresh.pools if row.gpu_model == model}
    lacking = [pool for pool in POOLS if (pool, model) in left]
    if every <= set(lacking):
        return name
    pools = joined([worded(pool.value) for pool in lacking], ", ")
    return worded("{gpu_model} for {pools}", gpu_model=name, pools=pools)

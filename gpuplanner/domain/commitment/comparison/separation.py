"""The cost of separation: what the plan costs beyond one in which all workloads of a model share one pool."""

from collections.abc import Mapping, Sequence
from functools import partial

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.residual import ModelDemand, Site, Stream
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.demand.volatility import in_force
from gpuplanner.domain.commitment.plan.advice import pool_plans
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_plans import Wish, measured_volatility, plan_models
from gpuplanner.domain.commitment.plan.totals import idle_existing
from gpuplanner.domain.commitment.recursion.rates import blend
from gpuplanner.domain.commitment.result import IdleExisting, PoolPlan
from gpuplanner.domain.fit.eligibility import cheapest
from gpuplanner.domain.model.book.contract_months import running
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.scenario.plan_inputs import HandLayer


def joint_demand(model: ModelDemand, largest: Sequence[Row]) -> ModelDemand:
    """The same demand as one row, and one for all that the same alone may serve: it still grows pool by pool.

    largest: (pool, name) of the joint rows, the pool being that of most GPU time; every name of the model's
    rows must be one.
    """
    place = {name: number for number, (_, name) in enumerate(largest)}
    joined = [place[name] for _, name in model.rows]
    sites = tuple(
        Site(
            site.cluster,
            tuple(
                Stream(joined[stream.row], stream.grows_with, stream.demand, stream.group)
                for stream in site.streams
            ),
        )
        for site in model.sites
    )
    return ModelDemand(model.gpu_model, tuple(largest), sites)


HandLayersByModel = Mapping[str | None, tuple[HandLayer, ...]]


def joint_plan(
    ground: Ground, cache: AdviceCache, hand: HandLayersByModel | None = None
) -> tuple[PoolPlan, ...]:
    """One row a model, all its workloads together (and one for all that the same alone may serve), named by the pool
    with most GPU time of it.

    Offers are eligible for all its pools; each workload keeps the usage price it may use and its demand the
    growth of its own pool; lambda is that of no pool, sigma too, else that
    of the pooled demand; pins are ignored; the split stays.
    hand: layers set by hand, by model; a model that is there is not advised.
    """
    assumptions = ground.assumptions
    models, wishes, on_demand = [], {}, {}
    for model in ground.plan.models:
        named = {name: [row for row in model.rows if row[1] == name] for _, name in model.rows}
        largest = tuple(
            max(rows, key=lambda row: float(ground.plan.users[row].sum())) for rows in named.values()
        )
        models.append(cache.recall("joint", largest, (model,), partial(joint_demand, model, largest)))
        for place, (name, rows) in enumerate(named.items()):
            open_to = [{offer.offer_id for offer in ground.eligible[row]} for row in rows]
            shared = tuple(  # at the rate of the row: a mapped model's is for the work of one GPU of the row's model
                offer for offer in ground.eligible[rows[0]] if all(offer.offer_id in ids for ids in open_to)
            )
            volatility = in_force(assumptions, None, measured_volatility(ground, models[-1], place, cache))
            flex = blend([(ground.prices[row], ground.plan.users[row]) for row in rows])
            of_rows = ground.blend_of(rows)
            by_hand = (hand or {}).get(name)
            wishes[largest[place]] = Wish(
                assumptions.lambda_,
                volatility,
                shared,
                flex,
                of_rows,
                by_hand,
                dated_use=ground.dated_use(rows),
            )
            on_demand[largest[place]] = cheapest(shared, PricingCategory.STANDARD)
    planned = plan_models(ground, models, wishes, False, cache)
    return pool_plans(ground, planned, on_demand)


def joint_idle(ground: Ground, joint: tuple[PoolPlan, ...]) -> tuple[IdleExisting, ...]:
    """What existing contracts are paid for and do not serve in the joint plan.

    Units: GPUs and $ a month, as in `idle_existing`.
    """
    return idle_existing(running(ground.plan.contracts, ground.window, 0), joint, ground.weights)

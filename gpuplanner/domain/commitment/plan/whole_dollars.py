"""Whole dollars of the plan's layers: the same ones in every panel, and they add up to the plan."""

from gpuplanner.domain.commitment.result import Advice, Layer, Order, PoolPlan
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.domain.model.pool import Pool, PricingCategory

LayerKey = tuple[Pool, str | None, bool, PricingCategory, int | None, str | None]


def layer_key(plan: PoolPlan, layer: Layer) -> LayerKey:
    """What a layer of a plan is told by: pool, GPU model, existing, category, term, offer.

    No two layers of a plan have the same one.
    """
    return (
        plan.pool,
        plan.gpu_model,
        layer.existing,
        layer.pricing_category,
        layer.term_months,
        layer.offer_id,
    )


def layer_dollars(advice: Advice) -> dict[LayerKey, int | None]:
    """$ a month of every layer in whole dollars; None where a rate is missing.

    Law: layers of a row whose $ are all known add up to the row's own whole dollars.
    """
    return dict(zip(*_layers(advice), strict=True))


def term_dollars(
    advice: Advice, plan: PoolPlan
) -> dict[tuple[bool, PricingCategory, int | None], int | None]:
    """$ a month of a row in whole dollars by existing, category and term, whatever the offers.

    None as soon as one layer of that term has no rate.
    """
    dollars: dict[tuple[bool, PricingCategory, int | None], int | None] = {}
    for (pool, model, existing, category, term_months, _), amount in layer_dollars(advice).items():
        if (pool, model) == (plan.pool, plan.gpu_model):
            key = (existing, category, term_months)
            before = dollars.get(key, 0)
            dollars[key] = None if before is None or amount is None else before + amount
    return dollars


def idle_dollars(advice: Advice) -> list[int | None]:
    """$ a month of every row of idle existing GPUs, in the plan's order; with the layers they make the plan.

    None where the cost of what stands idle is unknown.
    """
    return _parts(advice)[1]


def pool_dollars(advice: Advice) -> dict[Pool, int | None]:
    """$ a month of every pool in whole dollars; with the rows of idle GPUs they make the plan.

    None where a row of the pool has no known cost.
    """
    found: dict[Pool, int | None] = {}
    for plan, whole in zip(advice.pools, _parts(advice)[0], strict=True):
        before = found.get(plan.pool, 0)
        found[plan.pool] = None if before is None or whole is None else before + whole
    return found


def layer_of(order: Order, advice: Advice) -> tuple[PoolPlan, Layer] | None:
    """The pool and the layer that an order of today buys.

    None for an order of a later month, and where no layer has its term and offer.
    """
    if order.month:
        return None
    for plan in advice.pools:
        if plan.pool is order.pool and plan.gpu_model == order.gpu_model:
            for layer in plan.layers:
                same = layer.term_months == order.term_months and layer.offer_id == order.offer_id
                if same and not layer.existing:
                    return plan, layer
    return None


def order_dollars(order: Order, advice: Advice) -> int | None:
    """$ a month of an order in whole dollars: those of its layer where it is the layer; None without a rate.

    Where an order is the whole of its layer both show the same number; else the order's own $ are rounded.
    """
    found = layer_of(order, advice)
    if found is not None and abs(found[1].gpus - order.gpus) < 1e-9:
        return layer_dollars(advice)[layer_key(*found)]
    return None if order.cost_per_month is None else round(order.cost_per_month)


def _parts(advice: Advice) -> tuple[list[int | None], list[int | None]]:
    """Pools and idle rows in whole dollars that add up to the rounded plan, where the plan is their sum."""
    pools = [plan.cost_per_month for plan in advice.pools]
    whole = largest_remainder([*pools, *(idle.cost_per_month for idle in advice.idle_existing)])
    return whole[: len(pools)], whole[len(pools) :]


def _layers(advice: Advice) -> tuple[list[LayerKey], list[int | None]]:
    """Keys and whole dollars of all layers, row by row; layers of a row share out its rounded sum by largest
    remainder.
    """
    keys: list[LayerKey] = []
    dollars: list[int | None] = []
    for plan, total in zip(advice.pools, _parts(advice)[0], strict=True):
        values = [layer.cost_per_month for layer in plan.layers]
        known = sum(value for value in values if value is not None)
        fits = total is not None and None not in values and abs(known - total) < 1
        keys += [layer_key(plan, layer) for layer in plan.layers]
        dollars += largest_remainder(values, float(total) if fits and total is not None else None)
    return keys, dollars

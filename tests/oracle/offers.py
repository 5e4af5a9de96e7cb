"""Which offers a pool may use and what its usage costs: docs/formulas.md read literally, one `if` a sentence."""

import math
from dataclasses import dataclass

HOURS_PER_MONTH = 730


def same_model(one, other):
    """GPU models are matched without regard to case; None is an unknown model and equals only itself."""
    return (one is None and other is None) or (
        one is not None and other is not None and one.lower() == other.lower()
    )


def is_eligible(offer, pool, model, several_nodes):
    """The model matches (every offer is open to an unknown model) and no hardware row is red for the pool."""
    if model is not None and not same_model(offer.gpu_model, model):
        return False
    if pool != "training":
        return True
    unknown_model = model is None
    if unknown_model and offer.gpu_memory_gb is not None and offer.gpu_memory_gb < 80:
        return False
    if several_nodes and offer.interconnect in ("ethernet", "roce"):
        return False
    return not (several_nodes and offer.bare_metal is False)


def cheapest(offers, category):
    """Lowest stated rate of a category, then lowest offer_id; None where nobody quotes."""
    best = None
    for offer in sorted(offers, key=lambda offer: offer.offer_id):
        if offer.pricing_category != category or not offer.rate:
            continue
        if best is None or offer.rate < best.rate:
            best = offer
    return best


def first_month(offer):
    """The first month in which the offer's lead time lets it start; leads of at most one month count as none."""
    if offer.lead_time_hours <= HOURS_PER_MONTH:
        return 0
    return math.ceil(offer.lead_time_hours / HOURS_PER_MONTH)


def committed_by_term(offers, month, longest_term, closed=frozenset()):
    """{term: cheapest COMMITTED offer of it that can start in the month}; offers whose ids are closed are skipped."""
    best = {}
    for offer in sorted(offers, key=lambda offer: offer.offer_id):
        if offer.pricing_category != "COMMITTED" or not offer.rate or offer.offer_id in closed:
            continue
        if (
            offer.term_months < 1
            or offer.term_months > longest_term
            or offer.term_months < offer.min_term_months
        ):
            continue
        if first_month(offer) > month:
            continue
        if offer.term_months not in best or offer.rate < best[offer.term_months].rate:
            best[offer.term_months] = offer
    return best


def lost_share(longest_job_s, nodes, assumptions):
    """w: the share of work lost to checkpoints and interruptions."""
    checkpoint_h = assumptions.spot_checkpoint_minutes / 60
    restart_h = assumptions.spot_restart_minutes / 60
    interval_h = assumptions.spot_interval_hours
    between_h = assumptions.spot_node_mtbf_hours / nodes
    longest_h = longest_job_s / 3600
    if longest_h < interval_h:
        return (longest_h / 2 + restart_h) / between_h
    return checkpoint_h / interval_h + (interval_h / 2 + restart_h) / between_h


def may_use_spot(pool, longest_job_s, assumptions):
    """Inference never, burst always, training by the length of its longest job."""
    if pool == "inference":
        return False
    if pool == "burst":
        return True
    if assumptions.spot_long_training or longest_job_s <= 4 * 3600:
        return True
    return assumptions.training_checkpoints and longest_job_s <= 24 * 3600


@dataclass
class Usage:
    """What an hour of usage costs in a pool and model: r_flex, and what it is made of."""

    r_flex: float | None
    spot_share: float
    category: str
    offer_id: str | None


def workload_usage(workload, pool, offers, assumptions):
    """(rate, offer, is it spot) that one workload may use at least cost; (None, None, False) without any."""
    on_demand, spot = cheapest(offers, "STANDARD"), cheapest(offers, "DYNAMIC")
    rate, offer, is_spot = (None, None, False) if on_demand is None else (on_demand.rate, on_demand, False)
    if spot is not None and may_use_spot(pool, workload.longest_job_s, assumptions):
        lost = lost_share(workload.longest_job_s, workload.max_nodes or 1, assumptions)
        if lost < 1 and (rate is None or spot.rate / (1 - lost) < rate):
            rate, offer, is_spot = spot.rate / (1 - lost), spot, True
    return rate, offer, is_spot


def pool_usage(users):
    """Usage of a pool and model from [(GPU-hours, rate, offer, is it spot)], one per workload."""
    total = sum(hours for hours, _, _, _ in users)
    if total == 0 or any(rate is None for _, rate, _, _ in users):
        return Usage(None, 0.0, "STANDARD", None)
    on_spot = sum(hours for hours, _, _, is_spot in users if is_spot)
    r_flex = sum(hours * rate for hours, rate, _, _ in users) / total
    if on_spot == 0:
        return Usage(r_flex, 0.0, "STANDARD", users[0][2].offer_id)
    if all(is_spot for _, _, _, is_spot in users):
        return Usage(r_flex, 1.0, "DYNAMIC", users[0][2].offer_id)
    return Usage(r_flex, on_spot / total, "MIXED", None)

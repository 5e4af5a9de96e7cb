"""Which offers a pool may use and what its usage costs: docs/formulas.md read literally, one `if` a sentence."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.oracle.policy import Deal

HOURS_PER_MONTH = 730
MONTH_S = HOURS_PER_MONTH * 3600
DEVELOPMENT = ("development", "notebook", "interactive")


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


@dataclass(frozen=True)
class Supply:
    """An offer as the model has it; fields as of the price file, times in epoch seconds."""

    offer_id: str
    provider: str | None
    region: str | None
    gpu_model: str
    pricing_category: str
    term_months: int
    rate: float | None
    max_gpus: int | None
    lead_time_hours: float
    min_term_months: int
    gpu_memory_gb: float | None
    bare_metal: bool | None
    interconnect: str | None
    min_gpus: float = 0
    unit_gpus: int = 1
    upfront_usd: float = 0.0
    term_days: float | None = None
    starts_s: int | None = None
    ends_s: int | None = None
    valid_until_s: int | None = None

    @property
    def months(self):
        """T: whole months; ceil(24 d / 730) of a term in days."""
        return (
            self.term_months if self.term_days is None else math.ceil(24 * self.term_days / HOURS_PER_MONTH)
        )

    @property
    def hours(self):
        return HOURS_PER_MONTH * self.term_months if self.term_days is None else 24 * self.term_days


def supply_of(offer, beyond):
    """An offer of the project, with fields that the engine's value does not have yet from `beyond`."""

    def read(name, *others):
        for each in (name, *others):
            if getattr(offer, each, None) is not None:
                return getattr(offer, each)
            if beyond.get(each) is not None:
                return beyond[each]
        return None

    return Supply(
        **{
            name: getattr(offer, name)
            for name in (
                "offer_id",
                "provider",
                "region",
                "gpu_model",
                "pricing_category",
                "term_months",
                "rate",
                "max_gpus",
                "lead_time_hours",
                "min_term_months",
                "gpu_memory_gb",
                "bare_metal",
                "interconnect",
            )
        },
        min_gpus=read("min_gpus") or 0,
        unit_gpus=read("unit_gpus") or 1,
        upfront_usd=float(read("upfront_usd", "upfront_usd_per_gpu") or 0),
        term_days=read("term_days"),
        starts_s=_instant(read("starts_s", "starts")),
        ends_s=_instant(read("ends_s", "ends")),
        valid_until_s=_end_of_day(read("valid_until_s", "valid_until")),
    )


def _instant(value):
    if value is None or isinstance(value, int | float):
        return value
    read = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    return round(read.replace(tzinfo=read.tzinfo or UTC).timestamp())


def _end_of_day(value):
    """A date holds to the last second of its day; an instant is what it says."""
    instant = _instant(value)
    is_date = instant is not None and not isinstance(value, int | float) and len(str(value)) == 10
    return instant + 86_399 if is_date else instant


def first_month(offer, free=True):
    """The first month in which the offer's lead time lets it start: free leads of at most one month count as none."""
    months = math.ceil(offer.lead_time_hours / HOURS_PER_MONTH)
    if not free:
        return max(0, months - 1)
    return 0 if offer.lead_time_hours <= HOURS_PER_MONTH else months


def deal_of(offer, month, free):
    """What an offer serves of each month of its term when it is signed for month t."""
    late = 0.0 if free else min(max(offer.lead_time_hours / HOURS_PER_MONTH - month, 0.0), 1.0)
    last = (
        offer.months if offer.term_days is None else min(late + offer.hours / HOURS_PER_MONTH, offer.months)
    )
    served = tuple(min(max(min(last, i + 1) - max(late, i), 0.0), 1.0) for i in range(offer.months))
    return Deal(offer, offer.months, offer.hours, served, offer.rate, offer.upfront_usd)


def is_open(offer, month, free, plan_from_s):
    """Do its lead time, its days of existence and its validity let it be signed for month t?"""
    if first_month(offer, free) > month:
        return False
    begin_s = plan_from_s + month * MONTH_S
    lead_s = round(offer.lead_time_hours * 3600)
    start_s = begin_s if free else max(begin_s, plan_from_s + lead_s)
    end_s = begin_s + offer.months * MONTH_S
    if offer.term_days is not None:
        end_s = min(start_s + round(offer.hours * 3600), end_s)
    if offer.starts_s is not None and start_s < offer.starts_s:
        return False
    if offer.ends_s is not None and end_s > offer.ends_s:
        return False
    order_by_s = max(begin_s - lead_s, plan_from_s)
    return offer.valid_until_s is None or order_by_s <= offer.valid_until_s


def usage_is_open(offer, month, plan_from_s):
    """Does the capacity of a usage-priced offer exist through all of month t?"""
    begin_s = plan_from_s + month * MONTH_S
    after = offer.starts_s is None or offer.starts_s <= begin_s
    return after and (offer.ends_s is None or offer.ends_s >= begin_s + MONTH_S)


def deals_in_month(offers, month, longest_term, closed, free, plan_from_s, dated=lambda offer: 1.0):
    """The best deal of each length of term, shortest first: lowest r + upfront / hours of the term, then offer_id.

    dated(offer): what dated changes make of its rate in the month."""
    best, lowest = {}, {}
    for offer in sorted(offers, key=lambda offer: offer.offer_id):
        if offer.pricing_category != "COMMITTED" or not offer.rate or offer.offer_id in closed:
            continue
        if offer.months < 1 or offer.months > longest_term or offer.months < offer.min_term_months:
            continue
        if not is_open(offer, month, free, plan_from_s):
            continue
        deal, term = deal_of(offer, month, free), (offer.months, offer.hours)
        all_in = deal.rate * dated(offer) + deal.upfront / deal.hours
        if term not in best or all_in < lowest[term]:
            best[term], lowest[term] = deal, all_in
    return [best[term] for term in sorted(best, key=lambda term: (term[0], term[1]))]


def committed_by_term(offers, month, longest_term, closed=frozenset()):
    """{term: cheapest COMMITTED offer of it that can start in the month}: whole months, free leads, no dates."""
    best = {}
    for offer in sorted(offers, key=lambda offer: offer.offer_id):
        if offer.pricing_category != "COMMITTED" or not offer.rate or offer.offer_id in closed:
            continue
        term = offer.term_months
        if term < 1 or term > longest_term or term < offer.min_term_months or first_month(offer) > month:
            continue
        if term not in best or offer.rate < best[term].rate:
            best[term] = offer
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


def may_use_spot(workload, pool, assumptions, rules, of_class=None, subtype=""):
    """Section 6: inference never, development not by itself, long jobs on 8 GPUs only with checkpoints."""
    longest_job_s = workload.longest_job_s
    if pool == "inference":
        return False
    if rules.new_spot:
        if of_class == "inference":
            return False
        if subtype in DEVELOPMENT and not rules.spot_for_development:
            return False
        long = getattr(workload, "median_job_s", 0) > 24 * 3600
        if long and median_gpus(workload) >= 8 and not assumptions.training_checkpoints:
            return False
    if pool == "burst":
        return True
    if assumptions.spot_long_training or longest_job_s <= 4 * 3600:
        return True
    return assumptions.training_checkpoints and longest_job_s <= 24 * 3600


def median_gpus(workload):
    """GPUs of the median job, where the log's facts have it, else those of the largest job."""
    for name in ("median_milli_gpus", "median_job_milli_gpus", "max_milli_gpus"):
        if getattr(workload, name, None) is not None:
            return getattr(workload, name) / 1000
    return 0.0


@dataclass
class Usage:
    """What an hour of usage costs in a pool and model: r_flex, and what it is made of."""

    r_flex: float | None
    spot_share: float
    category: str
    offer_id: str | None


def workload_usage(workload, offers, spot_allowed, assumptions):
    """(rate, offer, is it spot) that one workload may use at least cost; (None, None, False) without any."""
    on_demand, spot = cheapest(offers, "STANDARD"), cheapest(offers, "DYNAMIC")
    rate, offer, is_spot = (None, None, False) if on_demand is None else (on_demand.rate, on_demand, False)
    if spot is not None and spot_allowed:
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

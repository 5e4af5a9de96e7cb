"""Offers that a pool may use and their on-demand cost: docs/formulas/hardware-fit.md, one `if` for each sentence."""

from dataclasses import dataclass
from datetime import UTC, datetime

from tests.oracle.policy import Way

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


@dataclass(frozen=True, kw_only=True)
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
    unit_gpus: int | None = None
    upfront_usd: float = 0.0
    term_days: float | None = None
    starts_s: int | None = None
    ends_s: int | None = None
    valid_until_s: int | None = None

    @property
    def hours(self):
        """Hours of the term."""
        return HOURS_PER_MONTH * self.term_months if self.term_days is None else 24 * self.term_days

    @property
    def months(self):
        """T, of a term in days no whole number."""
        return self.hours / HOURS_PER_MONTH

    @property
    def is_block(self):
        """Does its capacity exist for exactly its term? Then it is bought whole."""
        both = self.starts_s is not None and self.ends_s is not None
        return both and self.ends_s - self.starts_s == self.hours * 3600

    @property
    def bound_hours(self):
        """Hours that one decision binds a slice: a term shorter than a month renews until a month is over."""
        return self.hours if self.is_block else max(self.hours, HOURS_PER_MONTH)

    @property
    def lead_s(self):
        return round(self.lead_time_hours * 3600)

    @property
    def spread_rate(self):
        """r + upfront / hours."""
        return self.rate + self.upfront_usd / self.bound_hours

    def may_run(self, start_s, end_s, plan_from_s):
        """Do its lead, its days of existence and its validity allow an order from a start to an end?"""
        if start_s - self.lead_s < plan_from_s:
            return False
        if self.is_block and start_s != self.starts_s:
            return False
        if self.starts_s is not None and start_s < self.starts_s:
            return False
        if self.ends_s is not None and end_s > self.ends_s:
            return False
        return self.is_valid_for(start_s)

    def is_valid_for(self, start_s):
        """Is what begins then ordered by its last day?"""
        return self.valid_until_s is None or start_s - self.lead_s <= self.valid_until_s


def supply_of(offer):
    """An offer of the project."""
    same = (
        "offer_id provider region gpu_model pricing_category term_months rate max_gpus lead_time_hours "
        "min_term_months gpu_memory_gb bare_metal interconnect term_days"
    )
    return Supply(
        **{name: getattr(offer, name) for name in same.split()},
        min_gpus=offer.min_gpus or 0,
        unit_gpus=offer.unit_gpus,
        upfront_usd=float(offer.upfront_usd or 0),
        starts_s=_instant(offer.starts),
        ends_s=_instant(offer.ends),
        valid_until_s=_end_of_day(offer.valid_until),
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


def usage_is_open(offer, month, plan_from_s):
    """Does the capacity of a usage-priced offer exist through all of month t?"""
    begin_s = plan_from_s + month * MONTH_S
    after = offer.starts_s is None or offer.starts_s <= begin_s
    return after and (offer.ends_s is None or offer.ends_s >= begin_s + MONTH_S)


def commitments(offers, longest):
    """Offers that may be signed, terms of at most `longest` months, by length, then r + upfront / hours, then id."""
    usable = [
        o
        for o in offers
        if o.pricing_category == "COMMITTED"
        and o.rate
        and 0 < o.months <= longest
        and o.months >= o.min_term_months
    ]
    return sorted(usable, key=lambda o: (o.bound_hours, o.spread_rate, o.offer_id))


def ways_in_month(offers, t, plan_from_s, price):
    """What may be signed in month t: offers as of `commitments`; price(t, offer): what a price of today is then."""
    begin_s, ways = plan_from_s + t * MONTH_S, []
    for offer in offers:
        start_s = max(begin_s, plan_from_s + offer.lead_s)
        if offer.is_block:
            start_s = offer.starts_s
        end_s = start_s + round(offer.bound_hours * 3600)
        if begin_s <= start_s < begin_s + MONTH_S and offer.may_run(start_s, end_s, plan_from_s):
            ways.append(Way(offer, (start_s - begin_s) / MONTH_S, price(t, offer)))
    return ways


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


def may_use_spot(workload, pool, assumptions, of_class=None, subtype=""):
    """Section 6: inference never, development not by itself, long jobs on 8 GPUs only with checkpoints."""
    longest_job_s = workload.longest_job_s
    if pool == "inference":
        return False
    if of_class == "inference":
        return False
    if subtype in DEVELOPMENT and not assumptions.spot_for_development:
        return False
    is_long = getattr(workload, "median_job_s", 0) > 24 * 3600
    if is_long and median_gpus(workload) >= 8 and not assumptions.training_checkpoints:
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

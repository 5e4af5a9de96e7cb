"""Crafted small projects, one per rule of the model that random ones seldom reach."""

import math
from dataclasses import replace

from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.oracle.projects import Case

CERTAIN = {"sigma": 0, "delta": 0, "lambda": 0}


def daily(hours, low, high):
    """Whole GPUs on a day's rhythm between low and high."""
    return [round((low + high) / 2 - (high - low) / 2 * math.cos(2 * math.pi * h / 24)) for h in range(hours)]


def two_clusters():
    """Pinned and free contracts, unknown models, one contract ends in month 5, growth."""
    case = Case(176, horizon_months=12, growth=0.03)
    case.workload("alpha", "pretrain", "training", daily(176, 3, 6), activity=0.7)
    case.workload("alpha", "chat", "inference", daily(176, 1, 5))
    case.workload("alpha", "mystery", "burst", daily(176, 0, 3), model=None, longest_job_s=7200)
    case.workload("beta", "embed", "inference", {"A100": daily(176, 0, 4), None: daily(176, 0, 2)})
    case.workload("beta", "sweep", "burst", daily(176, 0, 2), model="A100", longest_job_s=7200)
    case.contract("a-free", "alpha", 4, 2.5, ends=5.4, term_months=12, notice_days=30)
    case.contract("a-pinned", "alpha", 2, 2.9, ends=5.9, term_months=3, pool=Pool.INFERENCE)
    case.contract("b-free", "beta", 3, 1.4, model="A100", ends=30)
    case.offers_of("H100", 6.88, {1: 5, 3: 4.2, 6: 3.4, 12: 2.75}, lead_time_hours=48)
    case.offers_of("A100", 3.5, {3: 2.4, 12: 1.6})
    case.offer("spot-A100", "spot", 1.2, "A100")
    case.offer("spot-H100", "spot", 2.5)
    return case


def own_rates():
    """Each pool with growth, volatility and churn of its own, sharing one contract."""
    case = Case(200, horizon_months=15, growth_training=0.04, sigma_inference=0.25, lambda_burst=0.3)
    case.assumptions = case.assumptions.with_values({"growth_inference": -0.02, "sigma_training": 0.0})
    for pool in ("training", "inference", "burst"):
        case.workload("alpha", f"w-{pool}", pool, daily(200, 1, 4), longest_job_s=50_000)
    case.contract("shared", "alpha", 5, 2, ends=4)
    case.offers_of("H100", 5, {1: 4.1, 4: 3.3, 12: 2.4})
    return case


def blocks(block):
    """Blocks of GPUs, with a contract of fewer GPUs than a block."""
    case = Case(200, horizon_months=14, block=block)
    case.workload("alpha", "chat", "inference", daily(200, 6, 27))
    case.workload("alpha", "run", "training", daily(200, 5, 9))
    case.contract("k1", "alpha", 5, 2, ends=2.5, term_months=6)
    case.contract("k2", "alpha", 3, 2, ends=2.2, term_months=6)
    case.offers_of("H100", 5, {3: 3.2, 6: 2.9, 12: 2.2})
    return case


def ties():
    """Equal rates everywhere: the rules for ties decide."""
    case = Case(200, horizon_months=12, delta=0, sigma=0, wacc=0, **{"lambda": 0})
    case.workload("alpha", "chat", "inference", 4)
    case.workload("alpha", "run", "training", 4)
    for name in ("k3", "k1", "k2"):
        case.contract(name, "alpha", 2, 2, ends=3.5, term_months=12)
    for offer_id, term in (("z", 6), ("a", 6), ("m", 12), ("q", 3)):
        case.offer(offer_id, term, 2.5)
    case.offer("od2", 0, 5)
    case.offer("od1", 0, 5)
    return case


def half_busy_ties():
    """A slice is busy exactly at break-even: waiting goes first."""
    case = Case(200, horizon_months=12, wacc=0, **CERTAIN)
    case.workload("alpha", "chat", "inference", [1] * 100 + [2] * 100)
    case.offers_of("H100", 4, {1: 2, 6: 2})
    return case


def lead_times():
    """Leads under and over a month: reasons lead_time and growth, a verdict that comes too late."""
    case = Case(172, horizon_months=14, sigma=0.05, growth=0.05)
    case.workload("alpha", "chat", "inference", daily(172, 3, 8))
    case.contract("soon", "alpha", 2, 2, ends=1.2, notice_days=10, term_months=12)
    case.contract("later", "alpha", 2, 2, ends=4.7, notice_days=90, term_months=3)
    case.offer("od", 0, 6)
    case.offer("fast", 3, 4.0, lead_time_hours=700)
    case.offer("slow", 12, 2.5, lead_time_hours=2000)
    case.offer("slower", 6, 2.9, lead_time_hours=3000.5)
    return case


def max_gpus():
    """An offer with a maximum goes to inference first, then by slice; a second one of the same term follows."""
    case = Case(200, horizon_months=13, block=2)
    case.workload("alpha", "run", "training", daily(200, 4, 9))
    case.workload("beta", "chat", "inference", daily(200, 2, 7))
    case.offers_of("H100", 6, {1: 5})
    case.offer("c12-few", 12, 2.0, max_gpus=7)
    case.offer("c12-rest", 12, 2.4)
    case.offer("c6-few", 6, 2.9, max_gpus=3)
    return case


def quotes_needed():
    """A contract and an offer without a rate."""
    case = Case(200, horizon_months=12)
    case.workload("alpha", "chat", "inference", daily(200, 1, 4))
    case.workload("beta", "run", "training", daily(200, 1, 4), model="A100")
    case.contract("k", "alpha", 2, None, ends=14)
    case.offers_of("H100", 5, {12: 2.4})
    case.offer("asked", 6, None)
    case.offers_of("A100", 3, {12: 1.4})
    return case


def on_demand_rows():
    """Rows on demand are planned afresh; doing nothing keeps them."""
    case = Case(200, horizon_months=14)
    case.workload("alpha", "chat", "inference", daily(200, 2, 8))
    case.workload("alpha", "mystery", "burst", daily(200, 0, 3), model=None, longest_job_s=7000)
    case.contract("rented", "alpha", 4, 5.5, pricing_category=PricingCategory.STANDARD)
    case.contract(
        "signed", "alpha", 3, 2.2, ends=8, pricing_category=PricingCategory.COMMITTED, term_months=12
    )
    case.contract("dear", "alpha", 1, 9, ends=8, pricing_category=PricingCategory.COMMITTED, notice_days=600)
    case.offers_of("H100", 6, {1: 4.9, 6: 3.5, 12: 2.7})
    return case


def edges_of_the_window():
    """Contracts that start or end inside the window, inside month 0, later, or long ago."""
    case = Case(240, horizon_months=14)
    case.workload("alpha", "chat", "inference", daily(240, 3, 8))
    case.contract("ended", "alpha", 2, 3, ends=-0.1)
    case.contract("started", "alpha", 2, 2, starts=-0.2, ends=7)
    case.contract("in-month-0", "alpha", 2, 2.2, ends=0.6, term_months=12)
    case.contract("next-month", "alpha", 1, 2.1, starts=0.4, ends=10)
    case.contract("two-years", "alpha", 1, 2, ends=24, notice_days=60)
    case.contract("over-two-years", "alpha", 1, 2, ends=24.01, notice_days=60)
    case.contract("no-end", "alpha", 1, 2, notice_days=73)
    case.offers_of("H100", 5, {1: 4, 3: 3.4, 12: 2.3})
    return case


def short_log():
    """A week of log: terms up to one month only."""
    case = Case(168, horizon_months=12)
    case.workload("alpha", "chat", "inference", daily(168, 2, 6))
    case.offers_of("H100", 5, {1: 3, 12: 1.5})
    return case


def greenfield():
    """The contracts are left out of the plan, not of today."""
    return two_clusters().under(greenfield=True)


def recent_hours():
    """Demand that grew lately, weighted by recency."""
    case = Case(300, horizon_months=12, recency_half_life_days=3.0)
    case.workload("alpha", "chat", "inference", [2 + h // 60 for h in range(300)])
    case.contract("k", "alpha", 3, 2, ends=5.5)
    case.offers_of("H100", 5, {1: 3.9, 3: 3.2, 12: 2.4})
    return case


def sixty_months():
    """The horizon of the defaults, long terms among the offers."""
    case = Case(170)
    case.workload("alpha", "run", "training", daily(170, 2, 6))
    case.workload("alpha", "chat", "inference", daily(170, 1, 5))
    case.contract("k", "alpha", 3, 2, ends=6.5, term_months=12)
    case.offers_of("H100", 6.88, {1: 5, 12: 4.1, 36: 2.75}, gpu_memory_gb=80)
    return case


def spot_mix():
    """Workloads of one pool that pay different usage prices: long, short, on many nodes, writing checkpoints."""
    case = Case(200, horizon_months=12, training_checkpoints=True)
    case.workload("alpha", "short", "training", daily(200, 1, 3), longest_job_s=10_000)
    case.workload("alpha", "day", "training", daily(200, 1, 3), longest_job_s=80_000, max_nodes=3)
    case.workload("alpha", "long", "training", daily(200, 1, 3), longest_job_s=400_000)
    case.workload("alpha", "sweep", "burst", daily(200, 0, 4), longest_job_s=400_000, max_nodes=16)
    case.workload("beta", "grid", "burst", daily(200, 0, 4), longest_job_s=1_000, model="A100")
    case.offers_of("H100", 5, {6: 3.4, 12: 2.6}, bare_metal=True, interconnect="infiniband")
    case.offer("od-ethernet", 0, 4, bare_metal=True, interconnect="ethernet")
    case.offers_of("A100", 3, {12: 1.2})
    case.offer("spot", "spot", 1.6)
    case.offer("spot-A100", "spot", 1.6, "A100")
    return case


def untyped_cluster():
    """A cluster without contracts and without models: every offer is open, but not small memory to training."""
    case = Case(200, horizon_months=12)
    case.workload("cloud", "run", "training", daily(200, 1, 4), model=None)
    case.workload("cloud", "chat", "inference", daily(200, 1, 4), model=None)
    case.offers_of("H100", 6, {12: 2.9}, gpu_memory_gb=80)
    case.offer("od-L40S", 0, 2, "L40S", gpu_memory_gb=48)
    case.offer("c12-L40S", 12, 0.9, "L40S", gpu_memory_gb=48)
    return case


def moved():
    """Workloads stand in other pools than their classes: today stays, the plan follows."""
    case = own_rates()
    case.pools = dict(zip(case.pools, [Pool.BURST, Pool.TRAINING, Pool.TRAINING], strict=True))
    return case


def by_hand():
    """The planner set the committed layers of one pool."""
    case = Case(200, horizon_months=14)
    case.workload("alpha", "chat", "inference", daily(200, 2, 8))
    case.workload("alpha", "run", "training", daily(200, 2, 5))
    case.contract("k", "alpha", 1, 2, ends=3.5, term_months=24)
    case.offers_of("H100", 5, {1: 4.0, 3: 3.3, 12: 2.3})
    layers = (HandLayer(12, 3), HandLayer(3, 2))
    return case.under(hand_layers={(Pool.INFERENCE, "H100"): layers})


def nothing_on_demand():
    """Nobody rents the model by the hour: what is busy must be committed, totals that need the rate are unknown."""
    case = Case(200, horizon_months=12)
    case.workload("alpha", "chat", "inference", 3)
    case.offer("c12", 12, 2)
    return case


def over_512_slices(block):
    """One number of GPUs a slice for the whole plan: the smallest power of two that keeps 512 slices."""
    case = Case(30, horizon_months=12, block=block, wacc=0.1, **CERTAIN)
    case.workload("alpha", "chat", "inference", [1400 + h for h in range(30)])
    case.workload("alpha", "run", "training", 5)
    case.contract("k", "alpha", 1100, 2, ends=3)
    case.offers_of("H100", 5, {1: 3, 12: 2.2})
    return case


def cycle_of_a_month(**assumptions):
    """Training closes months in two clusters; inference, work of unknown model and contracts are beside it."""
    case = Case(1700, horizon_months=12, **({"recency_half_life_days": 7} | assumptions))
    closes = [(h - 90) % 730 < 72 for h in range(1700)]
    case.workload("alpha", "close", "training", [12 if is_busy else 1 for is_busy in closes])
    case.workload("alpha", "chat", "inference", daily(1700, 1, 5))
    mystery = [h // 100 % 4 for h in range(1700)]
    case.workload("alpha", "mystery", "burst", mystery, model=None, longest_job_s=7200)
    case.workload("beta", "close", "training", [6 if (h - 100) % 730 < 60 else 0 for h in range(1700)])
    case.contract("free", "alpha", 4, 2.5, ends=5.4, term_months=12, notice_days=30)
    case.contract("pinned", "alpha", 2, 2.9, ends=5.9, term_months=3, pool=Pool.INFERENCE)
    case.offers_of("H100", 6.88, {1: 5, 3: 4.2, 6: 3.4, 12: 2.75}, lead_time_hours=48)
    case.offer("few", 0, 6.0, max_gpus=5)
    return case


def in_scenario(case, **assumptions):
    """The same case with assumptions that only its scenario has."""
    case.scenario = replace(case.scenario, assumptions=assumptions)
    return case


CRAFTED = {
    "two_clusters": two_clusters,
    "own_rates": own_rates,
    "blocks_of_2": lambda: blocks(2),
    "blocks_of_8": lambda: blocks(8),
    "ties": ties,
    "half_busy_ties": half_busy_ties,
    "lead_times": lead_times,
    "max_gpus": max_gpus,
    "quotes_needed": quotes_needed,
    "on_demand_rows": on_demand_rows,
    "edges_of_the_window": edges_of_the_window,
    "short_log": short_log,
    "greenfield": greenfield,
    "recent_hours": recent_hours,
    "sixty_months": sixty_months,
    "spot_mix": spot_mix,
    "untyped_cluster": untyped_cluster,
    "moved": moved,
    "over_512_slices": lambda: over_512_slices(1),
    "over_512_blocks_of_2": lambda: over_512_slices(2),
    "by_hand": by_hand,
    "nothing_on_demand": nothing_on_demand,
    "assumptions_of_the_scenario": lambda: in_scenario(two_clusters(), growth=-0.02, delta=0.05),
}

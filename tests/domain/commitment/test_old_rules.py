"""The rules of the first version stay reachable by their settings: its plans, frozen before the rules changed."""

import gzip
import json
import lzma
from dataclasses import replace
from pathlib import Path

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports.plan_layers import totals_entry
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables
from tests.domain.commitment.first_rules import old_rules
from tests.oracle.crafted import CRAFTED
from tests.oracle.projects import edge_case, random_case
from tests.some_of import some_of

FROZEN = Path(__file__).parent / "old_rules"
CENT_USD = 0.005

CASES = {
    **{
        f"crafted {name}": CRAFTED[name]
        for name in ("two_clusters", "own_rates", "lead_times", "max_gpus", "half_busy_ties", "recent_hours")
    },
    **{f"random {seed}": lambda seed=seed: random_case(seed, hours=170, horizon=12) for seed in range(12)},
    **{f"edge {seed}": lambda seed=seed: edge_case(seed) for seed in range(16)},
}


INFERENCE_ON_SPOT = ("random 6", "random 9", "edge 14")
"""Here the first version priced inference that stands in Training on spot: never any more, whatever is set."""


def document(advice):
    """Pools, idle existing, verdicts, totals and comparison, as the JSON of `plan` has them."""
    layer_fields = (
        "existing",
        "term_months",
        "offer_id",
        "gpus",
        "rate",
        "utilization",
        "cost_per_month",
        "spot_share",
    )
    return {
        "pools": [
            {
                "pool": str(row.pool),
                "gpu_model": row.gpu_model,
                "gpu_hours": row.demand.gpu_hours,
                "mean_gpus": row.demand.mean_gpus,
                "p95_gpus": row.demand.p95_gpus,
                "peak_gpus": row.demand.peak_gpus,
                "usd_per_month": row.cost_per_month,
                "break_even": [[one.term_months, one.offer_id, one.break_even] for one in row.break_even],
                "layers": [
                    [*(getattr(layer, name) for name in layer_fields), str(layer.pricing_category)]
                    for layer in row.layers
                ],
            }
            for row in advice.pools
        ],
        "idle_existing": [[row.gpu_model, row.gpus, row.cost_per_month] for row in advice.idle_existing],
        "contract_verdicts": [
            [row.contract_id, row.verdict, row.then_term_months, row.gpus, row.order_by_s]
            for row in advice.verdicts
        ],
        "totals": {name: value for name, value in totals_entry(advice.totals).items() if name in TOTALS},
        "comparison": [
            [row.month, row.start_s, row.do_nothing_usd, row.plan_usd] for row in advice.comparison
        ],
    }


TOTALS = (
    "current_usd_per_month", "do_nothing_usd_per_month", "plan_usd_per_month", "savings_usd_per_month",
    "savings_percent", "savings_vs_do_nothing_usd_per_month", "on_demand_equivalent_usd_per_month",
    "effective_savings_rate", "effective_utilization_now", "effective_utilization_plan",
    "unused_now_usd_per_month", "unused_plan_usd_per_month", "lock_in_now_months", "lock_in_months",
)  # fmt: skip


def of_case(name):
    """The plan of a made case under the old rules."""
    case = CASES[name]()
    case.assumptions = old_rules(case.assumptions)
    project = case.project
    return document(advise(project, case.scenario, case.pool_of_each, audit(project, case.classifications)))


def of_first_demo(folder):
    """The plan of the first version's demo (its inputs are kept as it wrote them) under the old rules."""
    for packed in sorted((FROZEN / "demo").glob("*.csv.xz")):
        (folder / packed.name.removesuffix(".xz")).write_bytes(lzma.decompress(packed.read_bytes()))
    names = ("jobs.csv", "contracts.csv", "prices.csv")
    project = read_inputs(*([str(folder / name)] for name in names)).project()
    project = replace(project, assumptions=old_rules(project.assumptions))
    return document(evaluate(project, project.scenarios[0].name, read_tables()).advice)


def plain(value):
    """As it comes back from JSON."""
    return json.loads(json.dumps(value))


def differences(got, expected, where=""):
    """Where two documents differ by more than half a cent, or a share of a millionth."""
    if isinstance(expected, dict):
        found = [f"{where}: {sorted(set(got) ^ set(expected))}"] if set(got) != set(expected) else []
        return found + [
            line
            for key in expected
            if key in got
            for line in differences(got[key], expected[key], f"{where}/{key}")
        ]
    if isinstance(expected, list):
        found = [f"{where}: {len(got)} for {len(expected)}"] if len(got) != len(expected) else []
        pairs = zip(got, expected, strict=False)
        return found + [
            line for place, pair in enumerate(pairs) for line in differences(*pair, f"{where}/{place}")
        ]
    if isinstance(expected, float | int) and isinstance(got, float | int) and not isinstance(expected, bool):
        return (
            []
            if abs(got - expected) <= max(CENT_USD if abs(expected) > 10 else 1e-6, 0)
            else [f"{where}: {got} for {expected}"]
        )
    return [] if got == expected else [f"{where}: {got!r} for {expected!r}"]


def _frozen():
    return json.loads(gzip.decompress((FROZEN / "plans.json.gz").read_bytes()))


def _frozen_names():
    return [name for name in _frozen() if name not in ("demo", *INFERENCE_ON_SPOT)]


@pytest.mark.parametrize("name", some_of(_frozen_names(), quick=8))
def test_made_cases_come_out_to_the_cent(name):
    assert differences(plain(of_case(name)), _frozen()[name]) == []


@pytest.mark.parametrize("name", INFERENCE_ON_SPOT)
def test_inference_that_was_on_spot_is_the_one_thing_no_setting_brings_back(name):
    case = CASES[name]()
    for key, found in case.classes.items():
        if found == "inference" and case.pools[key] == "training":
            case.classes[key] = Pool.TRAINING
    case.assumptions = old_rules(case.assumptions)
    project = case.project
    got = plain(
        document(advise(project, case.scenario, case.pool_of_each, audit(project, case.classifications)))
    )
    assert differences(got["pools"], _frozen()[name]["pools"]) == []


@pytest.mark.long
def test_the_first_demo_comes_out_to_the_cent(tmp_path):
    assert differences(plain(of_first_demo(tmp_path)), _frozen()["demo"]) == []

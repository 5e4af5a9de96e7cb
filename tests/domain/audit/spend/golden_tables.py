"""Spend of random and crafted worlds: rates on demand, overflow, contracts and workloads, as golden tables."""

from typing import Any, Final

import numpy as np

from gpuplanner.domain.audit.spend import (
    contract_inputs,
    lock_in,
    on_demand_rates,
    overflow,
    stranded,
    total_spend,
    workload_spend,
)
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.tables import Pool
from tests.domain.random_worlds import world
from tests.golden.tables import Table
from tests.shown import message_values, shown

FOLDER: Final = "tables_audit_spend"
WORLDS: Final = (
    "nothing_on_demand",
    "untyped_cluster",
    "two_clusters",
    "spot_mix",
    "edge 7",
    "edge 9",
    "edge 17",
    "random 6",
    "new 2",
    "new 8",
    "new 22",
    "new 30",
    "new 49",
    "edge 4 stated",
    "new 2 stated",
    "random 3 stated",
)


def part_text(part: Any) -> str:
    """Return what is known of a sum, and how many parts are not."""
    return (
        f"{shown(part.known)} of {part.parts}, missing {' '.join(map(message_values, part.missing)) or '-'}"
    )


def spend_text(name: str) -> str:
    """Return what a world pays on demand and for contracts, in the window. name: of the world."""
    project, pools, _ = world(name).on_board
    clusters = dispatch_window(project, pools)
    rates = on_demand_rates.eligible_rates(project, pools)
    lines = [f"stand in {shown(on_demand_rates.stand_in_models(project))}"]
    lines.append(f"lock-in {shown(lock_in.lock_in_now_months(project))}")
    models = sorted({model for hours in clusters for model in hours.models}, key=lambda model: model or "")
    for model in models:
        by_pool = (f"{pool} {shown(rates.on_demand(pool, model))}" for pool in Pool)
        steady = " ".join(offer.offer_id for offer in rates.steady(Pool.TRAINING, model))
        cheapest = shown(on_demand_rates.on_demand_rate_of_model(project.offers, model, project.mappings))
        lines.append(f"{model}: {cheapest} {' '.join(by_pool)} steady {steady}")
    half = slice(0, project.window.hours // 2)
    for hours in clusters:
        usd = (
            overflow.overflow_usd(hours, project),
            overflow.overflow_usd(hours, project, half),
            overflow.overflow_at_eligible_rates(hours, rates),
        )
        by_hour = overflow.overflow_by_hour(hours, rates)
        lines.append(f"{hours.cluster} overflow {shown(usd)} by hour {shown(by_hour)}")
        lines += (
            f"  {model} {shown(float(lost.sum()))} at {shown(rate)}"
            for model, lost, rate in overflow.priced_overflow(hours, rates)
        )
        early = np.arange(project.window.hours) < 200
        lines.append(
            f"  amounts {shown(contract_inputs.contract_amounts(hours, early, project.window.months))}"
        )
    lines += (f"dollars {shown(inputs)[:300]}" for inputs in contract_inputs.dollar_inputs(project, clusters))
    lines.append(f"by hour {shown(total_spend.eligible_usd_by_hour(clusters, rates))}")
    for unmatched in ([], [hours.cluster for hours in clusters[:1]]):
        parts = total_spend.current_parts(project, clusters, rates, None, unmatched)
        lines.append(f"parts {part_text(parts)}")
    lines.append(f"workloads {shown(workload_spend.workload_usd_per_month(project, clusters))}")
    lines.append(f"per unit {shown(workload_spend.usd_per_unit(project, clusters))}")
    lines.append(f"  served {shown(workload_spend.served_usd_per_unit(clusters))}")
    lines.append(f"  over {shown(workload_spend.overflow_usd_per_unit(project, clusters))}")
    return "\n".join(lines)


READINGS: Final = (None, 0.0, 0.4, 0.5, 100.0, 100.4, 100.6, 250.0)


def readings_text(_: str) -> str:
    """Return what is said of two readings of the same cost beside what is idle."""
    lines = []
    for metered in READINGS:
        for audit in READINGS:
            said = (stranded.why_readings_differ(metered, audit, idle) for idle in (None, 0.0, 100.4))
            words = (f"<{message_values(text)}>" if text else "-" for text in said)
            lines.append(f"{shown(metered)} {shown(audit)}: {' '.join(words)}")
    return "\n".join(lines)


TABLES: Final = {
    "spend.txt": Table(text_of=spend_text, cases=WORLDS),
    "readings.txt": Table(text_of=readings_text, cases=("readings",)),
}

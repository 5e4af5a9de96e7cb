"""All unit costs of an audit: runs, models, endpoints and experiments."""

import numpy as np

from gpuplanner.domain.audit import cost_result, use_leaks
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.spend.workload_spend import usd_per_unit
from gpuplanner.domain.audit.unit_costs.cost_lists import most_expensive_first
from gpuplanner.domain.audit.unit_costs.costed_hours import costed_hours
from gpuplanner.domain.audit.unit_costs.endpoint_costs import endpoint_costs
from gpuplanner.domain.audit.unit_costs.experiment_costs import experiment_costs
from gpuplanner.domain.audit.unit_costs.model_costs import model_costs
from gpuplanner.domain.audit.unit_costs.run_costs import runs_of
from gpuplanner.domain.audit.utilization.demand_groups import group_of_row
from gpuplanner.domain.model.tables import Pool


def unit_costs(past: Past) -> cost_result.UnitCosts:
    """All unit costs. Laws: a workload's runs add up to it, and it to its class; models add up to all workloads.

    Source: docs/formulas/unit-costs.md.
    """
    project = past.project
    pools = [classification.pool for classification in past.classifications]
    worth, of_row = usd_per_unit(project, past.clusters), group_of_row(project, past.clusters)
    runs = runs_of(past, worth)
    endpoints: list[cost_result.EndpointCost] = []
    serves = np.array([pool is Pool.INFERENCE for pool in pools], dtype=np.bool_)
    premiums = use_leaks.premium_costs(past)
    for block in costed_hours(project.cube, of_row, worth, serves):
        endpoints += endpoint_costs(project, block, premiums)
    return cost_result.UnitCosts(
        run_gap_hours=project.assumptions.run_gap_hours,
        runs=most_expensive_first(runs, lambda run: (run.cost, f"{run.key} {run.start_s:012}")),
        models=model_costs(project, past.workload_usd_per_month),
        endpoints=most_expensive_first(endpoints, lambda endpoint: (endpoint.cost_per_month, endpoint.key)),
        experiments=experiment_costs(project, past.classifications, past.workload_usd_per_month),
        premium=use_leaks.premium_of(past),
    )

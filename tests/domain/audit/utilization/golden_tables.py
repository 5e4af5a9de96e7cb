"""Clusters of random and crafted worlds by the hour: what contracts serve, what is contended, as golden tables."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from gpuplanner.domain.audit.utilization import (
    contracts_apart,
    demand_groups,
    dispatch,
    paid_contracts,
    row_sums,
)
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.contention import Contention, contention_by_cluster
from tests.domain.random_worlds import world
from tests.golden.tables import Table
from tests.shown import shown

FOLDER: Final = "tables_audit_utilization"
WORLDS: Final = (
    "untyped_cluster",
    "two_clusters",
    "edge 2",
    "edge 7",
    "edge 12",
    "edge 17",
    "random 6",
    "new 2",
    "new 22",
    "new 30",
    "new 49",
    "edge 4 stated",
    "random 3 stated",
)
MILLI: Final = 3_600_000


PAID_AND_HELD: Final = {"paid": paid_contracts.paid_contracts, "held": paid_contracts.held_contracts}


def hourly(amounts: Any) -> str:
    """Return GPU-hours in all, in the first third, and in the fullest hour; of several rows each."""
    rows = np.atleast_2d(np.asarray(amounts, dtype=np.float64)) / MILLI
    parts = (f"{row.sum():.8g} {row[: len(row) // 3].sum():.8g} {row.max(initial=0):.8g}" for row in rows)
    return "; ".join(parts)


def cluster_lines(hours: ClusterHours, found: Contention) -> Iterator[str]:
    """Yield what one cluster holds and serves, by contract, pool and model."""
    yield f"{hours.cluster} models {shown(hours.models)} counted {shown(hours.counted)} unknown {hours.is_use_unknown}"
    for place, contract in enumerate(hours.contracts):
        yield f"  {contract.contract_id}: {hourly(hours.capacity[place])} served {hourly(hours.served[place])}"
    for place, model in enumerate(hours.models):
        yield f"  {model}: demand {hourly(hours.demand[place])} open to {shown(hours.open_to(model))}"
        yield f"    served {hourly(hours.served_demand[place])} over {hourly(hours.overflow[place])}"
        yield f"    contended {hourly(hours.contended[place])}"
    yield f"  by model {hourly(dispatch.served_by_model(hours))} trains {int(hours.training_hours.sum())}"
    shares = dispatch.shares_of_contracts(hours)
    yield f"  shares {shown({model: float(share.sum()) for model, share in shares.items()})}"
    for places, served in dispatch.served_of_models(hours):
        yield f"  of models {shown(places)} {hourly(served)}"
    yield (
        f"  contention {found.contention_hours} {found.beside_inference_hours} {shown(found.overflow_gpu_hours)} "
        f"{shown(found.shared_training)}"
    )


def clusters_text(name: str) -> str:
    """Return the clusters of a world. name: of the world."""
    project, pools, _ = world(name).on_board
    clusters = dispatch.dispatch_window(project, pools)
    contended = contention_by_cluster(project, pools, clusters)
    lines = [line for hours in clusters for line in cluster_lines(hours, contended[hours.cluster])]
    for title, contracts_of in PAID_AND_HELD.items():
        lines.append(f"{title} {' '.join(contract.contract_id for contract in contracts_of(project))}")
    apart = contracts_apart.contracts_apart(project.contracts, project.window)
    lines.append(f"apart {shown(apart)} ran {contracts_apart.any_ran(project.contracts, project.window)}")
    group, share = demand_groups.group_of_row(project, clusters), demand_groups.served_share(clusters)
    sums = row_sums.weighted_row_sums(project.cube, group, np.stack((share, np.ones_like(share))))
    lines.append(f"groups {shown(group)} served {shown(sums / MILLI)}")
    of_each = row_sums.weighted_sums(project.cube, group, share, len(project.workloads))
    lines.append(f"workloads {shown(of_each / MILLI)}")
    return "\n".join(lines)


TABLES: Final = {"clusters.txt": Table(text_of=clusters_text, cases=WORLDS)}

"""Contracts in hours: seconds that they run, and the demand that they serve, cheapest first."""

import numpy as np
import pytest

from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours, part_of
from gpuplanner.domain.audit.utilization.demand_groups import per_unit_of_demand, served_share
from gpuplanner.domain.audit.utilization.dispatch import (
    dispatch,
    dispatch_window,
    run_seconds_by_hour,
    served_by_model,
    shares_of_contracts,
)
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from tests.domain.audit.conftest import GPU_HOUR, START_S, make_contract, make_project, make_workload

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST


@pytest.mark.parametrize(
    ("start_s", "end_s", "seconds"),
    [
        (-9, None, [3600, 3600, 3600]),
        (600, None, [3000, 3600, 3600]),
        (3600, 7200, [0, 3600, 0]),
        (3000, 3900, [600, 300, 0]),
        (4000, 4100, [0, 100, 0]),
        (-9, 0, [0, 0, 0]),
        (10_800, None, [0, 0, 0]),
        (0, 20_000, [3600, 3600, 3600]),
    ],
)
def test_a_contract_runs_for_seconds_of_each_hour(
    start_s: int, end_s: int | None, seconds: list[int]
) -> None:
    contract = make_contract(
        "k", 1, "2", start_s=START_S + start_s, end_s=None if end_s is None else START_S + end_s
    )
    assert run_seconds_by_hour(contract, Window(START_S, 3)).tolist() == seconds


def test_demand_is_served_by_the_first_tier_that_has_room() -> None:
    demand, capacity = np.array([7, 3, 0, 1]), np.array([[4, 4, 4, 0], [2, 2, 2, 2]])
    assert dispatch(demand, capacity).tolist() == [[4, 3, 0, 0], [2, 0, 0, 1]]
    with pytest.raises(ValueError, match="dispatch"):
        dispatch(demand[:3], capacity)
    assert part_of(np.array([1, 3, 2]), np.array([4, 0, 2])).tolist() == [0.25, 0.0, 1.0]


def mixed() -> tuple[ClusterHours, ...]:
    """Two hours: 3 H100 of 2 and 1 of those; 1 A100 of 2 and none; and of unknown model 2 in each."""
    works = [make_workload("a"), make_workload("b"), make_workload("c")]
    entries = [
        (0, 0, 0, 3 * GPU_HOUR),
        (0, 0, 1, 1 * GPU_HOUR),
        (1, 1, 0, 1 * GPU_HOUR),
        (2, -1, 0, 2 * GPU_HOUR),
        (2, -1, 1, 2 * GPU_HOUR),
    ]
    contracts = [make_contract("h", 2, "2"), make_contract("a", 2, "1", gpu_model="A100")]
    return dispatch_window(make_project(2, works, entries, contracts), [TRAINING, INFERENCE, BURST])


def test_unknown_models_take_what_the_others_leave() -> None:
    """A100 first, which is cheaper: it has 1 left in the first hour and 2 in the second."""
    (hours,) = mixed()
    assert [contract.contract_id for contract in hours.contracts] == ["a", "h"]
    by_model = dict(zip(hours.models, (served_by_model(hours) / GPU_HOUR).tolist(), strict=True))
    assert by_model == {"H100": [[0, 0], [2, 1]], "A100": [[1, 0], [0, 0]], None: [[1, 2], [0, 0]]}
    shares = {model: share.tolist() for model, share in shares_of_contracts(hours).items()}
    assert shares["H100"] == [[0, 0], [pytest.approx(2 / 3), 1]]
    assert shares["A100"] == [[1, 0], [0, 0]]
    assert shares[None] == [[0.5, 1], [0, 0]]
    order = [hours.models.index(model) for model in ("H100", "A100", None)]
    assert served_share([hours])[order].tolist() == [[pytest.approx(2 / 3), 1], [1, 0], [0.5, 1]]
    assert (hours.overflow[order] / GPU_HOUR).tolist() == [[1, 0], [0, 0], [1, 0]]
    assert per_unit_of_demand([], lambda cluster: cluster.served).shape == (0, 0)

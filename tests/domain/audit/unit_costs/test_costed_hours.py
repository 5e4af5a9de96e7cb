"""Hours of a workload on several GPU models run side by side."""

import numpy as np

from gpuplanner.domain.audit.unit_costs.costed_hours import costed_hours
from tests.domain.audit.conftest import GPU_HOUR, make_project, make_workload


def entries(workload, spans, gpus=1, model=0):
    return [
        (workload, model, hour, int(gpus * GPU_HOUR)) for first, last in spans for hour in range(first, last)
    ]


def test_costed_hours_of_several_models_run_side_by_side() -> None:
    """a ran on two models in hours 0 to 2, b on one, and between them is one that is not chosen."""
    works = [make_workload(name) for name in ("a", "x", "b")]
    entries = [(0, 0, 0, 10), (0, 0, 2, 30), (0, 1, 0, 5), (0, 1, 1, 20), (1, 0, 0, 99), (2, 0, 1, 40)]
    cube = make_project(3, works, entries).cube
    worth = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    groups = np.array([0, 1, 0, 1])
    (block,) = costed_hours(cube, groups, worth, np.array([True, False, True]))
    assert block.workload.tolist() == [0, 2] and block.starts.tolist() == [0, 4]
    assert block.hour.tolist() == [0, 0, 1, 2, 1]
    assert block.milli_gpu_seconds.tolist() == [10, 5, 20, 30, 40]
    assert block.value.tolist() == [10.0, 20.0, 100.0, 90.0, 200.0]
    (alone,) = costed_hours(cube, groups, worth, np.array([False, False, True]))
    assert (alone.workload.tolist(), alone.value.tolist()) == ([2], [200.0])

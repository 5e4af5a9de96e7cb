"""What was loaded, taken into a project: a day of plans stays until the log has come up to it."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.edits import inputs
from gpuplanner.domain.model.book.contract import UNDATED_S
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.intake import JobFacts
from gpuplanner.domain.model.window import HOUR_S, Window
from tests.domain.commitment.conftest import contract
from tests.domain.edits.small_inputs import OF


@pytest.mark.parametrize(("from_h", "is_kept"), [(99, False), (100, False), (101, True)])
def test_a_day_of_plans_stays_until_the_log_has_come_up_to_it(from_h: int, *, is_kept: bool) -> None:
    cube = cube_from_entries(
        100, ("h100",), np.array([0]), np.array([0]), np.array([0]), np.array([HOUR_S * 1000])
    )
    work = Workload(key="solo/team/x", name="x", cluster="solo", owner="team")
    undated = replace(contract("K9", 4, 2.0, None, 730), cluster="", start_s=UNDATED_S)
    of = replace(OF, plan_from_s=from_h * HOUR_S, contracts=(undated,))
    jobs = inputs.LoadedJobs(Window(0, 100), cube, (work,), JobFacts())
    after = inputs.import_inputs(of, jobs=jobs)
    assert after.plan_from_s == (from_h * HOUR_S if is_kept else None)
    # the model is spelled as the contracts spell it, the capacity stands on the log's only cluster
    assert after.cube.gpu_models == ("H100",) and after.contracts[0].cluster == "solo"
    (loaded,) = inputs.import_inputs(OF, contracts=(undated,)).contracts
    assert loaded.start_s == OF.window.start_s

"""What was loaded, taken into a project: a day of plans stays until the log has come up to it."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits import inputs
from gpuplanner.domain.model.book.contract import UNDATED_S, Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries, empty_cube
from gpuplanner.domain.model.intake import FileIntake, JobFacts
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, Window
from tests.domain.commitment.conftest import contract
from tests.domain.edits.loaded_project import KEYS, loaded
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


def test_an_import_keeps_labels_moves_and_plans_of_workloads_that_vanished() -> None:
    before = edits.workloads.label_workloads(
        edits.workloads.move_workloads(loaded(), "Plan A", KEYS, Pool.BURST), KEYS, Pool.TRAINING
    )
    before = edits.needs.set_need(before, KEYS, "bare_metal", False)
    before = edits.cards.set_note(before, KEYS[0], "ends in March")
    before = edits.cards.split_workload(before, "Plan B", KEYS[0], ShareSplit(300))
    jobs = edits.inputs.LoadedJobs(Window(3600, 48), empty_cube(48), (), JobFacts(count=3))
    after = edits.inputs.import_inputs(before, jobs=jobs)
    assert (after.window, after.jobs.count, after.workloads) == (Window(3600, 48), 3, ())
    assert after.labels == before.labels
    assert after.needs == before.needs
    assert set(after.needs) == set(KEYS)
    assert after.notes == {KEYS[0]: "ends in March"}
    assert after.scenarios is before.scenarios
    assert after.contracts == before.contracts


def test_one_spelling_of_a_gpu_model_throughout() -> None:
    contracts = [
        Contract(
            contract_id="k2",
            cluster="c",
            gpu_model="h100",
            milli_gpus=1,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        ),
        Contract(
            contract_id="k3",
            cluster="c",
            gpu_model="l40s",
            milli_gpus=1,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        ),
    ]
    offers = [
        Offer(
            offer_id="o9",
            gpu_model="L40S",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=None,
        )
    ]
    project = edits.inputs.import_inputs(loaded(), contracts=contracts, offers=offers, adding=True)
    assert [row.gpu_model for row in project.contracts] == ["H100", "H100", "l40s"]
    assert [row.gpu_model for row in project.offers] == ["H100", "l40s"]
    none = np.zeros(0, np.int64)
    cube = replace(empty_cube(24), gpu_models=("L40s", "h100"), workload_index=none)
    assert edits.inputs.import_inputs(
        project, jobs=edits.inputs.LoadedJobs(Window(0, 24), cube, (), JobFacts())
    ).cube.gpu_models == ("l40s", "H100")


def file(kind: str, path: str) -> FileIntake:
    return FileIntake(
        path=path,
        kind=kind,
        format="",
        rows_read=1,
        rows_accepted=1,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
    )


def test_the_intake_lists_what_is_in_force() -> None:
    first = [file("jobs", "a.csv"), file("contracts", "k.csv"), file("prices", "p.csv")]
    project = edits.inputs.import_inputs(loaded(), intake=first)
    jobs = edits.inputs.LoadedJobs(Window(0, 24), empty_cube(24), (), JobFacts())
    project = edits.inputs.import_inputs(project, jobs=jobs, intake=[file("jobs", "b.csv")])
    assert [row.path for row in project.intake] == ["k.csv", "p.csv", "b.csv"]
    project = edits.inputs.import_inputs(project, offers=(), intake=[file("prices", "q.csv")], adding=True)
    assert [row.path for row in project.intake] == ["k.csv", "p.csv", "b.csv", "q.csv"]

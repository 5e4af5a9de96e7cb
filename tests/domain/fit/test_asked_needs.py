"""Needs that are asked for: those of the workloads of the row and of nobody else."""

from dataclasses import replace

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.fit.asked_needs import NOTHING_ASKED, AskedNeeds, AskedOf, asked_needs
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.log.cube import cube_from_entries
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.needs import NeedsSet
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window

TRAINED, SERVED = (Pool.TRAINING, "H100"), (Pool.INFERENCE, "H100")


def users(*of: tuple[Pool, str], gpu_time: tuple[float, ...]) -> dict[AskedOf, Floats]:
    return {row: np.array(gpu_time) for row in of}


def project_of(nodes: list[int | None], memory_gb: float | None = 80.0, **needs: NeedsSet) -> Project:
    """A workload w0, w1 ... on H100 for each of these most nodes, and one offer of H100."""
    entries = np.array([(place, 0, 0, 3_600_000) for place in range(len(nodes))], dtype=np.int64).T
    workloads = tuple(
        Workload(f"w{place}", f"w{place}", "c", "t", 1, 1, 3_600_000, max_nodes=most)
        for place, most in enumerate(nodes)
    )
    offer = Offer("o", "H100", PricingCategory.COMMITTED, 12, None, gpu_memory_gb=memory_gb)
    return Project(
        Window(0, 1), cube_from_entries(1, ("H100",), *entries), workloads, offers=(offer,), needs=needs
    )


def test_a_network_is_asked_for_where_a_training_job_has_several_nodes_and_nowhere_else() -> None:
    project = project_of([4, 1, 4])
    seen = users(TRAINED, gpu_time=(1.0, 1.0, 0.0)) | users(SERVED, gpu_time=(0.0, 0.0, 1.0))
    found = asked_needs(project, seen, (TRAINED, SERVED))
    assert found == {TRAINED: AskedNeeds("infiniband", True, 80.0), SERVED: NOTHING_ASKED}
    single = asked_needs(project_of([1, None]), users(TRAINED, gpu_time=(1.0, 1.0)), (TRAINED,))
    assert single == {TRAINED: AskedNeeds(memory_gb=80.0)}
    bursts = (Pool.BURST, "H100")
    assert asked_needs(project_of([4]), users(bursts, gpu_time=(1.0,)), (bursts,)) == {bursts: NOTHING_ASKED}


def test_what_the_planner_says_counts() -> None:
    needs = NeedsSet(memory_gb_per_gpu=141.0, interconnect="roce_400", bare_metal=False)
    found = asked_needs(project_of([4], w0=needs), users(TRAINED, gpu_time=(1.0,)), (TRAINED,))
    assert found == {TRAINED: AskedNeeds("roce_400", False, 141.0)}
    on_one = asked_needs(
        project_of([1], w0=replace(needs, nodes=1)), users(TRAINED, gpu_time=(1.0,)), (TRAINED,)
    )
    assert on_one == {TRAINED: AskedNeeds(memory_gb=141.0)}


def test_no_more_memory_is_asked_for_than_the_model_is_sold_with() -> None:
    assert asked_needs(project_of([1], 40.0), users(TRAINED, gpu_time=(1.0,)), (TRAINED,)) == {
        TRAINED: NOTHING_ASKED
    }


def test_rows_without_workloads_ask_for_nothing_and_others_are_left_out() -> None:
    missing = (Pool.TRAINING, "A100")
    assert asked_needs(project_of([4]), users(TRAINED, gpu_time=(1.0,)), (missing,)) == {
        missing: NOTHING_ASKED
    }


def test_of_each_need_the_greater() -> None:
    one, other = AskedNeeds("roce_400", False, 80.0), AskedNeeds("infiniband", True, None)
    assert one.beside(other) == other.beside(one) == AskedNeeds("infiniband", True, 80.0)

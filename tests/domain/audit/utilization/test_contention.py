"""Contended hours: counted where a model's own GPUs were too few, and the training that inference met."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.utilization.contention import contended_gpu_hours, contention_by_cluster
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from tests.domain.audit.conftest import GPU_HOUR, make_contract, make_project, make_workload

# there

CONTENTION_HOURS = 12
TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
same_world = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)
LLM, CHAT = (4, 4, 0, 3, 5, 2), (0, 1, 5, 1, 0, 2.5)


# --- Contended hours: counted where a model's own GPUs were too few, and the training that inference met


@pytest.mark.long
@same_world
@given(
    rows=st.lists(
        st.tuples(
            st.integers(0, 3), st.just(0), st.integers(0, CONTENTION_HOURS - 1), st.integers(1, 4 * GPU_HOUR)
        ),
        max_size=30,
    ),
    milli_gpus=st.integers(1, 6000),
    pools=st.tuples(*[st.sampled_from(POOLS)] * 4),
)
def test_with_one_model_an_hour_is_contended_where_demand_is_above_capacity(world, rows, milli_gpus, pools):
    project = world.project(
        CONTENTION_HOURS,
        [world.workload(f"w{n}") for n in range(4)],
        rows,
        [world.contract("k", milli_gpus / 1000, "1")],
    )
    (hours,) = dispatch_window(project, pools)
    found = audit(project, world.classified(*pools)).contention["atlas"]
    demand, capacity = hours.demand.sum(axis=(0, 1)), hours.capacity.sum(axis=0)
    assert (found.hours == (demand > capacity)).all()
    assert found.overflow_gpu_hours == pytest.approx(np.maximum(demand - capacity, 0).sum() / GPU_HOUR)
    assert not (found.beside_inference & ~found.hours).any()
    training_there = {
        f"atlas/team/w{place}"
        for place, _, hour, _ in rows
        if pools[place] is TRAINING and found.beside_inference[hour]
    }
    assert set(found.shared_training) == training_there
    assert len(found.shared_training) == len(training_there)


def test_the_training_that_met_inference_is_named_once(world):
    workloads = [world.workload(name) for name in ("llm", "other", "chat")]
    rows = [
        (0, 0, 0, 3 * GPU_HOUR),
        (0, 1, 0, 1 * GPU_HOUR),
        (2, 0, 0, 2 * GPU_HOUR),
        (1, 0, 1, 9 * GPU_HOUR),  # too many, but alone
    ]
    held = [world.contract("k", 4, "1"), world.contract("a", 1, "1", gpu_model="A100")]
    answer = audit(world.project(3, workloads, rows, held), world.classified(TRAINING, TRAINING, INFERENCE))
    found = answer.contention["atlas"]
    assert found.hours.tolist() == [True, True, False]
    assert (found.contention_hours, found.beside_inference_hours) == (2, 1)
    assert found.overflow_gpu_hours == pytest.approx(1 + 5)
    assert found.shared_training == ("atlas/team/llm",)


def test_a_model_without_any_gpus_overflows_and_is_not_contended_for(world):
    rows = [(0, 1, 0, 3 * GPU_HOUR)]
    answer = audit(
        world.project(1, [world.workload("a")], rows, [world.contract("k", 4, "1")]), world.classified(BURST)
    )
    assert answer.contention["atlas"].contention_hours == 0
    assert answer.contention["atlas"].overflow_gpu_hours == 0
    assert answer.clusters[0].overflow_gpu_hours == 3


def test_the_leak_counts_the_same_gpu_hours(world):
    rows = [(0, 0, 0, 6 * GPU_HOUR), (1, 0, 0, 3 * GPU_HOUR), (1, -1, 1, 5 * GPU_HOUR)]
    project = world.project(
        2, [world.workload("a"), world.workload("b")], rows, [world.contract("k", 4, "1")]
    )
    answer = audit(project, world.classified(TRAINING, INFERENCE))
    (leak,) = [leak for leak in answer.leaks if leak.code == "contention"]
    assert answer.contention["atlas"].overflow_gpu_hours == pytest.approx(leak.gpu_hours)


# --- Contention


def contended() -> tuple[Project, list[Pool]]:
    """The cluster of the module's text; and training of which atlas has no GPU, which is far away, or which is alone.

    `free` ran 3 A100 in hour 1, which atlas lacks, `away` 1 H100 in hour 1 on bora, `early` 1 B200 in hour 0, and of
    a burst 2 A100 ran in hour 5.
    """
    works = [make_workload(name) for name in ("free", "llm", "chat", "early", "burst")]
    works.append(make_workload("away", "bora"))
    entries = [
        *((1, 0, hour, round(gpus * GPU_HOUR)) for hour, gpus in enumerate(LLM)),
        *((2, 0, hour, round(gpus * GPU_HOUR)) for hour, gpus in enumerate(CHAT)),
        (0, 1, 1, 3 * GPU_HOUR),
        (3, 2, 0, 1 * GPU_HOUR),
        (4, 1, 5, 2 * GPU_HOUR),
        (5, 0, 1, 1 * GPU_HOUR),
    ]
    contracts = [make_contract("k", 4, "2"), make_contract("b", 1, "2", cluster="bora")]
    project = make_project(6, works, entries, contracts, models=("H100", "A100", "B200"))
    return project, [TRAINING, TRAINING, INFERENCE, TRAINING, BURST, TRAINING]


def test_training_that_ran_in_contended_hours_beside_inference() -> None:
    project, classes = contended()
    contention = contention_by_cluster(project, classes, dispatch_window(project, classes))
    atlas, bora = contention["atlas"], contention["bora"]
    assert atlas.hours.tolist() == [False, True, True, False, True, True]
    assert atlas.beside_inference.tolist() == [False, True, False, False, False, True]
    assert (atlas.contention_hours, atlas.beside_inference_hours) == (4, 2)
    assert atlas.overflow_gpu_hours == pytest.approx(3.5)
    assert atlas.shared_training == ("atlas/team/free", "atlas/team/llm")
    assert (bora.contention_hours, bora.overflow_gpu_hours, bora.shared_training) == (0, 0.0, ())
    assert contended_gpu_hours(project, classes, contention) == (3.0, 6.0, 0.0, 0.0, 0.0, 0.0)
    assert contended_gpu_hours(project, classes, {"bora": bora}) == (0.0,) * 6
    assert contended_gpu_hours(project, classes, {}) == (0.0,) * 6


def test_training_of_two_models_counts_with_both_and_is_named_once() -> None:
    """8 H100 and 2 A100 in the one hour, beside 1 H100 that serves, where 4 H100 are held."""
    entries = [(0, 0, 0, 8 * GPU_HOUR), (0, 1, 0, 2 * GPU_HOUR), (1, 0, 0, GPU_HOUR)]
    works = [make_workload("llm"), make_workload("chat")]
    project = make_project(1, works, entries, [make_contract("k", 4, "2")])
    classes = [TRAINING, INFERENCE]
    contention = contention_by_cluster(project, classes, dispatch_window(project, classes))
    assert contention["atlas"].shared_training == ("atlas/team/llm",)
    assert contended_gpu_hours(project, classes, contention) == (10.0, 0.0)

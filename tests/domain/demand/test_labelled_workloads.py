"""The labelled workloads and the made ones: the share of GPU-hours that is right stays above a floor."""

import pytest

from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from tests.benchmarks.bench_classes import judged, right_share
from tests.benchmarks.labelled_traces import labelled_traces, part_of, second_set
from tests.benchmarks.made_traces import FAMILIES
from tests.benchmarks.traces import imported
from tests.some_of import one_in

RIGHT_OF_TUNED_ON = 0.98
RIGHT_OF_PART_A = 0.975
RIGHT_WHERE_SURE = 0.98
RIGHT_OF_MADE = 0.965


def test_the_part_that_rules_are_tuned_on_stays_right() -> None:
    some = judged(labelled_traces(held_out=False))
    assert len(some) == 272
    assert right_share(some)[0] >= RIGHT_OF_TUNED_ON
    assert right_share([one for one in some if not one.is_in_review])[0] >= RIGHT_WHERE_SURE
    assert sum(one.is_in_review for one in some) <= len(some) / 10


def test_part_a_of_the_second_set_stays_right() -> None:
    some = judged(second_set("A"))
    assert len(some) == 139
    assert right_share(some)[0] >= RIGHT_OF_PART_A
    assert right_share([one for one in some if not one.is_in_review])[0] >= RIGHT_WHERE_SURE
    assert sum(one.is_in_review for one in some) <= len(some) / 10


def test_the_parts_of_the_second_set_are_all_of_it_and_share_nothing() -> None:
    both = [{trace.case for trace in second_set(part)} for part in ("A", "B")]
    assert both[0] | both[1] == {trace.case for trace in second_set()}
    assert (len(both[0]), len(both[1])) == (139, 161)
    assert not both[0] & both[1]
    assert part_of("u001") == "A"


@pytest.mark.parametrize("title", one_in(4, FAMILIES))
def test_names_that_say_nothing_are_told_by_shape(title: str) -> None:
    some = judged(FAMILIES[title]())
    assert right_share(some)[0] >= RIGHT_OF_MADE
    assert right_share([one for one in some if not one.is_in_review])[0] >= RIGHT_WHERE_SURE


def test_traces_keep_the_gpu_time_of_their_jobs_and_are_the_same_every_time() -> None:
    traces = FAMILIES["names that say nothing"]()[:80]
    workloads, cube = imported(traces)
    for trace, workload in zip(traces, workloads, strict=True):
        inside = (trace.start + trace.length).clip(0, cube.hours) - trace.start.clip(0, cube.hours)
        assert workload.gpu_hours == pytest.approx(inside.sum() * trace.gpus, rel=1e-5)
    assert cube.total == sum(one.milli_gpu_seconds for one in workloads)
    assert cube.total / MILLI_GPU_SECONDS_PER_GPU_HOUR > 0
    again = imported(FAMILIES["names that say nothing"]()[:80])
    assert again[0] == workloads
    assert again[1].milli_gpu_seconds.tobytes() == cube.milli_gpu_seconds.tobytes()

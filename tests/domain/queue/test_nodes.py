"""Whole machines: a job lies on so many of them, the same as a plain walk; fragments hold gangs up."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.queue.parts import NOBODY
from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.sets import GpuSet, QueuedJob

GPU = 1000


def laid(free: Sequence[int], job: QueuedJob) -> list[tuple[int, int]] | None:
    """Each piece on the fullest machine that holds it, then the lowest."""
    left, found = list(free), []
    for piece in job.pieces:
        able = [(milli, node) for node, milli in enumerate(left) if milli >= piece]
        if not able:
            return None
        node = min(able)[1]
        found.append((node, piece))
        left[node] = -1
    return found


def plain(jobs: Sequence[QueuedJob], sizes: Sequence[int]) -> list[int]:
    """The rules word by word on machines of these sizes, which stay."""
    runs: dict[int, tuple[int, list[tuple[int, int]]]] = {}

    def free(at_s: int, now: int, *, as_planned: bool) -> list[int]:
        left = list(sizes)
        for at, (start, where) in runs.items():
            length = jobs[at].planned_s if as_planned else jobs[at].length_s
            if start + jobs[at].length_s > now and start + length > at_s:
                for node, milli in where:
                    left[node] -= milli
        return left

    times = {job.eligible_s for job in jobs}
    while times:
        now = min(times)
        times.discard(now)
        head: tuple[int, QueuedJob] | None = None
        for at, job in enumerate(jobs):
            if at in runs or job.eligible_s > now:
                continue
            where = laid(free(now, now, as_planned=False), job)
            if where is not None and head is not None and now + job.planned_s > head[0]:
                left = free(head[0], now, as_planned=True)
                for node, milli in where:
                    left[node] -= milli
                if laid(left, head[1]) is None:
                    where = None
            if where is not None:
                runs[at] = (now, where)
                times.add(now + job.length_s)
            elif head is None:
                ends = sorted(start + jobs[other].planned_s for other, (start, _) in runs.items())
                for at_s in ends:
                    if at_s > now and laid(free(at_s, now, as_planned=True), job) is not None:
                        head = (at_s, job)
                        break
    return [runs[at][0] if at in runs else NOBODY for at in range(len(jobs))]


@st.composite
def queues(draw: st.DrawFn) -> tuple[list[QueuedJob], int, int]:
    """A few jobs on up to four machines of up to eight GPUs, the last of which may be smaller."""
    node, size = draw(st.sampled_from([1, 2, 4, 8])), draw(st.integers(1, 16))
    jobs = []
    for _ in range(draw(st.integers(1, 10))):
        length, nodes = draw(st.integers(1, 9)), draw(st.integers(1, 3))
        jobs.append(
            QueuedJob(
                draw(st.integers(0, 1)),
                draw(st.integers(0, 12)),
                length,
                length + draw(st.sampled_from([0, 0, 3, 8])),
                draw(st.integers(1, 8)) * GPU // 2,
                (0,),
                nodes=nodes,
            )
        )
    return sorted(jobs, key=lambda job: (job.pool, job.eligible_s)), node, size


@given(queues())
def test_it_is_the_plain_walk(queue: tuple[list[QueuedJob], int, int]) -> None:
    jobs, node, size = queue
    sizes = [min(node, size - at) * GPU for at in range(0, size, node)]
    found = replay(jobs, [GpuSet(((0, size * GPU),), node * GPU)])
    assert found.start_s == plain(jobs, sizes)


def test_a_gang_waits_for_a_whole_machine_while_as_many_gpus_are_free_on_two() -> None:
    small = [QueuedJob(0, 0, 100, 100, 5 * GPU, (0,)) for _ in range(2)]
    gang = QueuedJob(0, 1, 10, 10, 6 * GPU, (0,))
    assert replay([*small, gang], [GpuSet(((0, 16 * GPU),), 8 * GPU)]).start_s[2] == 100
    assert replay([*small, gang], [GpuSet(((0, 16 * GPU),))]).start_s[2] == 1


def test_machines_that_go_take_no_job_that_would_outlast_them() -> None:
    jobs = [QueuedJob(0, 0, 20, 20, 8 * GPU, (0,)) for _ in range(2)]
    found = replay(jobs, [GpuSet(((0, 16 * GPU), (10, 8 * GPU)), 8 * GPU)])
    assert found.start_s == [0, 20]


@pytest.mark.parametrize("seed", [130, 1043, 1130, *range(40)])
def test_a_crowded_queue_is_the_plain_walk(seed: int) -> None:
    """The first three: who was passed over is laid elsewhere once a machine is filled, behind or an instant later."""
    draw = Random(seed)
    node, size = draw.choice([2, 4, 8]), draw.choice([8, 12, 16])
    jobs = []
    for _ in range(draw.randint(6, 14)):
        length = draw.randint(1, 9)
        pool, eligible_s = draw.randint(0, 1), draw.randint(0, 12)
        planned_s, gpus = length + draw.choice([0, 0, 3, 8]), draw.choice([1, 2, 4, 8])
        nodes = draw.choice([1, 1, 1, 2])
        jobs.append(QueuedJob(pool, eligible_s, length, planned_s, gpus * GPU, (0,), nodes=nodes))
    jobs.sort(key=lambda job: (job.pool, job.eligible_s))
    sizes = [min(node, size - at) * GPU for at in range(0, size, node)]
    found = replay(jobs, [GpuSet(((0, size * GPU),), node * GPU)])
    assert found.start_s == plain(jobs, sizes)

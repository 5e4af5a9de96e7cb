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


def plain(
    jobs: Sequence[QueuedJob], node: int, changes: Sequence[tuple[int, int]]
) -> tuple[list[int], dict[int, int]]:
    """The rules word by word on machines of so many thousandths, as many as there are from each change on.

    Starts, and by second what stands free while the first in the queue fits by number and not by machine.
    """
    runs: dict[int, tuple[int, list[tuple[int, int]]]] = {}

    def size(at_s: int) -> int:
        return next((milli for since, milli in reversed(changes) if since <= at_s), 0)

    def free(at_s: int, now: int, *, as_planned: bool) -> list[int]:
        left = [max(0, min(node, size(at_s) - at * node)) for at in range(20)]
        for at, (start, where) in runs.items():
            length = jobs[at].planned_s if as_planned else jobs[at].length_s
            if start + jobs[at].length_s > now and start + length > at_s:
                for machine, milli in where:
                    left[machine] -= milli
        return left

    def lasting(
        job: QueuedJob, at_s: int, now: int, beside: Sequence[tuple[int, int]] = (), *, as_planned: bool
    ) -> list[tuple[int, int]] | None:
        times = [at_s, *(since for since, _ in changes if at_s < since < at_s + job.length_s)]
        least = [
            min(of) for of in zip(*(free(when, now, as_planned=as_planned) for when in times), strict=True)
        ]
        for machine, milli in beside:
            least[machine] -= milli
        return laid(least, job)

    times = {job.eligible_s for job in jobs} | {since for since, _ in changes}
    lost: dict[int, int] = {}
    while times:
        now = min(times)
        times.discard(now)
        head: tuple[int, QueuedJob] | None = None
        spare = 0
        for at, job in enumerate(jobs):
            if at in runs or job.eligible_s > now:
                continue
            where = lasting(job, now, now, as_planned=False)
            if sum(free(now, now, as_planned=False)) < job.milli_gpus:
                where = None
            is_behind = head is not None and now + job.planned_s > head[0]
            if where is not None and head is not None and is_behind:
                is_left = lasting(head[1], head[0], now, where, as_planned=True) is not None
                where = where if is_left and spare >= job.milli_gpus else None
            if where is not None:
                runs[at] = (now, where)
                times.add(now + job.length_s)
                spare -= job.milli_gpus if is_behind else 0
            elif head is None:
                ends = {start + jobs[other].planned_s for other, (start, _) in runs.items()}
                for at_s in sorted(ends | {since for since, _ in changes}):
                    if at_s > now and lasting(job, at_s, now, as_planned=True) is not None:
                        spare = sum(free(at_s, now, as_planned=True)) - job.milli_gpus
                        head = (at_s, job)
                        break
        waits = [job for at, job in enumerate(jobs) if at not in runs and job.eligible_s <= now]
        left = free(now, now, as_planned=False)
        if waits and times and sum(left) >= waits[0].milli_gpus and laid(left, waits[0]) is None:
            lost |= dict.fromkeys(range(now, min(times)), sum(left))
    return [runs[at][0] if at in runs else NOBODY for at in range(len(jobs))], lost


def walked(jobs: Sequence[QueuedJob], gpu_set: GpuSet, *, general: bool) -> tuple[list[int], dict[int, int]]:
    """The same by the replay; an outlet with a limit that no job ever needs has it take the general walk."""
    sent = [job._replace(outlets=(0,)) for job in jobs] if general else jobs
    answer = replay(sent, [gpu_set], [10**9])
    return answer.start_s, {
        at_s: milli for _, from_s, to_s, milli in answer.fragments for at_s in range(from_s, to_s)
    }


@st.composite
def queues(draw: st.DrawFn) -> tuple[list[QueuedJob], int, int]:
    """A few jobs on up to four machines of up to eight GPUs, the last of which may be smaller."""
    node, size = draw(st.sampled_from([1, 2, 4, 8])), draw(st.integers(1, 16))
    jobs = []
    for _ in range(draw(st.integers(1, 10))):
        length, nodes = draw(st.integers(1, 9)), draw(st.integers(1, 3))
        jobs.append(
            QueuedJob(
                pool=draw(st.integers(0, 1)),
                eligible_s=draw(st.integers(0, 12)),
                length_s=length,
                planned_s=length + draw(st.sampled_from([0, 0, 3, 8])),
                milli_gpus=draw(st.integers(1, 8)) * GPU // 2,
                sets=(0,),
                nodes=nodes,
            )
        )
    return sorted(jobs, key=lambda job: (job.pool, job.eligible_s)), node, size


@given(queues())
def test_it_is_the_plain_walk(queue: tuple[list[QueuedJob], int, int]) -> None:
    jobs, node, size = queue
    changes = ((0, size * GPU),)
    expected = plain(jobs, node * GPU, changes)
    for general in (False, True):
        assert walked(jobs, GpuSet(changes, node * GPU), general=general) == expected


def test_a_gang_waits_for_a_whole_machine_while_as_many_gpus_are_free_on_two() -> None:
    small = [
        QueuedJob(pool=0, eligible_s=0, length_s=100, planned_s=100, milli_gpus=5 * GPU, sets=(0,))
        for _ in range(2)
    ]
    gang = QueuedJob(pool=0, eligible_s=1, length_s=10, planned_s=10, milli_gpus=6 * GPU, sets=(0,))
    assert replay([*small, gang], [GpuSet(((0, 16 * GPU),), 8 * GPU)]).start_s[2] == 100
    assert replay([*small, gang], [GpuSet(((0, 16 * GPU),))]).start_s[2] == 1


def test_machines_that_go_take_no_job_that_would_outlast_them() -> None:
    jobs = [
        QueuedJob(pool=0, eligible_s=0, length_s=20, planned_s=20, milli_gpus=8 * GPU, sets=(0,))
        for _ in range(2)
    ]
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
        jobs.append(
            QueuedJob(
                pool=pool,
                eligible_s=eligible_s,
                length_s=length,
                planned_s=planned_s,
                milli_gpus=gpus * GPU,
                sets=(0,),
                nodes=nodes,
            )
        )
    jobs.sort(key=lambda job: (job.pool, job.eligible_s))
    changes = ((0, size * GPU),)
    expected = plain(jobs, node * GPU, changes)
    for general in (False, True):
        assert walked(jobs, GpuSet(changes, node * GPU), general=general) == expected


@pytest.mark.parametrize("seed", range(60))
def test_machines_that_come_and_go_are_the_plain_walk(seed: int) -> None:
    """The first come once jobs wait, or some go under what runs; jobs of several machines among them."""
    draw = Random(seed)
    node, jobs = draw.choice([2, 4, 8]), []
    for _ in range(draw.randint(6, 14)):
        length = draw.randint(1, 9)
        pool, eligible_s = draw.randint(0, 1), draw.randint(0, 12)
        planned_s, gpus = length + draw.choice([0, 0, 3, 8]), draw.choice([1, 2, 3, 4, 8])
        nodes = draw.choice([1, 1, 1, 2]) if gpus > 1 else 1
        jobs.append(
            QueuedJob(
                pool=pool,
                eligible_s=eligible_s,
                length_s=length,
                planned_s=planned_s,
                milli_gpus=gpus * GPU,
                sets=(0,),
                nodes=nodes,
            )
        )
    jobs.sort(key=lambda job: (job.pool, job.eligible_s))
    at_s, steps = draw.randint(0, 6), []
    for _ in range(draw.randint(1, 4)):
        steps.append((at_s, draw.randint(0, 16) * GPU))
        at_s += draw.randint(1, 12)
    changes = tuple(steps)
    assert walked(jobs, GpuSet(changes, node * GPU), general=True) == plain(jobs, node * GPU, changes)


@pytest.mark.parametrize("seed", range(6))
def test_pieces_of_forty_sizes_lie_where_the_plain_walk_lays_them(seed: int) -> None:
    """More levels than are kept: those that no machine has any more go."""
    draw = Random(seed)
    jobs = [
        QueuedJob(
            pool=0,
            eligible_s=eligible_s,
            length_s=length,
            planned_s=length,
            milli_gpus=draw.randint(1, 400) * 10,
            sets=(0,),
        )
        for eligible_s, length in sorted((draw.randint(0, 30), draw.randint(1, 9)) for _ in range(60))
    ]
    changes = ((0, 6 * 4 * GPU),)
    assert walked(jobs, GpuSet(changes, 4 * GPU), general=True) == plain(jobs, 4 * GPU, changes)

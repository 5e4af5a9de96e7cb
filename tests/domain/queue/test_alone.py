"""One set that stays as it is: the fast replay is the general walk to the bit, also where jobs lie as if free."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.queue.alone import freely_on
from gpuplanner.domain.queue.parts import Replay, parts_of
from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.sets import GpuSet, QueuedJob

GPU = 1000
ROOM = 10**9
"""A limit that no queue reaches: an outlet with it is replayed by the general walk."""


def joined(answer: Replay) -> Replay:
    """With fragments that follow one another as one."""
    found: list[tuple[int, int, int, int]] = []
    for place, from_s, to_s, milli in answer.fragments:
        if found and found[-1][0] == place and found[-1][2:] == (from_s, milli):
            from_s = found.pop()[1]
        found.append((place, from_s, to_s, milli))
    return replace(answer, fragments=found)


def both(jobs: Sequence[QueuedJob], one: GpuSet) -> tuple[Replay, Replay]:
    """By the fast replay and by the general walk."""
    sent = [job._replace(outlets=(0,)) for job in jobs]
    return joined(replay(sent, [one], [None])), joined(replay(sent, [one], [ROOM]))


@st.composite
def queues(draw: st.DrawFn) -> tuple[list[QueuedJob], GpuSet]:
    """Jobs of two pools, some of them on many machines, on machines of which the last may be smaller, or GPUs alone."""
    node, size = draw(st.sampled_from([None, 1, 2, 4, 8])), draw(st.integers(0, 16))
    jobs = []
    for _ in range(draw(st.integers(1, 12))):
        length, nodes = draw(st.integers(1, 9)), draw(st.integers(1, 3))
        milli = draw(st.sampled_from([250, 500, GPU, 2 * GPU, 3 * GPU, 5 * GPU, 8 * GPU]))
        planned_s, patience_s = (
            length + draw(st.sampled_from([0, 0, 3, 8])),
            draw(st.sampled_from([None, 0, 5])),
        )
        pool, eligible_s = draw(st.integers(0, 1)), draw(st.integers(0, 12))
        jobs.append(
            QueuedJob(
                pool=pool,
                eligible_s=eligible_s,
                length_s=length,
                planned_s=planned_s,
                milli_gpus=milli,
                sets=(0,),
                outlets=(),
                patience_s=patience_s,
                nodes=nodes,
            )
        )
    milli_node = None if node is None else node * GPU
    return sorted(jobs, key=lambda job: (job.pool, job.eligible_s)), GpuSet(((0, size * GPU),), milli_node)


@given(queues())
def test_it_is_the_general_walk(queue: tuple[list[QueuedJob], GpuSet]) -> None:
    fast, general = both(*queue)
    assert fast == general


@pytest.mark.parametrize("seed", [129, 381, 550, *range(40)])
def test_a_crowded_queue_is_the_general_walk(seed: int) -> None:
    """Long enough that machines are filled while others wait behind."""
    draw = Random(seed)
    count, node, size = (
        draw.choice([60, 100, 200]),
        draw.choice([None, 2, 4, 8]),
        draw.choice([13, 16, 24, 32]),
    )
    jobs = []
    for _ in range(count):
        length = max(1, int(20 * draw.lognormvariate(0, 1.2)))
        planned_s, gpus = (
            length * draw.choice([1, 1, 2, 4]) + draw.choice([0, 5, 30]),
            draw.choice([1, 1, 1, 1, 2, 3, 4, 8, 20]),
        )
        pool, eligible_s = draw.choice([0, 0, 0, 1]), draw.randint(0, 8 * count)
        patience_s, nodes = draw.choice([None, 20, 200]), draw.choice([1, 1, 1, 2]) if gpus > 1 else 1
        jobs.append(
            QueuedJob(
                pool=pool,
                eligible_s=eligible_s,
                length_s=length,
                planned_s=planned_s,
                milli_gpus=gpus * GPU,
                sets=(0,),
                outlets=(),
                patience_s=patience_s,
                nodes=nodes,
            )
        )
    jobs.sort(key=lambda job: (job.pool, job.eligible_s))
    fast, general = both(jobs, GpuSet(((0, size * GPU),), None if node is None else node * GPU))
    assert fast == general


@pytest.mark.parametrize("seed", range(60))
def test_leaping_where_nobody_waits_changes_nothing(seed: int) -> None:
    """On machines, the last of which may be smaller, and on GPUs alone; of many levels, as fractions of GPUs are."""
    draw = Random(seed)
    node = draw.choice([None, 1, 2, 4, 8])
    jobs = []
    for _ in range(300):
        length, nodes = draw.choice([draw.randint(1, 9), draw.randint(1, 60)]), draw.choice([1, 1, 1, 2])
        milli = min(draw.choice([130, 250, 500, 1000, 2000, 4000, 8000]), (node or 8) * GPU * nodes)
        planned_s, outlets = length + draw.choice([0, 0, 3, 40]), draw.choice([(), (0,)])
        patience_s, eligible_s = draw.choice([None, 0, 5]), draw.randint(0, draw.choice([300, 2000]))
        jobs.append(
            QueuedJob(
                pool=0,
                eligible_s=eligible_s,
                length_s=length,
                planned_s=planned_s,
                milli_gpus=milli,
                sets=(0,),
                outlets=outlets,
                patience_s=patience_s,
                nodes=nodes,
            )
        )
    jobs.sort(key=lambda job: job.eligible_s)
    parts, size = parts_of(jobs, [None]), draw.randint(8, 60) * GPU
    in_use = [
        sum(job.milli_gpus for job in jobs if job.eligible_s <= at_s < job.eligible_s + job.length_s)
        for at_s in parts[0].comes[: len(jobs)]
    ]
    milli_node = None if node is None else node * GPU
    large = GpuSet(((0, 600 * (milli_node or 1) + size % (milli_node or 1)),), milli_node)
    freely = freely_on(parts[0], in_use, large)
    one = GpuSet(((jobs[0].eligible_s, size),), milli_node)
    assert replay(jobs, [one], [None], parts=parts, freely=freely) == replay(jobs, [one], [None], parts=parts)


@pytest.mark.parametrize("seed", range(60))
def test_gangs_of_equal_pieces_behind_long_plans_are_the_general_walk(seed: int) -> None:
    """Most jobs end before their time, and machines hold just what the first that waits needs."""
    draw = Random(seed)
    node = draw.choice([2, 4])
    jobs = []
    for _ in range(40):
        length, nodes = draw.randint(1, 9), draw.choice([1, 1, 2, 3])
        planned_s, eligible_s = length * draw.choice([1, 2, 3]), draw.randint(0, 60)
        milli = GPU * nodes * draw.choice([1, node // 2, node])
        jobs.append(
            QueuedJob(
                pool=draw.randint(0, 1),
                eligible_s=eligible_s,
                length_s=length,
                planned_s=planned_s,
                milli_gpus=milli,
                sets=(0,),
                nodes=nodes,
            )
        )
    jobs.sort(key=lambda job: (job.pool, job.eligible_s))
    size = node * draw.randint(3, 5) + draw.choice([0, 1])
    fast, general = both(jobs, GpuSet(((0, size * GPU),), node * GPU))
    assert fast == general

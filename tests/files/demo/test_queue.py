"""The queue of the demo: a job waits while its cluster is full, never with room, and never beyond its patience."""

from gpuplanner.files.demo.days import GOLDEN_DAY, ending
from gpuplanner.files.demo.queue import PATIENCE_S, STEP_S, queued
from gpuplanner.files.demo.runs import HOUR, Row, Run

DAYS = ending(GOLDEN_DAY)
CONTRACT = {"cluster": "c", "gpu_model": "H100", "gpus": "8", "start": "2026-01-01", "end": ""}
SOON_S = 60
"""Starting takes this long at most where there is room."""


def row(queue: str, gpus: int, pattern: str = "finetune") -> Row:
    return {"cluster": "c", "gpu_model": "H100", "gpus": str(gpus), "queue": queue, "pattern": pattern}


def run(from_h: float, to_h: float, state: str = "COMPLETED") -> Run:
    return Run(int(DAYS.start_s + from_h * HOUR), int(DAYS.start_s + to_h * HOUR), state, None)


def waited_s(jobs: list[tuple[Row, Run]]) -> list[int]:
    """From when only GPUs were missing to the start."""
    queues = queued(jobs, [CONTRACT], DAYS)
    return [
        job[1].start_s - (queue.submit_s if queue.eligible_s is None else queue.eligible_s)
        for job, queue in zip(jobs, queues, strict=True)
    ]


def test_with_room_nobody_waits() -> None:
    assert max(waited_s([(row("batch", 4), run(10, 30)), (row("batch", 4), run(20, 40))])) <= SOON_S


def test_who_finds_the_cluster_full_waits_until_there_is_room() -> None:
    full, next_one = (row("batch", 8), run(10, 14)), (row("batch", 4), run(14, 20))
    first, second = waited_s([full, next_one])
    assert first <= SOON_S < second <= 4 * HOUR + STEP_S + SOON_S


def test_nobody_waits_longer_than_its_patience_and_a_service_not_at_all() -> None:
    for queue, patience_s in PATIENCE_S.items():
        _, waited = waited_s([(row("batch", 8), run(10, 60)), (row(queue, 1), run(50, 60))])
        assert waited <= patience_s + SOON_S
        assert (waited > SOON_S) is (patience_s > 0)


def test_a_segment_of_a_campaign_is_queued_behind_the_one_before() -> None:
    pretrain = row("batch", 4, "pretrain")
    jobs = [(pretrain, run(10, 20)), (pretrain, run(20.2, 30)), (pretrain, run(35, 40))]
    first, second, third = queued(jobs, [CONTRACT], DAYS)
    assert (second.submit_s, second.eligible_s) == (first.submit_s, jobs[0][1].end_s)
    assert (
        third.eligible_s is None and third.submit_s > jobs[1][1].end_s
    )  # after a pause it is put in by hand


def test_no_job_runs_beyond_its_time_limit() -> None:
    for hours in (0.5, 7, 30, 200):
        (queue,) = queued([(row("batch", 4), run(0, hours, "TIMEOUT"))], [CONTRACT], DAYS)
        days, _, clock = queue.time_limit.partition("-")
        assert 24 * int(days) + int(clock[:2]) >= hours
    (service,) = queued([(row("serve", 4), run(0, 9))], [CONTRACT], DAYS)
    assert service.time_limit == ""

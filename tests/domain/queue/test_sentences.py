"""Words of waits: what a size is, and where knees lie for pools that share a GPU model."""

from dataclasses import replace

import pytest

from gpuplanner.domain.figures.waiting import WITH_ROOM
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.frontier import AsToday, FrontierPoint, TargetFound
from gpuplanner.domain.queue.rows import QueueRow
from gpuplanner.domain.queue.sentences import (
    OF_A_REPLAY,
    by_standing,
    marks_words,
    size_words,
    target_words,
    trust_words,
)
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.queue.waits import Range, Target, Waits

NOTHING = Waiting(1.0, 1.0, (), (), (), (), {}, (), None, (), False, False, False)


def size(pool: Pool, gpus: int, p90_h: float, *marks: str, model: str = "H100") -> FrontierPoint:
    waits = Waits(100, 0.2, p90_h / 2, 0.0, p90_h, 2 * p90_h)
    return FrontierPoint(pool, model, gpus, None, waits, 0, None, marks, today=AsToday(128, True))


SIZES = (
    size(Pool.INFERENCE, 22, 0.0),
    size(Pool.INFERENCE, 128, 0.0, "today"),
    size(Pool.TRAINING, 64, 85.1),
    size(Pool.TRAINING, 121, 4.7, "knee"),
    size(Pool.TRAINING, 128, 3.2, "today"),
    size(Pool.BURST, 6, 0.7, "knee"),
)


def said_of(*sizes: FrontierPoint) -> list[str]:
    """What is said of these sizes, and of rows of their pools and models."""
    names = dict.fromkeys((one.pool, one.gpu_model) for one in sizes)
    rows = tuple(QueueRow(pool, model, SIZES[0].waits, 0, 0.0, 0.0, 0.2) for pool, model in names)
    return [*map(str, size_words(replace(NOTHING, frontier=sizes, by_model=rows)))]


def test_the_knees_of_pools_on_gpus_that_all_share_stand_beside_what_today_has() -> None:
    together = [replace(one, is_together=True, usd_per_month=100.0 * one.gpus) for one in SIZES]
    other = size(
        Pool.TRAINING, 8, 1.0, "knee", model="A100"
    )  # of one pool alone, which has its model for itself
    said = said_of(*together, other)
    (sentence,) = said
    assert (
        "H100: Training 121 GPUs (P90 4.7 h, $12,100 per month), Burst 6 GPUs (P90 0.7 h, $600 per"
        in sentence
    )
    assert sentence.endswith(" 128.") and "A100" not in sentence
    assert str(trust_words(replace(NOTHING, frontier=tuple(together)))[0]) == said[0]  # before all else
    assert said_of(*together[:2]) == []  # nobody waits: no knee
    flat = [replace(one, bend=(96, 121) if "knee" in one.marks else None) for one in together]
    assert "$12,100 per month; 96 to 121 " in said_of(*flat)[0]


def test_sizes_of_pools_alone_say_so_where_others_run_on_the_same_model() -> None:
    (sentence,) = said_of(*SIZES)
    assert "(--together)" in sentence
    assert said_of(*SIZES[2:5]) == []  # one pool
    assert said_of(SIZES[0], replace(SIZES[3], gpu_model="A100")) == []


def test_sizes_stand_under_who_shares_them() -> None:
    together = [replace(one, is_together=True) for one in SIZES]
    found = by_standing([*SIZES, *together])
    assert [rows for _, rows in found] == [together, [*SIZES]]
    assert ["together" in str(title) for title, _ in found] == [True, False]
    assert by_standing([]) == []


def test_a_mark_of_today_says_whose_its_gpus_are() -> None:
    shared = str(marks_words(size(Pool.BURST, 8, 0.0, "today", "plan")))
    assert "all pools" in shared and shared.endswith(", the plan")
    assert "all pools" not in str(marks_words(replace(SIZES[1], today=AsToday(128))))


def test_waiting_with_room_is_not_said_to_have_no_end() -> None:
    """GPUs that a gang at the head of the queue is held for are free, and a larger fleet ends that wait."""
    row = QueueRow(Pool.TRAINING, None, SIZES[0].waits, 0, 0.0, 0.0, 0.2, waited_with_room=0.25)
    said = " ".join(map(str, trust_words(replace(NOTHING, measured=(row,)))))
    assert f": Training 25%. {WITH_ROOM}" in said and "no size" not in said


def test_waits_of_a_plan_are_said_to_be_of_its_first_month_and_without_growth() -> None:
    assert OF_A_REPLAY in trust_words(replace(NOTHING, is_planned=True))
    assert OF_A_REPLAY not in trust_words(NOTHING)


@pytest.mark.parametrize(
    ("alone_h", "said"),
    [
        (10.21, "Were every node one GPU, P90 would be the same."),
        (9.0, "Were every node one GPU, P90 would be: Training 9.0 h instead of 10.2 h."),
    ],
)
def test_nodes_that_change_a_wait_by_less_than_is_written_change_nothing(alone_h: float, said: str) -> None:
    rows = [
        QueueRow(Pool.TRAINING, None, size(Pool.TRAINING, 8, p90_h).waits, 0, 0.0, 0.0, 0.2)
        for p90_h in (10.2, alone_h)
    ]
    found = replace(NOTHING, replayed=(rows[0],), loose=(rows[1],))
    assert said in map(str, trust_words(found))


def test_what_a_replay_sends_out_is_said_to_be_in_no_total() -> None:
    row = QueueRow(Pool.INFERENCE, None, SIZES[0].waits, 1, 3_366.0, 10_065.0, 0.2)
    (words,) = [one for one in map(str, trust_words(replace(NOTHING, replayed=(row,)))) if "$10,065" in one]
    assert "no total" in words
    assert "$" not in " ".join(map(str, trust_words(NOTHING)))


@pytest.mark.parametrize(("low_h", "is_missed"), [(10.9, True), (3.9, False)])
def test_a_target_that_the_log_says_is_missed_is_said_to_be(low_h: float, is_missed: bool) -> None:
    """The replay waits 0 h, and the log's own correction of it 10.9: the target of 4 h was marked as kept."""
    point = replace(size(Pool.TRAINING, 40, 0.0, "target"), likely=Range(low_h, 11.0), target_h=4.0)
    assert ("missed" in str(marks_words(point))) is is_missed
    said = str(target_words(TargetFound(Target(Pool.TRAINING, 4.0), point, None), (point,)))
    assert (" 10.9 to 11.0 h." in said) is is_missed

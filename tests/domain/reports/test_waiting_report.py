"""Words of waits: what a size is, and what the sizes of pools that share a GPU model come to together."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.figures.waiting import WITH_ROOM
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.domain.queue.frontier import AsToday, FrontierPoint
from gpuplanner.domain.queue.rows import QueueRow
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.queue.waits import Range, Waits
from gpuplanner.domain.reports.waiting import OF_A_REPLAY, alone_words, marks_words, trust_words

NOTHING = Waiting(1.0, 1.0, (), (), (), (), {}, (), None, (), False, False, False)


def size(pool: Pool, gpus: int, p90_h: float, *marks: str, model: str = "H100") -> FrontierPoint:
    waits = Waits(100, 0.2, p90_h / 2, 0.0, p90_h, 2 * p90_h)
    return FrontierPoint(pool, model, gpus, None, waits, 0, None, marks, today=AsToday(128, True))


KNEE = replace(
    size(Pool.TRAINING, 121, 4.7, "knee"), likely=Range(15.0, 19.6), today=AsToday(128, True, 13.5)
)
SIZES = (
    size(Pool.INFERENCE, 22, 0.0),
    size(Pool.INFERENCE, 128, 0.0, "today"),
    size(Pool.TRAINING, 64, 85.1),
    KNEE,
    size(Pool.TRAINING, 128, 3.2, "today"),
    size(Pool.TRAINING, 159, 0.0),
    size(Pool.BURST, 6, 0.7, "knee"),
)


def said_of(*sizes: FrontierPoint) -> list[str]:
    return [*map(str, alone_words(replace(NOTHING, frontier=sizes)))]


def test_knees_of_one_model_are_added_up_beside_what_today_has_for_all() -> None:
    assert said_of(*SIZES) == [
        "Each size is of one pool alone. The knees add up to 149 H100 GPUs (Inference 22, no knee: the fewest with a "
        "P90 of 0 h; Training 121, by the log 15.0 to 19.6 h; Burst 6), where "
        "today has 128 for all of them."
    ]
    assert str(trust_words(replace(NOTHING, frontier=SIZES))[0]) == said_of(*SIZES)[0]  # before all else


@given(st.lists(st.integers(1, 9_999), min_size=2, max_size=3))
def test_the_sum_is_that_of_the_knees(gpus: list[int]) -> None:
    knees = [size(pool, many, 1.0, "knee") for pool, many in zip(SERVING_ORDER, gpus, strict=False)]
    assert f"add up to {sum(gpus):,} H100 GPUs (" in said_of(*knees)[0]


@pytest.mark.parametrize(
    "sizes",
    [
        SIZES[2:6],  # one pool alone
        (SIZES[0], replace(SIZES[3], gpu_model="A100")),  # each a model of its own
        (SIZES[0], size(Pool.TRAINING, 64, 85.1)),  # no size of training is known to do
        (replace(SIZES[0], never=1), SIZES[3]),
        (replace(SIZES[0], is_shared=True), SIZES[3]),
    ],
)
def test_nothing_is_added_up_that_nobody_shares_or_nobody_knows(sizes: tuple[FrontierPoint, ...]) -> None:
    assert said_of(*sizes) == []


def test_a_mark_of_today_says_whose_its_gpus_are() -> None:
    assert str(marks_words(size(Pool.BURST, 8, 0.0, "today", "plan"))) == "as today for all pools, the plan"
    assert str(marks_words(replace(SIZES[1], today=AsToday(128)))) == "as many as today"


def test_waiting_with_room_is_not_said_to_have_no_end() -> None:
    """GPUs that a gang at the head of the queue is held for are free, and a larger fleet ends that wait."""
    row = QueueRow(Pool.TRAINING, None, SIZES[0].waits, 0, 0.0, 0.0, 0.2, waited_with_room=0.25)
    said = " ".join(map(str, trust_words(replace(NOTHING, measured=(row,)))))
    assert f"Of the waiting in the log this had room: Training 25%. {WITH_ROOM}" in said
    assert "held for a larger job, which more GPUs may end" in said and "no size" not in said
    assert "the log does not say why" in said  # nodes, reservations, maintenance: nobody knows


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
    words = "What the replay sends out costs $10,065 in the window, which is in no total of spend."
    assert words in map(str, trust_words(replace(NOTHING, replayed=(row,))))
    assert words not in map(str, trust_words(NOTHING))

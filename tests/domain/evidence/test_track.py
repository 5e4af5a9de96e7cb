"""Answers about a plan of $1,000 of which $1,150 came, in two places.

Its contract of 2 GPUs over 100 h has 40 h left.
"""

import pytest

from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.track import COSTS, OF_TRACK
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.track.track import WHAT, BurnDown, Track, TrackQuarter, TrackRow, WorkloadTrack

CAUSE = WHAT[1]
ROWS = (
    TrackRow(what=WHAT[0], pool=Pool.TRAINING, gpu_model="H100", usd=20.0, before=700.0, after=720.0),
    TrackRow(what=WHAT[0], pool=None, gpu_model=None, usd=-10.0, before=300.0, after=290.0),
    TrackRow(what=CAUSE, pool=Pool.TRAINING, gpu_model="H100", usd=100.0, before=720.0, after=820.0),
    TrackRow(what=WHAT[-1], pool=Pool.TRAINING, gpu_model="H100", usd=40.0, before=820.0, after=860.0),
    TrackRow(what=WHAT[-1], pool=None, gpu_model=None, usd=0.0, before=290.0, after=290.0),
)
QUARTERS = tuple(
    TrackQuarter(start_s, start_s + 10, dict.fromkeys(("planned", *WHAT), usd) | {"actual": 6 * usd})
    for start_s, usd in ((0, 10.0), (10, 20.0))
)
BURN = {"gpus": 2.0, "rate": 3.0, "life_hours": 100.0, "left_hours": 40.0, "used_gpu_hours": 90.0}
TRACK = Track(
    plan="Plan A",
    window=Window(0, 86_400),
    planned=1000.0,
    actual=1150.0,
    rows=ROWS,
    advice_now=None,
    hindsight=None,
    contracts=(
        BurnDown("other", BURN | {"gpus": 5.0, "used_gpu_hours": 1.0}, None, ((0, 1.0),)),
        BurnDown("k1", BURN, None, ((0, 60.0), (1, 30.0))),
    ),
    quarters=QUARTERS,
    notes=(),
    by_workload=(
        WorkloadTrack("c/t/other", {"more": 1.0}, {}),
        WorkloadTrack(
            "c/t/sft",
            {"more": 25.0},
            {
                "H100": {
                    "planned_gpu_hours": 10.0,
                    "came_gpu_hours": 20.0,
                    "planned_rate": 3.0,
                    "more": 30.0,
                },
                None: {"planned_gpu_hours": 10.0, "came_gpu_hours": 5.0, "planned_rate": 1.0, "more": -5.0},
            },
        ),
    ),
)


def test_a_cause_moved_what_its_place_costs_with_it_less_before_it() -> None:
    answer = OF_TRACK.answer(TRACK, figure("track_moved", ROWS[2].key))
    assert answer.value == 100.0
    assert [str(row.name) for row in answer.rows] == [str(COSTS[2]), str(COSTS[1])]
    assert "Training H100" in str(answer.title)
    nowhere = OF_TRACK.answer(TRACK, figure("track_moved", ROWS[1].key))
    assert (
        nowhere.value == -10.0 and "unknown model" in str(nowhere.title) and "all pools" in str(nowhere.title)
    )


@pytest.mark.parametrize(
    ("key", "value", "usd", "opens"),
    [
        ("planned", 1000.0, [700.0, 300.0], False),
        ("actual", 1150.0, [860.0, 290.0], False),
        (WHAT[0], 10.0, [20.0, -10.0], True),
        (CAUSE, 100.0, [100.0], True),
    ],
)
def test_a_step_lists_the_places_of_its_cause_and_these_lead_on(
    key: str, value: float, usd: list[float], opens: bool
) -> None:
    answer = OF_TRACK.answer(TRACK, figure("track_step", key))
    assert answer.value == value
    assert [row.values for row in answer.rows] == [(amount,) for amount in usd]
    own = [row for row in ROWS if row.what == {"planned": WHAT[0], "actual": WHAT[-1]}.get(key, key)]
    assert [row.opens for row in answer.rows] == [
        figure("track_moved", row.key) if opens else "" for row in own
    ]


def test_a_workload_took_more_by_gpu_model() -> None:
    # (20 - 10) x 3 $ and (5 - 10) x 1 $
    answer = OF_TRACK.answer(TRACK, figure("track_more", "c/t/sft"))
    assert answer.value == 25.0
    assert [(str(row.name), row.values) for row in answer.rows] == [
        ("H100", (10.0, 20.0, 3.0, 30.0)),
        ("unknown model", (10.0, 5.0, 1.0, -5.0)),
    ]


def test_what_came_of_a_quarter_is_its_plan_and_what_every_cause_moved() -> None:
    # what was planned and five causes of $10, or of $20, each
    values = [OF_TRACK.answer(TRACK, figure("track_quarter", quarter.key)).value for quarter in QUARTERS]
    assert values == [60.0, 120.0]


def test_a_contract_has_committed_its_gpus_over_its_life() -> None:
    # 2 x 100 h; of them 2 x 40 h x 3 $ are still to be paid
    assert OF_TRACK.answer(TRACK, figure("burn_committed_hours", "k1")).value == 200.0
    assert OF_TRACK.answer(TRACK, figure("burn_left", "k1")).value == 240.0
    used = OF_TRACK.answer(TRACK, figure("burn_used_hours", "k1"))
    assert used.value == 90.0 and [row.values for row in used.rows] == [(60.0,), (30.0,)]
    assert used.rows[0].name != used.rows[1].name

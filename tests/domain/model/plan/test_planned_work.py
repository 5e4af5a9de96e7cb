"""Planned work: when it runs, its share of a month, and checks. Plans begin at hour 1,000."""

from typing import Any

import pytest

from gpuplanner.domain.model.plan.planned_work import PlannedWork, check_planned
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from tests.domain.model.refusals import is_right

BEGIN_S = 1000 * HOUR_S
WORK = PlannedWork(name="w", pool=Pool.TRAINING, gpu_model="H100", gpus=4.0, cluster="c1", team="team")


def work(**changes: Any) -> PlannedWork:
    values = {name: getattr(WORK, name) for name in WORK.__slots__}
    return PlannedWork(**(values | changes))


@pytest.mark.parametrize(
    ("changes", "begins", "ends"),
    [
        ({}, None, None),
        ({"begins_s": 5, "ends_s": 9}, 5, 9),
        ({"length_hours": 10}, BEGIN_S, BEGIN_S + 10 * HOUR_S),
        ({"length_hours": 10, "begins_s": BEGIN_S + 5}, BEGIN_S + 5, BEGIN_S + 5 + 10 * HOUR_S),
        ({"length_hours": 10, "begins_s": 5}, BEGIN_S, BEGIN_S + 10 * HOUR_S),
        # done before a deadline that has passed: it has ended as planned; not where the deadline is later, or too early
        ({"length_hours": 1, "begins_s": 5, "latest_finish_s": BEGIN_S}, 5, 5 + HOUR_S),
        ({"length_hours": 1, "begins_s": 5, "latest_finish_s": BEGIN_S + 1}, BEGIN_S, BEGIN_S + HOUR_S),
        ({"length_hours": 2, "begins_s": 5, "latest_finish_s": HOUR_S}, BEGIN_S, BEGIN_S + 2 * HOUR_S),
        ({"length_hours": 1, "latest_finish_s": BEGIN_S}, BEGIN_S, BEGIN_S + HOUR_S),
        ({"length_hours": 10, "every_hours": 24}, BEGIN_S, None),
        # every day for 10 h until 48 h are over: the last begins after 24 h; until 49 h: after 48
        (
            {"length_hours": 10, "every_hours": 24, "ends_s": BEGIN_S + 48 * HOUR_S},
            BEGIN_S,
            BEGIN_S + 34 * HOUR_S,
        ),
        (
            {"length_hours": 10, "every_hours": 24, "ends_s": BEGIN_S + 49 * HOUR_S},
            BEGIN_S,
            BEGIN_S + 58 * HOUR_S,
        ),
        ({"length_hours": 10, "every_hours": 24, "ends_s": BEGIN_S - 5}, BEGIN_S, BEGIN_S + 10 * HOUR_S),
    ],
)
def test_work_is_there_from_its_begin_for_its_length(
    changes: dict[str, Any], begins: int | None, ends: int | None
) -> None:
    assert work(**changes).spell(BEGIN_S) == Spell(begins, ends)


@pytest.mark.parametrize(
    ("changes", "until_h", "pieces"),
    [
        ({}, 10, ((0, 10),)),
        ({"begins_s": BEGIN_S + 2 * HOUR_S}, 10, ((2, 10),)),
        ({"begins_s": BEGIN_S + 10 * HOUR_S}, 10, ()),
        ({"begins_s": BEGIN_S - 5 * HOUR_S, "ends_s": BEGIN_S + 3 * HOUR_S}, 10, ((0, 3),)),
        ({"ends_s": BEGIN_S}, 10, ()),
        ({"length_hours": 2, "every_hours": 4}, 10, ((0, 2), (4, 6), (8, 10))),
        ({"length_hours": 3, "every_hours": 4}, 9, ((0, 3), (4, 7), (8, 11))),
        ({"length_hours": 20}, 10, ((0, 20),)),
        ({"length_hours": 1, "begins_s": 5, "latest_finish_s": BEGIN_S}, 10, ()),
    ],
)
def test_pieces_of_work_are_its_spans_from_the_plan_on(
    changes: dict[str, Any], until_h: int, pieces: tuple[tuple[int, int], ...]
) -> None:
    item = work(**changes)
    spans = item.pieces(item.spell(BEGIN_S), BEGIN_S, BEGIN_S + until_h * HOUR_S)
    assert [((from_s - BEGIN_S) // HOUR_S, (to_s - BEGIN_S) // HOUR_S) for from_s, to_s in spans] == [*pieces]


def test_work_in_hours_of_the_week_is_there_in_these() -> None:
    """Hour 1,000 of 1970 is 16:00 on a Wednesday (1 January is a Thursday): hours 64 and 65 of a week, then 70."""
    item = work(hours=(64, 65, 70))
    spans = item.pieces(Spell(None, None), BEGIN_S, BEGIN_S + 7 * HOUR_S)
    assert [((from_s - BEGIN_S) // HOUR_S, (to_s - BEGIN_S) // HOUR_S) for from_s, to_s in spans] == [
        (0, 2),
        (6, 7),
    ]
    half = item.pieces(Spell(BEGIN_S + 1800, None), BEGIN_S, BEGIN_S + 3 * HOUR_S)
    assert half == ((BEGIN_S + 1800, BEGIN_S + 2 * HOUR_S),)


def test_work_has_its_share_of_a_month() -> None:
    assert work().month_share(BEGIN_S) == 1.0
    assert work(length_hours=73).month_share(BEGIN_S) == 0.1
    assert work(length_hours=73, every_hours=365).month_share(BEGIN_S) == 0.2
    assert work(length_hours=1460).month_share(BEGIN_S) == 1.0
    assert work(length_hours=730, begins_s=BEGIN_S + 365 * HOUR_S).month_share(BEGIN_S) == 0.5
    assert work(length_hours=730, begins_s=BEGIN_S + 800 * HOUR_S).month_share(BEGIN_S) == 0.0
    assert work(length_hours=1, begins_s=5, latest_finish_s=BEGIN_S).month_share(BEGIN_S) == 0.0
    assert work(length_hours=73, every_hours=365).mean_gpu_hours == 4 * 73 * 2
    assert work(length_hours=73).mean_gpu_hours is work(every_hours=73).mean_gpu_hours is None
    assert WORK.key == "c1/team/w"


@pytest.mark.parametrize(
    ("changes", "right"),
    [
        ({}, True),
        ({"name": " "}, False),
        ({"gpu_model": ""}, False),
        ({"gpus": 0.0}, False),
        ({"gpus": -1.0}, False),
        ({"gpus": 1e99}, False),
        ({"hours": ()}, False),
        ({"hours": (0, 167)}, True),
        ({"hours": (168,)}, False),
        ({"length_hours": 0}, False),
        ({"length_hours": 1}, True),
        ({"length_hours": 5, "every_hours": 4}, False),
        ({"length_hours": 5, "every_hours": 5}, True),
        ({"every_hours": 1}, True),
        ({"every_hours": 0}, False),
        ({"begins_s": 9, "ends_s": 5}, False),
    ],
)
def test_planned_work_has_a_name_a_model_gpus_and_hours(changes: dict[str, Any], *, right: bool) -> None:
    assert is_right(check_planned, work(**changes)) is right

"""Parts of workloads: shares, hours and spans of the whole."""

import numpy as np
import pytest

from gpuplanner.domain.demand.pools import part_amounts, parted, second_part
from gpuplanner.domain.model.plan.splits import ShareSplit, Split, TimeSplit, WeekSplit
from gpuplanner.domain.model.window import HOUR_S, Window
from tests.domain.demand.four_hours import MONDAY_S, entries, project


@pytest.mark.parametrize(
    ("split", "second"),
    [
        # of the running sum 10, 15, 26, 27: 4, 6, 10 and 10 are in the second part
        (ShareSplit(400), [4, 2, 4, 0]),
        (ShareSplit(999), [9, 5, 11, 1]),
        (ShareSplit(1), [0, 0, 0, 0]),
        (TimeSplit(MONDAY_S + HOUR_S), [10, 5, 11, 1]),
        (TimeSplit(MONDAY_S + 3 * HOUR_S), [0, 5, 11, 1]),
        (TimeSplit(MONDAY_S + 3 * HOUR_S + 1), [0, 0, 11, 1]),
        (TimeSplit(MONDAY_S - 5 * HOUR_S), [10, 5, 11, 1]),
        (TimeSplit(MONDAY_S + 999 * HOUR_S), [0, 0, 0, 0]),
        # hour 0 of the window is hour 1 of the week: hours 2, 4, 5 and 168 of it have something
        (WeekSplit((2,)), [0, 0, 0, 0]),
        (WeekSplit((1, 3)), [10, 5, 0, 0]),
        (WeekSplit((0, 4)), [0, 0, 11, 1]),
    ],
)
def test_the_second_part_has_its_share_its_time_or_its_hours(split: Split, second: list[int]) -> None:
    """Hours 0, 2, 3 and 167 of a window from Monday 1:00 on."""
    window = Window(MONDAY_S + HOUR_S, 200)
    hour, amount = np.array([0, 2, 3, 167]), np.array([10, 5, 11, 1])
    assert second_part(split, window, hour, amount).tolist() == second


@pytest.mark.parametrize("key", ["c/o/a", "c/o/b", "c/o/c", "c/o/d"])
@pytest.mark.parametrize("split", [ShareSplit(300), TimeSplit(MONDAY_S + 2 * HOUR_S), WeekSplit((1, 5))])
def test_parts_have_what_the_whole_had_and_all_others_stay(key: str, split: Split) -> None:
    of = project()
    parts = parted(of, {key: split, "c/o/gone": ShareSplit(1)})
    assert parts is not None
    keys = [work.key for work in parts.workloads]
    assert keys == sorted(keys) and len(keys) == 5
    whole = next(at for at, work in enumerate(of.workloads) if work.key == key)
    assert sorted(parts.whole) == sorted([*range(4), whole])
    for at, place in enumerate(parts.whole):
        if place != whole:
            assert parts.workloads[at] is of.workloads[place]
            models, same = (
                [model for model, *_ in cube.by_model_of(row)]
                for cube, row in ((parts.cube, at), (of.cube, place))
            )
            assert models == same
            assert parts.cube.hourly_of(at).tolist() == of.cube.hourly_of(place).tolist()
    first, second = (at for at, place in enumerate(parts.whole) if place == whole)
    both = parts.cube.hourly_of(first) + parts.cube.hourly_of(second)
    assert both.tolist() == of.cube.hourly_of(whole).tolist()
    for at in (first, second):
        assert parts.workloads[at].milli_gpu_seconds == parts.cube.hourly_of(at).sum()
    amounts = [parts.workloads[at].milli_gpu_seconds for at in (first, second)]
    assert part_amounts(of, {}, key, split) == tuple(amounts)
    assert all(amount > 0 for *_, amount in entries(parts.cube))
    listed = entries(parts.cube)
    assert listed == sorted(listed) and parts.cube.total == of.cube.total


def test_a_part_may_be_divided_again() -> None:
    """b has 101 in hour 2 and 30 in hour 5: the second part of the time is 30, of which 20% are 6."""
    of = project()
    key = "c/o/b"
    splits = {key: TimeSplit(MONDAY_S + 3 * HOUR_S), f"{key}#2": ShareSplit(200)}
    parts = parted(of, splits)
    assert parts is not None
    spent = {work.key: work.milli_gpu_seconds for work in parts.workloads if work.key.startswith(key)}
    assert spent == {f"{key}#1": 101, f"{key}#2#1": 24, f"{key}#2#2": 6}
    assert part_amounts(of, splits, f"{key}#2#1", ShareSplit(500)) == (12, 12)
    assert part_amounts(of, splits, f"{key}#1", TimeSplit(MONDAY_S + 2 * HOUR_S)) == (0, 101)
    for missing in ("c/o/x", "c/o/x#1"):
        with pytest.raises(KeyError):
            part_amounts(of, splits, missing, ShareSplit(500))


def test_shares_have_their_part_of_the_peak_and_others_the_whole() -> None:
    """30% of 1,001 are 300.3 and 70% are 700.7: both are rounded up. The first part has the jobs."""
    for split, peaks in (
        (ShareSplit(300), [701, 301]),
        (TimeSplit(MONDAY_S + 3 * HOUR_S), [1001, 1001]),
        (WeekSplit((1, 2)), [1001, 1001]),
    ):
        parts = parted(project(), {"c/o/b": split})
        assert parts is not None
        pair = [work for work in parts.workloads if work.key.startswith("c/o/b")]
        assert [work.peak_milli_gpus for work in pair] == peaks
        assert [(work.jobs, work.gpu_jobs) for work in pair] == [(5, 4), (0, 0)]
    assert parted(project(), {"c/o/gone": ShareSplit(1)}) is parted(project(), {}) is None

"""Contracts beside the log: whether any runs in it, and the day that a plan begins."""

import pytest

from gpuplanner.domain.audit.utilization.contracts_apart import ContractsApart, any_ran, contracts_apart
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.audit.conftest import START_S, make_contract

TWO_DAYS = Window(START_S, 48)


def held(start_d: float, end_d: float | None, gpus: float = 1, name: str = "k", **more: object):  # type: ignore[no-untyped-def]
    """A contract by the days from the beginning of the log at which it starts and ends."""
    end_s = None if end_d is None else START_S + round(end_d * DAY_S)
    return make_contract(name, gpus, "2", start_s=START_S + round(start_d * DAY_S), end_s=end_s, **more)


@pytest.mark.parametrize(
    ("spans", "days"),
    [
        ([], None),
        ([(-3, 0)], (-3, 0)),
        ([(-3, 0.01)], None),
        ([(2, 5)], (2, 5)),
        ([(1.99, 5)], None),
        ([(-9, -3), (4, 7), (3, 5)], (-9, 7)),
        ([(-9, -3), (4, None)], (-9, None)),
        ([(-9, -3), (0, 1)], None),
        ([(-9, None)], None),
    ],
)
def test_contracts_lie_apart_where_none_runs_in_the_log(
    spans: list[tuple[float, float | None]], days: tuple[float, float | None] | None
) -> None:
    contracts = [held(*span) for span in spans]
    apart = contracts_apart(iter(contracts), TWO_DAYS)
    assert any_ran(contracts, TWO_DAYS) == (bool(contracts) and apart is None)
    if days is None:
        assert apart is None
    else:
        assert apart is not None and apart.contracts == tuple(contracts)
        begin_d, end_d = days
        assert apart.begin_s == START_S + begin_d * DAY_S
        assert apart.end_s == (None if end_d is None else START_S + end_d * DAY_S)


@pytest.mark.parametrize(
    ("at_s", "runs"), [(-1, False), (0, True), (DAY_S - 1, True), (DAY_S, False), (3 * DAY_S, True)]
)
def test_one_runs_from_its_first_second_to_the_one_before_its_end(at_s: int, *, runs: bool) -> None:
    apart = ContractsApart(START_S, None, (held(0, 1), held(2, None)))
    assert apart.runs_at(START_S + at_s) is runs


@pytest.mark.parametrize(
    ("spans", "today_d", "day"),
    [
        ([(5, None, 4)], 7.5, 7),  # one runs today, from midnight
        ([(5, None, 4)], 3, 5),
        ([(5, None, 4)], 4.9, 5),  # it does not run at midnight
        ([(2, None, 1), (5, None, 8)], 2.5, 5),  # today is the log's end, no day after it
        ([(2, None, 1), (5, None, 8)], 3.5, 3),
        ([(5.25, None, 4)], 3, 6),  # not a whole day at first
        ([(2, 3, 4)], 9, 2),
        ([(-5, -1, 4)], 9, None),
        ([(5.25, 5.75, 4)], 3, None),  # over before a whole day begins
        ([(3, 4, 2), (6, None, 1)], 2, 3),
        ([(3, 4, 1), (6, None, 2)], 2, 6),
        ([(6, None, 2), (3, 4, 2)], 2, 3),  # as many: the earlier
        ([(3, 8, 1.5), (6, 7, 0.5), (9, None, 1.75)], 2, 6),  # 1.5 and 0.5 GPUs run together
    ],
)
def test_a_plan_begins_today_or_on_the_day_of_most_gpus(
    spans: list[tuple[float, float | None, float]], today_d: float, day: int | None
) -> None:
    """After a log of two days."""
    apart = ContractsApart(START_S, None, tuple(held(*span) for span in spans))
    begin_s = apart.day_to_plan_from_s(TWO_DAYS, START_S + round(today_d * DAY_S))
    assert begin_s == (None if day is None else START_S + day * DAY_S)


def test_a_log_that_ends_at_six_is_followed_by_the_next_day() -> None:
    apart = ContractsApart(START_S, None, (held(1.25, None),))
    assert apart.day_to_plan_from_s(Window(START_S, 30), START_S) == START_S + 2 * DAY_S

"""Planned work of an endpoint: two spans such that the fewest GPUs are held."""

from dataclasses import replace
from typing import Any

from gpuplanner.domain.model.plan.planned_work import ALWAYS
from gpuplanner.domain.serving.load import Load, LoadHour
from tests.domain.fit.stated_endpoint import LOAD, ROW, cost, sizing


def week(asked: dict[int, float], usual: float) -> Load:
    """Replicas that hours of a day ask for, at nine tenths of a request a second each."""
    hours = tuple(LoadHour(hour, 0.9 * asked.get(hour % 24, usual)) for hour in range(168))
    return replace(LOAD, hours=hours)


def spans(
    load: Load, spare: int = 0, most: int = 9, **facts: Any
) -> list[tuple[str, float, tuple[int, ...]]]:
    row = replace(ROW, replicas_peak=most, replicas_spare=spare, **facts)
    priced = replace(cost("H100", "BF16", 1.0), row=row)
    of = sizing(priced, load=load)
    return [(work.name, work.gpus, work.hours) for work in of.planned(priced, "chat")]


def daily(begin: int, end: int) -> tuple[int, ...]:
    """Hours of the week from one hour of a day until before another."""
    return tuple(hour for hour in ALWAYS if begin <= hour % 24 < end)


def test_busy_hours_are_beside_what_is_held_all_day() -> None:
    """Two GPUs a replica. Two replicas at 8 and 9, one in the other hours: 24 + 2 replica-hours of a day."""
    busy = "chat, busy hours"
    assert spans(week({8: 2, 9: 2}, 1)) == [("chat", 2.0, ALWAYS), (busy, 2.0, daily(8, 10))]
    # a spare beside each, but never more than the peak has
    assert spans(week({8: 2, 9: 2}, 1), 1, 3) == [("chat", 4.0, ALWAYS), (busy, 2.0, daily(8, 10))]
    assert spans(week({8: 2, 9: 2}, 1), 1, 2) == [("chat", 4.0, ALWAYS)]
    # from the first busy hour to the last, whatever is between them: 24 + 13
    assert spans(week({8: 2, 20: 2}, 1)) == [("chat", 2.0, ALWAYS), (busy, 2.0, daily(8, 21))]
    # nothing at night: no span of its own, and the busy hours have the name
    assert spans(week({8: 2, 9: 1}, 0)) == [("chat", 4.0, daily(8, 10))]
    # three at 8, two at 9, one else: 24 + 2 x 2 is less than 48 + 1 and 3 x 24
    assert spans(week({8: 3, 9: 2}, 1)) == [("chat", 2.0, ALWAYS), (busy, 4.0, daily(8, 10))]
    # two all day but one at noon: 24 + 24 is no less than 48
    assert spans(week({12: 1}, 2)) == [("chat", 4.0, ALWAYS)]
    assert spans(week({}, 1)) == [("chat", 2.0, ALWAYS)]


def test_an_hour_asks_for_its_most_on_any_day_and_an_unknown_hour_for_the_peak() -> None:
    twice = replace(
        LOAD, hours=(*week({}, 1).hours, LoadHour(8, 1.8), LoadHour(8, 0.9), LoadHour(24 + 9, 1.8))
    )
    assert spans(twice)[1] == ("chat, busy hours", 2.0, daily(8, 10))
    monday = replace(LOAD, hours=week({}, 1).hours[:24])
    assert spans(monday, most=3) == [("chat", 6.0, ALWAYS)]
    missing = replace(LOAD, hours=week({}, 1).hours[1:])
    assert spans(missing, most=3) == [("chat", 2.0, ALWAYS), ("chat, busy hours", 4.0, daily(0, 1))]
    assert spans(LOAD, most=0) == [] == spans(LOAD, requests_per_s=None)


def test_planned_work_is_inference_of_its_model_on_its_cluster() -> None:
    priced = replace(cost("H100", "BF16", 1.0), row=ROW)
    (work,) = sizing(priced, load=week({}, 1)).planned(priced, "chat", "atlas", "ann")
    assert (work.pool.value, work.gpu_model, work.cluster, work.team) == ("inference", "H100", "atlas", "ann")
    (bare,) = sizing(priced, load=week({}, 1)).planned(priced, "chat")
    assert (bare.cluster, bare.team) == ("", "")
    replay = sizing(priced, load=week({}, 1)).replay(priced)
    assert replay is not None and replay.replicas_flat == 3
    assert sizing(priced, load=week({8: 2}, 0)).replicas_by_hour(priced)[7:10] == (0, 2, 0)  # type: ignore[index]
    unknown = replace(priced, row=replace(ROW, requests_per_s=None))
    assert sizing(unknown).replicas_by_hour(unknown) is sizing(unknown).replay(unknown) is None

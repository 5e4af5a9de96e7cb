"""How often training is run again."""

from dataclasses import replace

from gpuplanner.domain.audit.cost_result import RunCost
from gpuplanner.domain.audit.unit_costs.retraining import retraining_of
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window


def run(start_days: float, cost: float | None = 10.0, key: str = "a//tune") -> RunCost:
    start_s = round(start_days * DAY_S)
    return RunCost(
        key=key,
        name="tune",
        cluster="a",
        owner="",
        start_s=start_s,
        end_s=start_s + HOUR_S,
        gpu_hours=1.0,
        cost=cost,
        mean_gpus=1.0,
        mean_rate=cost,
    )


def test_days_between_starts_are_the_middle_of_the_gaps() -> None:
    window = Window(0, 40 * 24)
    runs = [run(0), run(8), run(1), run(29), run(3), run(5, None, "a//other")]
    mine, other = retraining_of(runs, window)
    assert (mine.gaps_days, mine.days_between) == (
        (2.0, 5.0, 21.0),
        5.0,
    )  # that on as the window began is none
    assert (mine.runs, mine.runs_cost, mine.cost_per_run) == (5, 50.0, 10.0)
    assert (other.days_between, other.cost_per_run) == (None, None)
    assert replace(other, key="") != other

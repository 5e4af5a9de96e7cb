"""Runs of the past (`worlds.past`) in contended hours, and runs that last over a day.

sft trains on 4 of atlas's 8 H100 in hours 10 to 30 and on all of them in 60 to 70; chat has 2 of them all the time, so
that 2 too many are wanted in these ten hours.
"""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.idle_leaks import contended_runs, long_runs
from tests.domain.audit.conftest import START_S
from tests.domain.audit.past_runs import past_with, run

H = 3600


def test_runs_in_contended_hours_stand_beside_those_without() -> None:
    """Of 8 GPUs, hours 60 to 70 are contended: a run from 65 to 75 has 5 of them."""
    met = run("met", 65, 75, 8)
    usual = (
        run("a", 10, 20, 8),
        run("b", 20, 26, 8),
        run("c", 10, 18, 8),
        run("d", 10, 12, 8, "FAILED"),
        run("e", 10, 13, 4),
    )
    (row,) = contended_runs(past_with(*usual, met, run("other model", 60, 70, 8, gpu_model="A100")))
    assert (row.run, row.figures["contended_hours"], row.figures["usual_hours"]) == ("met", 5.0, 8.0)
    assert (row.figures["hours"], row.figures["gpus"], row.state) == (10.0, 8.0, "COMPLETED")
    (alone,) = contended_runs(past_with(met, run("before", -9, -1, 8), run("f", 10, 13, 4)))
    assert alone.figures["usual_hours"] is None
    assert contended_runs(past_with(run("a", 10, 60, 8), run("b", 70, 90, 8))) == []


def test_long_runs_last_over_a_day() -> None:
    """k1 is a commitment of all of atlas: while the endpoint and sft have no more than 8, all is served by it."""
    rows = long_runs(
        past_with(run("day", 0, 24, 4), run("more", 0, 24.5, 4), run("x", 0, 99, 4, gpu_model="B200"))
    )
    assert [row.run for row in rows] == ["more"]
    assert rows[0].figures["committed_share"] == pytest.approx(1.0)
    past = past_with(run("more", 0, 24.5, 4))
    free = replace(past, project=replace(past.project, contracts=()))
    assert [row.figures["committed_share"] for row in long_runs(free)] == [None]


def test_runs_of_the_log_count_from_its_beginning_and_in_its_hours() -> None:
    """In hours 60 to 70 the H100 of atlas are contended; before the log nobody knows, and it is no usual run."""
    met = run("met", 69, 71, 2)
    (row,) = contended_runs(past_with(met, run("a", 0, 6, 2, ""), run("b", -1, 8, 2)))
    assert (row.figures["contended_hours"], row.figures["usual_hours"]) == (1.0, 6.0)
    assert (row.figures["gpus"], row.figures["hours"], row.start_s) == (2.0, 2.0, START_S + 69 * H)
    (before,) = long_runs(past_with(run("c", -30, 2, 4)))
    assert before.figures["committed_share"] == pytest.approx(1.0)
    assert before.figures["hours"] == 32.0
    assert before.workload.name == "sft"


def test_a_part_of_a_long_run_is_served_by_commitments() -> None:
    """10 H100 are wanted in hours 60 to 70, 8 are held: a run from 46 to 76 has them whole in 20 h, 0.8 in 10 h."""
    (row,) = long_runs(past_with(run("d", 46, 76, 4)))
    assert row.figures["committed_share"] == pytest.approx((20 + 10 * 0.8) / 30)

"""Runs of the past (`worlds.past`) by hand: tails with the run that ended, contention, long runs; rates of a change.

sft trains on 4 of atlas's 8 H100 in hours 10 to 30 and on all of them in 60 to 70; chat has 2 of them all the time, so
that 2 too many are wanted in these ten hours.
"""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.idle_leaks import _blocks, contended_runs, idle_tail_rows, long_runs
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.log_checks import _activity, _cluster_without_log, _contracts
from gpuplanner.domain.audit.spend import _usd_by_hour
from gpuplanner.domain.audit.variance import (
    ENDED,
    NEVER_USED,
    NEW,
    NO_RATE,
    NOTHING_PAID,
    UNUSED_AFTER,
    UNUSED_BEFORE,
    chosen,
)
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain import worlds
from tests.domain.audit.conftest import START_S, make_contract

H = 3600
SFT = "atlas/team/sft"


def run(
    job: str, begin_h: float, end_h: float, gpus: float, state: str = "COMPLETED", **more: Any
) -> LoggedRun:
    facts = {"key": SFT, "gpu_model": "H100"} | more
    begin_s, end_s = (round(START_S + H * hour) for hour in (begin_h, end_h))
    return LoggedRun(
        job_id=job, milli_gpus=round(1000 * gpus), start_s=begin_s, end_s=end_s, state=state, **facts
    )


def past_with(*runs: LoggedRun) -> Past:
    past = worlds.past().past
    return replace(past, project=replace(past.project, jobs=replace(past.project.jobs, runs=runs)))


def test_a_tail_is_of_the_largest_run_that_ended_then() -> None:
    """From 30 to 60 and from 70 to the end 6 of 8 H100 stand idle: 180 GPU-h at $2 each, a month of 730 of 100 h."""
    first, second = idle_tail_rows(worlds.past().past)
    for row, hour in ((first, 30), (second, 70)):
        assert (row.workload.key, row.run, row.start_s) == (SFT, "", START_S + hour * H)
        assert (row.figures["idle_hours"], row.figures["gpu_hours"]) == (30.0, 180.0)
        assert row.figures["leaked_in_window"] == 360.0
        assert row.figures["leaked_per_month"] == pytest.approx(360 * 7.3)
    past = past_with(
        run("small", 20, 30, 1), run("large", 10, 30, 3), run("as large", 11, 30, 3), run("other", 60, 69, 8)
    )
    assert [row.run for row in idle_tail_rows(past)] == ["large", ""]


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


def period(cost: float | None, paid: float, used: float) -> Any:
    """A period of a cluster: $ a month, GPU-hours paid and used; its rate is one over the other."""

    class Period:
        cost_per_month = cost
        paid_per_month = paid
        used_per_month = used
        rate = None if cost is None or not paid else cost / paid
        cost_of_used = None if cost is None or not used else cost / used

    return Period


@pytest.mark.parametrize(
    ("before", "after", "result"),
    [
        ((None, 5, 5), (10.0, 5, 5), (None, None, None, None, NO_RATE)),
        ((10.0, 5, 5), (None, 5, 5), (None, None, None, None, NO_RATE)),
        ((0.0, 0, 0), (0.0, 0, 0), (0.0, 0.0, 0.0, 0.0, NOTHING_PAID)),
        ((0.0, 0, 0), (10.0, 5, 4), (2.5, 0.0, 0.0, 2.0, NEW)),
        ((10.0, 5, 4), (0.0, 0, 0), (2.5, 0.0, 0.0, 2.0, ENDED)),
        ((0.0, 0, 0), (10.0, 5, 0), (0.0, 2.0, 1.0, 2.0, NEVER_USED)),
        ((10.0, 5, 0), (12.0, 4, 2), (2.0, 2.0, 1.0, 2.0, UNUSED_BEFORE)),
        ((10.0, 5, 4), (12.0, 4, 2), (2.5, 2.0, 0.5, 2.0, "")),
        ((10.0, 5, 4), (12.0, 4, 0), (2.5, 2.0, 0.0, 2.0, UNUSED_AFTER)),
    ],
)
def test_a_change_is_told_apart_by_the_rates_before_or_of_the_other_period(
    before: tuple[Any, ...], after: tuple[Any, ...], result: tuple[Any, ...]
) -> None:
    rates = chosen(period(*before), period(*after))
    assert tuple(getattr(rates, name) for name in rates.__slots__) == result


@pytest.mark.parametrize(
    ("start_d", "end_d", "blocks"),
    [
        (-200, None, [(70, 100), (40, 70), (10, 40)]),
        (-200, 50, [(20, 50), (0, 20)]),  # the third lies before the log
        (80, None, []),
        (69, None, [(69, 100)]),
        (70, None, [(70, 100)]),
        (71, None, []),
        (5, None, [(70, 100), (40, 70), (10, 40)]),
        (-10, 60, [(30, 60), (0, 30)]),  # younger, but its start is in no log
        (-200, 29, []),
    ],
)
def test_a_contract_is_looked_at_in_blocks_of_thirty_days(
    start_d: int, end_d: int | None, blocks: list[tuple[int, int]]
) -> None:
    """Of a log of 100 days; in days."""
    window = Window(START_S, 2400)
    held = make_contract(
        "k",
        4,
        "2",
        start_s=START_S + start_d * DAY_S,
        end_s=None if end_d is None else START_S + end_d * DAY_S,
    )
    assert [(block.start // 24, block.stop // 24) for block in _blocks(held, window)] == blocks


@pytest.mark.parametrize(
    ("start_h", "end_h", "codes"),
    [
        (-5, None, []),
        (-5, 0, []),
        (-5, 50, ["contract_ended_in_window"]),
        (-5, 100, ["contract_ended_in_window"]),
        (-5, 101, []),
        (0, None, []),
        (5, None, ["contract_starts_in_window"]),
        (99, None, ["contract_starts_in_window"]),
        (100, None, []),
        (5, 50, ["contract_ended_in_window", "contract_starts_in_window"]),
    ],
)
def test_contracts_that_begin_or_end_in_the_window_are_named(
    start_h: int, end_h: int | None, codes: list[str]
) -> None:
    held = make_contract(
        "k", 4, "2", start_s=START_S + start_h * H, end_s=None if end_h is None else START_S + end_h * H
    )
    project = SimpleNamespace(window=Window(START_S, 100), contracts=(held,))
    assert [check.code for check in _contracts(SimpleNamespace(project=project))][: len(codes) + 1] == codes  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("prepaid", "end_h", "is_named"), [(200, 50, True), (400, 50, False), (180, 50, False), (10, -1, False)]
)
def test_what_is_prepaid_beside_its_rate_is_asked_about(prepaid: int, end_h: int, *, is_named: bool) -> None:
    """4 GPUs at $2 from 25 hours before to 50 hours of the log: 300 GPU-h x $2 are $600; prepaid twice that."""
    held = make_contract(
        "k", 4, "2", start_s=START_S - 25 * H, end_s=START_S + end_h * H, prepaid_usd=Decimal(3 * prepaid)
    )
    project = SimpleNamespace(window=Window(START_S, 100), contracts=(held,))
    codes = [check.code for check in _contracts(SimpleNamespace(project=project))]  # type: ignore[arg-type]
    assert ("prepaid_beside_rate" in codes) is is_named


@pytest.mark.parametrize(
    ("activity", "used", "overflow", "is_unknown"),
    [
        (None, 1.0, 0.0, True),
        (None, 0.0, 1.0, True),
        (None, 0.0, 0.0, False),
        (0.5, 1.0, 1.0, False),
        (None, 0.0, None, False),
    ],
)
def test_activity_is_unknown_where_jobs_ran(
    activity: float | None, used: float, overflow: float | None, *, is_unknown: bool
) -> None:
    cluster = SimpleNamespace(
        cluster="a", activity=activity, used_gpu_hours=used, overflow_gpu_hours=overflow
    )
    checks = [*_activity(SimpleNamespace(clusters=[cluster]))]  # type: ignore[arg-type]
    assert [check.code for check in checks] == (["activity_unknown"] if is_unknown else [])


def test_clusters_that_no_log_names_are_asked_about() -> None:
    """Of contracts without a cluster it may be one of those that the log has.

    Jobs without a cluster may have run there: they are named for the log's file where there are several.
    """
    project = SimpleNamespace(
        intake=[SimpleNamespace(kind="jobs"), SimpleNamespace(kind="contracts")],
        workloads=[SimpleNamespace(cluster=name) for name in ("b", "a", "", "a")],
        contracts=[
            SimpleNamespace(contract_id="k1", cluster=""),
            SimpleNamespace(contract_id="k2", cluster="c"),
        ],
    )
    asked = SimpleNamespace(unlogged={"", "c"})
    nameless, named = _cluster_without_log(SimpleNamespace(asked=asked, project=project))  # type: ignore[arg-type]
    assert nameless.subject == "" and named.subject == "c"
    text = str(nameless.message)
    assert "k1" in text and "k2" not in text and text.index("=a") < text.index("=b")
    assert "--same cluster:=c" in str(named.message)
    project.intake *= 2
    _, named = _cluster_without_log(SimpleNamespace(asked=asked, project=project))  # type: ignore[arg-type]
    assert "--cluster FILE=c" in str(named.message)
    project.workloads = project.workloads[:2]
    _, named = _cluster_without_log(SimpleNamespace(asked=asked, project=project))  # type: ignore[arg-type]
    assert "cluster:c=c" in str(named.message)


def test_gpu_time_costs_its_rate_or_is_unknown() -> None:
    amount = np.array([[3_600_000, 0], [7_200_000, 0]])
    assert _usd_by_hour(amount, [2.0, 3.0]).tolist() == [8.0, 0.0]
    unknown = _usd_by_hour(amount, [2.0, None]).tolist()
    assert np.isnan(unknown[0]) and unknown[1] == 0.0

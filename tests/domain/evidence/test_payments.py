"""Answers about lines of a plan that stand beside its rates."""

from types import SimpleNamespace

import pytest

from gpuplanner.domain.evidence.payments import OF_PAYMENTS
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.reports import cash
from tests.arrived import arrived


def test_each_line_of_the_extras_and_their_sum_are_what_the_plan_has() -> None:
    of = SimpleNamespace(
        advice=SimpleNamespace(totals=SimpleNamespace(extras=(("storage", 30.0), ("egress", 12.5))))
    )
    found = [OF_PAYMENTS.answer(of, figure("extra_usd", key)) for key in ("storage", "egress", "")]
    assert [answer.value for answer in found] == [arrived(answer) for answer in found] == [30.0, 12.5, 42.5]


def test_a_run_of_the_log_answers_with_its_gpus_its_hours_and_its_cost() -> None:
    work = SimpleNamespace(key="w", name="eval", gpus=8.0, mean_gpu_hours=400.0)
    way = SimpleNamespace(work=work, offer=SimpleNamespace(offer_id="o"), cost_per_month=900.0)
    of = SimpleNamespace(advice=SimpleNamespace(all_ways=(way,)))
    found = [OF_PAYMENTS.answer(of, figure(kind, "w\to")) for kind in ("way_gpus", "way_hours", "way_usd")]
    assert [answer.value for answer in found] == [8.0, 400.0, 900.0]


def test_a_requeued_job_answers_with_its_wait_and_what_that_loses_on_spot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    delays = SimpleNamespace(lost=0.1, lost_p50=0.2, lost_p90=0.3, p50_h=1.5, p90_h=4.0)
    monkeypatch.setattr(cash, "restart_delays", lambda of: delays)
    of = [OF_PAYMENTS.answer(None, figure(kind, "1.5")) for kind in ("restart_delay", "restart_lost")]
    assert [answer.value for answer in of] == [1.5, 0.2]

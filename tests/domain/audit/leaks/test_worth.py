"""What acting on the audit is worth: open and dismissed leaks add up to all, each GPU-hour once."""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.leaks.worth import worth_of
from gpuplanner.domain.model.scenario.plan_inputs import LeakDecision, LeakStatus
from tests.oracle.crafted import CRAFTED


@pytest.mark.parametrize("status", list(LeakStatus))
def test_open_and_dismissed_add_up_to_the_total_of_the_list(status: LeakStatus) -> None:
    case = CRAFTED["two_clusters"]()
    found = audit(case.project, case.classifications)
    assert len(found.leaks) > 1
    decision = LeakDecision(found.leaks[0].leak_id, status, 0, "not ours")
    plan = replace(case.project.scenarios[0], leak_decisions=(decision,))
    worth = worth_of(replace(case.project, scenarios=(plan,)), found)
    assert worth.all.counted_per_month == pytest.approx(found.leaks_total.counted_per_month)
    assert worth.all.counted_gpu_hours == pytest.approx(found.leaks_total.counted_gpu_hours)
    assert worth.open.counted_gpu_hours + worth.dismissed.counted_gpu_hours == pytest.approx(
        worth.all.counted_gpu_hours
    )
    is_dismissed = status is LeakStatus.DISMISSED
    assert worth.dismissed.leaks == int(is_dismissed), "what was accepted is still to be acted on"
    assert worth.dismissed.counted_per_month == pytest.approx(
        found.leaks[0].counted_per_month if is_dismissed else 0.0
    )

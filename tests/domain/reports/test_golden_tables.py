"""Tables of reports: as accepted, and the figures that matter, each with its derivation.

Hours, GPUs and rates of the small projects are in `tests/domain/worlds.py`, the results in `reported_results.py`.
"""

from typing import Any

import pytest

from gpuplanner.domain.reports.report import Medium
from tests.domain.reports.golden_tables import AWARD, CHANGES, FOLDER, OF_PROJECTS, SERVING, WAITING, Cases
from tests.golden.tables import check_case, table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_a_table_is_as_accepted(file: str, case: str) -> None:
    check_case(FOLDER, file, case)


def figures(cases: Cases, name: str, field: str, medium: Medium = Medium.DOCUMENT) -> list[Any]:
    """Return a column of a table, top down."""
    report, about = cases[name]()  # type: ignore[misc]
    return [report.column(field).of(row) for row in report.rows_in(medium, about)]


def test_use_and_idle_cost_of_the_past() -> None:
    past = OF_PROJECTS["past"]
    # k1 pays 8 H100 at $2 for 100 h. Jobs want 200 + 160 GPU-h; 20 of them overflow in the ten hours of 10 GPUs.
    # k2 pays 2 A100 at $1. Of 3 A100 every other hour, one overflows: 50 GPU-h.
    assert figures(past, "clusters", "paid_gpu_hours") == [800, 200]
    assert figures(past, "clusters", "used_gpu_hours") == [340, 100]
    assert figures(past, "clusters", "cost_per_month") == pytest.approx([8 * 730 * 2, 2 * 730])
    # Overflow costs the rate on demand: $4 for H100; A100 has half the speed, so twice $4.
    assert figures(past, "clusters", "overflow_in_window") == pytest.approx([20 * 4, 50 * 8])
    # Nobody trains in 70 of the 100 h of atlas: 560 GPU-h are paid and 140 used. The audit scales these to all hours.
    assert figures(past, "clusters", "stranded_metered") == pytest.approx([(560 - 140) * 7.3 * 2, 100 * 7.3])
    assert figures(past, "clusters", "stranded_audit") == pytest.approx(
        [(560 - 140) / 70 * 730 * 2, 100 * 7.3]
    )
    # At flat rates without contracts: 360 H100-h at $4 and 150 A100-h at $8.
    assert figures(past, "flat_rates", "usd_per_month", Medium.WINDOW) == pytest.approx(
        [(360 * 4 + 150 * 8) * 7.3]
    )


def test_costs_of_the_plan() -> None:
    plan = OF_PROJECTS["plan"]
    # Existing: 12 H100 at a mean of $20 over 12, 5 A100 at $1. Four more H100 are wanted at $4 on demand, until the
    # contract y1 starts after ten days of the 730 h: $2.50, and $730 at once over 8,760 h.
    existing_usd = 730 * (20 + 5)
    rate = 2.5 + 730 / 8760
    first_month_usd = existing_usd + 4 * 240 * 4 + 4 * 490 * rate
    do_nothing_usd = existing_usd + 4 * 730 * 4
    assert figures(plan, "horizons", "plan")[0] == pytest.approx(first_month_usd)
    assert figures(plan, "horizons", "do_nothing")[0] == pytest.approx(do_nothing_usd)
    assert figures(plan, "horizons", "saved")[0] == pytest.approx(do_nothing_usd - first_month_usd)
    # The order for training: 4 GPUs for a year, of which $730 a GPU are due at once.
    assert figures(plan, "orders", "liability")[1] == pytest.approx(4 * 8760 * rate)
    assert figures(plan, "orders", "due_at_once")[1] == 4 * 730
    # Idle beside it: 3.5 of 5 A100, and 5 of 12 H100.
    assert figures(plan, "idle", "cost_per_month") == pytest.approx([3.5 * 730, 5 * 730 * 20 / 12])
    # Owed: K1 has 4 GPUs at $2 for six months more, K2 8 at $1.50 for two, K3 ends by itself.
    assert figures(plan, "owed", "owed") == [4 * 4380 * 2, 8 * 1460 * 1.5, 0]


def test_cost_of_an_endpoint() -> None:
    # At the peak 4 replicas of 2 H100 and one spare are needed all month. By the hour (8 + 2 over 2) over 1.5 h are 6.
    flat, by_hour = 10 * 730, 6 * 730
    assert figures(SERVING, "sizes", "gpu_hours_per_month_flat")[0] == flat
    assert figures(SERVING, "sizes", "gpu_hours_per_month_autoscaled")[0] == by_hour
    assert figures(SERVING, "sizes", "cost_per_month")[0] == flat * 2.5
    assert figures(SERVING, "sizes", "peak_provisioning_per_month")[0] == (flat - by_hour) * 2.5
    # 1.25 billion tokens a month.
    assert figures(SERVING, "sizes", "cost_per_million_tokens")[0] == pytest.approx(flat * 2.5 / 1250)


def test_commitments_of_an_award() -> None:
    # q2 sells 8 GPUs for two years at $2, and $1,000 a GPU for setup. q5 sells 16 for a year at $2.25.
    assert figures(AWARD, "vendors", "awarded") == pytest.approx([8 * 17520 * 2 + 8 * 1000, 16 * 8760 * 2.25])
    assert figures(AWARD, "rows", "liability", Medium.WINDOW)[2] is None  # nobody quoted for the A100


def test_waits_of_training() -> None:
    # Five jobs of 10 h come hour by hour on 4 GPUs and wait 0, 9, 18, 27 and 36 h; a sixth does not wait.
    training = {
        name: figures(WAITING, "measured", name, Medium.WINDOW)[1] for name in ("jobs", "p50_h", "p90_h")
    }
    assert training == {"jobs": 6, "p50_h": 9, "p90_h": 36}


def test_steps_from_the_plan_to_the_actual_cost() -> None:
    levels = figures(CHANGES, "track_steps", "level", Medium.TERMINAL)
    moved = figures(CHANGES, "track_steps", "moved", Medium.TERMINAL)
    # Planned: 4 GPUs of a contract at $2 and 4 on demand at $4. Two more came, and on demand cost $4.50.
    assert levels[0] == pytest.approx(730 * (4 * 2 + 4 * 4))
    assert levels[-1] == pytest.approx(730 * (4 * 2 + 6 * 4.5))
    more_demand, dearer = 730 * 2 * 4, 730 * 6 * 0.5
    assert [usd for usd in moved if usd] == pytest.approx([more_demand, dearer])

"""A run is paid for by those who served it in its own hours, on the small past."""

import pytest

from gpuplanner.domain.evidence.costs.payers import served_by
from tests.domain import worlds

SFT, CHAT, DEV = "atlas/team/sft", "atlas/team/chat", "bora/team/dev"


def test_a_run_is_served_in_its_own_hours_alone() -> None:
    """sft asks for 4 GPUs from hour 10 to hour 30 and is served all: 4 x 20 h."""
    of = worlds.evidence_of_costs()
    for span, hours in (
        (range(10, 30), 80.0),
        (range(11, 30), 76.0),
        (range(10, 29), 76.0),
        (range(11), 4.0),
    ):
        rows = list(served_by(of, SFT, "atlas", span))
        assert [row.values for row in rows] == [pytest.approx((hours, 2.0, 2 * hours))]
    assert list(served_by(of, SFT, "atlas", range(10))) == []
    assert list(served_by(of, SFT, "atlas", range(30, 60))) == []

"""Answers about charges for idle GPUs, on the small past."""

from dataclasses import replace
from typing import Any

from gpuplanner.domain.audit.chargeback import Charged, IdleShare
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.evidence.costs.cost_answers import WHY
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.trace import Trace, figure
from tests.domain import worlds
from tests.domain.audit.conftest import GPU_HOUR
from tests.domain.tables import plain


def costs(**changes: Any) -> CostEvidence:
    return replace(worlds.evidence_of_costs(), **changes)


def cost_of(figure_id: str, evidence: CostEvidence) -> Trace:
    return WHY.answer(evidence, figure_id)


def test_idle_gpus_are_shared_by_what_is_held_or_are_an_owners() -> None:
    """Of $90 of atlas the team bears 1 of 3 parts; bora is its own contracts', and a nameless place all of it."""
    shares = (
        IdleShare(
            cluster="atlas",
            team="team",
            owner=None,
            held=GPU_HOUR,
            all_held=3 * GPU_HOUR,
            shared_in_window=90.0,
            idle_in_window=30.0,
        ),
        IdleShare(
            cluster="bora",
            team="team",
            owner="team",
            held=1,
            all_held=1,
            shared_in_window=20.0,
            idle_in_window=20.0,
        ),
        IdleShare(
            cluster="", team="team", owner=None, held=1, all_held=1, shared_in_window=7.0, idle_in_window=7.0
        ),
        IdleShare(
            cluster="atlas",
            team="other",
            owner=None,
            held=2 * GPU_HOUR,
            all_held=3 * GPU_HOUR,
            shared_in_window=90.0,
            idle_in_window=60.0,
        ),
        IdleShare(
            cluster="two",
            team="team",
            owner=None,
            held=1,
            all_held=2,
            shared_in_window=8.0,
            idle_in_window=4.0,
        ),
    )
    of = worlds.evidence_of_costs()
    charged: Charged = replace(of.charged, shares=shares)
    trace = cost_of(figure("charge_idle", "=team", ChargeBy.TEAM), costs(charged=charged))
    assert [row.values[1:] for row in trace.rows[:4]] == [
        (1.0, 3.0, 30.0),
        (None, None, 20.0),
        (None, None, 7.0),
        (1 / GPU_HOUR, 2 / GPU_HOUR, 4.0),
    ]
    assert [plain(row.name) for row in trace.rows] == ["atlas", "bora", "no cluster", "two"]
    assert [str(row.name) in ("atlas", "bora", "two") for row in trace.rows] == [True, False, False, True]


def test_idle_gpus_that_no_workload_bears_are_named_by_their_cluster() -> None:
    unborne = tuple(
        IdleShare(
            cluster=cluster,
            team="ops",
            owner=None,
            held=1,
            all_held=1,
            shared_in_window=5.0,
            idle_in_window=5.0,
        )
        for cluster in ("atlas", "")
    )
    charged = replace(worlds.evidence_of_costs().charged, unborne=unborne)
    trace = cost_of(figure("charge_idle", "all", ChargeBy.WORKLOAD), costs(charged=charged))
    assert [plain(row.name) for row in trace.rows if not row.opens] == ["atlas", "no cluster"]

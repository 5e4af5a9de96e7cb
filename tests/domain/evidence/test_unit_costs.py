"""Answers about what single things cost: runs, tokens, charges and counts of the business, on the small past."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit import leak_claims
from gpuplanner.domain.audit.chargeback import Charged, IdleShare
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.leak_claims import EqualTerms
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.evidence import unit_costs
from gpuplanner.domain.evidence.trace import Trace, figure
from tests.domain import worlds
from tests.domain.audit.conftest import GPU_HOUR, make_offer
from tests.domain.tables import plain

SFT, CHAT, DEV = "atlas/team/sft", "atlas/team/chat", "bora/team/dev"


def costs(**changes: Any) -> unit_costs.CostEvidence:
    return replace(worlds.evidence_of_costs(), **changes)


def cost_of(figure_id: str, evidence: unit_costs.CostEvidence) -> Trace:
    return unit_costs.WHY.answer(evidence, figure_id)


def test_a_run_is_served_in_its_own_hours_alone() -> None:
    """sft asks for 4 GPUs from hour 10 to hour 30 and is served all: 4 x 20 h."""
    of = worlds.evidence_of_costs()
    for span, hours in (
        (range(10, 30), 80.0),
        (range(11, 30), 76.0),
        (range(10, 29), 76.0),
        (range(11), 4.0),
    ):
        rows = list(unit_costs.served_by(of, SFT, "atlas", span))
        assert [row.values for row in rows] == [pytest.approx((hours, 2.0, 2 * hours))]
    assert list(unit_costs.served_by(of, SFT, "atlas", range(10))) == []
    assert list(unit_costs.served_by(of, SFT, "atlas", range(30, 60))) == []


@pytest.mark.parametrize(("is_known", "is_assumed"), [(True, False), (True, True), (False, False)])
def test_tokens_say_that_they_are_assumed_or_not_known(is_known: bool, is_assumed: bool) -> None:
    of = worlds.evidence_of_costs()
    (row,) = of.unit.endpoints
    assert row.tokens is not None
    tokens = replace(row.tokens, is_assumed=is_assumed) if is_known else None
    unit = replace(of.unit, endpoints=(replace(row, tokens=tokens),))
    trace = cost_of(figure("endpoint_tokens", row.key), costs(unit=unit))
    note, declared = str(trace.note), str(unit_costs.TRAFFIC["cost_per_million_tokens"].note)
    assert (note == str(unit_costs.ASSUMED_TOKENS)) is is_assumed
    assert (note == declared) is (is_known and not is_assumed)
    assert (trace.value is None) is not is_known


def test_what_a_used_gpu_hour_costs_is_said_in_four_places() -> None:
    trace = cost_of(figure("endpoint_premium", CHAT), worlds.evidence_of_costs())
    # $938.353 and $604 for 200 GPU-h
    assert "$4.6918" in str(trace.note) and "$3.0200" in str(trace.note)


def test_a_part_of_a_premium_is_named_by_its_model_and_the_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    known = EqualTerms(
        gpu_model="H100", gpu_hours=1.0, rate=2.0, utilization=0.5, offer=make_offer("od", "4")
    )
    unknown = replace(known, gpu_hours=0.5, offer=None, gpu_model=None)
    of = worlds.evidence_of_costs()
    monkeypatch.setattr(leak_claims, "equal_terms", lambda *_: {of.place_of(CHAT): [known, unknown]})
    fresh = replace(of, past=replace(of.past))  # of which nothing is worked out yet
    for kind, expected in (("endpoint_paid", "H100"), ("endpoint_at_offer", "H100, od")):
        rows = cost_of(figure(kind, CHAT), fresh).rows
        assert {str(row.name) for row in rows} == {expected, "unknown model"}


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


def business(held_from: str) -> BusinessCost:
    (row, *_) = worlds.evidence_of_costs().business
    return replace(row, held_from=held_from, month="2026-12")


def test_a_count_of_the_business_is_of_its_month_or_stays_at_another() -> None:
    of_log, own, kept = map(business, ("", "2026-12", "2026-07"))
    notes = [
        cost_of(figure("business_each", row.subject), costs(business=(row,))).note
        for row in (of_log, own, kept)
    ]
    assert plain(notes[2]) == "2026-07" and len({str(note) for note in notes}) == 3
    assert "12" not in str(notes[0]) and "12" in str(notes[1])
    sources = [
        str(cost_of(figure("business_usd", row.subject), costs(business=(row,))).rows[0].name)
        for row in (of_log, own)
    ]
    assert ["100" in source for source in sources] == [True, False]


@pytest.mark.parametrize(("gaps", "more"), [(2, ""), (24, ""), (25, "1"), (30, "6"), (0, "")])
def test_the_longest_gaps_between_runs_are_counted(
    gaps: int, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = tuple(float(at) for at in range(gaps, 0, -1))
    row = SimpleNamespace(key=SFT, name="sft", gaps_days=days, days_between=1.0)
    monkeypatch.setattr(unit_costs, "retraining_of", lambda runs, window: [row])
    trace = cost_of(figure("retrain_days", SFT), worlds.evidence_of_costs())
    note = str(trace.note)
    named = [word.strip(",.") for word in note.split() if word.strip(",.").endswith(".0")]
    assert named == [f"{at}.0" for at in range(1, min(gaps, 24) + 1)]
    assert ("And" in note) is bool(more) and (not more or f"And {more} " in note)
    hours = worlds.evidence_of_costs().unit.run_gap_hours
    assert f" {hours:.0f} h " in str(trace.rows[0].name)

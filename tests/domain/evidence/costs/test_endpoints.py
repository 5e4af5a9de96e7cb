"""Answers about tokens and premium of endpoints, on the small past."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.audit import leak_claims
from gpuplanner.domain.audit.leak_claims import EqualTerms
from gpuplanner.domain.evidence.costs.cost_answers import WHY
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.costs.endpoints import ASSUMED_TOKENS
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures.unit_costs import TRAFFIC
from tests.domain import worlds
from tests.domain.audit.conftest import make_offer

SFT, CHAT, DEV = "atlas/team/sft", "atlas/team/chat", "bora/team/dev"


def costs(**changes: Any) -> CostEvidence:
    return replace(worlds.evidence_of_costs(), **changes)


def cost_of(figure_id: str, evidence: CostEvidence) -> Trace:
    return WHY.answer(evidence, figure_id)


@pytest.mark.parametrize(("is_known", "is_assumed"), [(True, False), (True, True), (False, False)])
def test_tokens_say_that_they_are_assumed_or_not_known(is_known: bool, is_assumed: bool) -> None:
    of = worlds.evidence_of_costs()
    (row,) = of.unit.endpoints
    assert row.tokens is not None
    tokens = replace(row.tokens, is_assumed=is_assumed) if is_known else None
    unit = replace(of.unit, endpoints=(replace(row, tokens=tokens),))
    trace = cost_of(figure("endpoint_tokens", row.key), costs(unit=unit))
    note, declared = str(trace.note), str(TRAFFIC["cost_per_million_tokens"].note)
    assert (note == str(ASSUMED_TOKENS)) is is_assumed
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

"""Answers about counts of the business, on the small past."""

from dataclasses import replace
from typing import Any

from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.evidence.costs.cost_answers import WHY
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.trace import Trace, figure
from tests.domain import worlds
from tests.domain.tables import plain


def costs(**changes: Any) -> CostEvidence:
    return replace(worlds.evidence_of_costs(), **changes)


def cost_of(figure_id: str, evidence: CostEvidence) -> Trace:
    return WHY.answer(evidence, figure_id)


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

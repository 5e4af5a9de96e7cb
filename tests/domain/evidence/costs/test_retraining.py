"""Answers about gaps between runs: the longest are counted."""

from types import SimpleNamespace

import pytest

from gpuplanner.domain.evidence.costs import retraining
from gpuplanner.domain.evidence.costs.cost_answers import WHY
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.trace import Trace, figure
from tests.domain import worlds

SFT, CHAT, DEV = "atlas/team/sft", "atlas/team/chat", "bora/team/dev"


def cost_of(figure_id: str, evidence: CostEvidence) -> Trace:
    return WHY.answer(evidence, figure_id)


@pytest.mark.parametrize(("gaps", "more"), [(2, ""), (24, ""), (25, "1"), (30, "6"), (0, "")])
def test_the_longest_gaps_between_runs_are_counted(
    gaps: int, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = tuple(float(at) for at in range(gaps, 0, -1))
    row = SimpleNamespace(key=SFT, name="sft", gaps_days=days, days_between=1.0)
    monkeypatch.setattr(retraining, "retraining_of", lambda runs, window: [row])
    trace = cost_of(figure("retrain_days", SFT), worlds.evidence_of_costs())
    note = str(trace.note)
    named = [word.strip(",.") for word in note.split() if word.strip(",.").endswith(".0")]
    assert named == [f"{at}.0" for at in range(1, min(gaps, 24) + 1)]
    assert ("And" in note) is bool(more) and (not more or f"And {more} " in note)
    hours = worlds.evidence_of_costs().unit.run_gap_hours
    assert f" {hours:.0f} h " in str(trace.rows[0].name)

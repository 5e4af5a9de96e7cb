"""Answers about limits: each is found by its words."""

from dataclasses import replace

import pytest

from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.limits import Limit
from tests.domain import worlds


def test_a_limit_is_found_by_its_words_in_either_case() -> None:
    evidence = worlds.evidence_of_trials()
    (first,) = evidence.outlook.limits
    other = replace(first, limit=Limit("share", 0.5, Only("Bo")), inputs={**first.inputs, "plan": 30_000.0})
    seen = replace(evidence, outlook=replace(evidence.outlook, limits=(first, other)))
    for limit, usd in ((first, 1000.0), (other, 3000.0)):
        words = str(limit.limit.words)
        for subject in (words, words.upper(), words.lower()):
            assert answer(seen, figure("limit_cost", subject)).value == pytest.approx(usd)
    with pytest.raises(StopIteration):
        answer(seen, figure("limit_cost", "nothing"))

"""What is asked of the small projects: what is understood, and the numbers of each answer, as accepted.

The figures that matter stand here, so that none of them moves unnoticed where the tables are accepted anew. In the plan
K1 is 4 H100 at $2, K2 8 H100 at $1.50 and K3 5 A100 at $1, of which 8 + 3 H100 and 1.5 A100 are used; a month is 730 h.
"""

import pytest

from gpuplanner.domain.ask.changes import Change, Question
from tests.domain.ask.golden_tables import BETWEEN, FOLDER, answer_to, answer_to_change, meaning_of
from tests.golden.tables import check_case, table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_an_answer_is_as_accepted(file: str, case: str) -> None:
    check_case(FOLDER, file, case)


def values_of(case: str) -> list[float | None]:
    """Return the values of the answer to a question, or of what comes of a change."""
    project, _, text = case.partition(BETWEEN)
    meaning = meaning_of(project, text)
    if isinstance(meaning, Question):
        return [number.value for number in answer_to(project, meaning).numbers]
    assert isinstance(meaning, Change)
    return [number.value for number in answer_to_change(project, meaning).numbers]


CONTRACTS_USD = 730 * (4 * 2.0 + 8 * 1.5 + 5 * 1.0)
OVERFLOW_USD = 730 * 4 * 4.0
"""Training has 8 GPUs in use on the 4 of K1; on demand an H100 costs $4."""
UNUSED_USD = 730 * (5 * 1.5 + 3.5 * 1.0)
"""5 GPUs of K2 and 3.5 of K3."""


@pytest.mark.parametrize(
    ("case", "values"),
    [
        ("plan ? what do we spend a month now", [CONTRACTS_USD + OVERFLOW_USD, UNUSED_USD]),
        # after six months K1 ends, and its 4 GPUs cost $2 more
        (
            "plan ? what will we spend in the next twelve months",
            [320_248.33, 12 * (CONTRACTS_USD + OVERFLOW_USD) + 6 * 730 * 4 * 2.0],
        ),
        ("plan ? what do we owe K1", [4 * 6 * 730 * 2.0] * 2),
        # the rate of y1 with its $730 up front over 8,760 h
        ("plan ? cheapest H100 for 12 months", [2.5 + 730 / 8760]),
        # 8 GPUs at that rate; from day 10 on they serve the 4 that K1 has not
        ("plan ? one more H100 node", [8 * 730 * (2.5 + 730 / 8760), 4 * 490.0, 0.0]),
        # the last of five gangs waits 36 h; 90 h of them and 5 h of a burst over 11 jobs
        ("plan ? what was the longest wait", [36.0, 95 / 11, 27.0]),
        # on demand, as no commitment is that short
        ("plan ? 16 H100 for 30 days from 1 Mar", [0.0, 16 * 30 * 24 * 4.0, None]),
        # two runs of 80 GPU-h, of which 16 overflowed at $4
        ("past ? what does a training run cost", [(144 * 2.0 + 16 * 4.0) / 2]),
        # K3 has no rate
        ("unpriced ? what do we spend a month now", [None, None]),
    ],
)
def test_an_answer_has_what_follows_by_hand(case: str, values: list[float | None]) -> None:
    assert values_of(case) == [None if value is None else pytest.approx(value, rel=1e-6) for value in values]

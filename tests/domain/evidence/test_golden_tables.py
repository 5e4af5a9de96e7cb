"""Answers about small projects, row by row: as accepted, and what their rows come to is the figure."""

import pytest

from tests.arrived import arrived
from tests.domain.evidence.golden_tables import FOLDER, TAB, trace_of
from tests.golden.tables import check_case, table_cases

PER_FLOAT, PER_WHOLE = 1e-4, 1.0
"""By how much the rows may miss a figure. A whole one is rounded, so that all of them add up."""


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_an_answer_is_as_accepted_and_its_rows_come_to_the_figure(file: str, case: str) -> None:
    trace = trace_of(file.removesuffix(".txt"), case)
    came = arrived(trace)
    is_rounded = isinstance(trace.value, int) and isinstance(came, float)
    if trace.value is None:
        assert came is None
    else:
        assert came == pytest.approx(trace.value, rel=1e-9, abs=PER_WHOLE if is_rounded else PER_FLOAT)
    assert trace.figure_id == case.replace(TAB, "\t")
    check_case(FOLDER, file, case)

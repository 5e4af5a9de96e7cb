"""Answers about plans: as accepted, and their rows come to the figure."""

import pytest

from tests.domain.evidence.asked_projects import check_answer
from tests.domain.evidence.plan.golden_tables import FOLDER
from tests.golden.tables import table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_an_answer_is_as_accepted_and_its_rows_come_to_the_figure(file: str, case: str) -> None:
    check_answer(FOLDER, file, case)

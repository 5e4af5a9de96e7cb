"""What is asked of the small projects: what is understood, and the numbers of each answer, as accepted."""

import pytest

from tests.domain.ask.golden_tables import FOLDER
from tests.golden.tables import check_case, table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_an_answer_is_as_accepted(file: str, case: str) -> None:
    check_case(FOLDER, file, case)

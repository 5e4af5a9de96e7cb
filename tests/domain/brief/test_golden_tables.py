"""Pages of briefs: the tables as accepted."""

import pytest

from tests.domain.brief.golden_tables import FOLDER
from tests.golden.tables import check_case, table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_a_page_is_as_accepted(file: str, case: str) -> None:
    check_case(FOLDER, file, case)

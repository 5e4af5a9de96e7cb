"""Spend of worlds: the tables as accepted."""

import pytest

from tests.domain.audit.spend.golden_tables import FOLDER
from tests.golden.tables import check_case, table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_spend_is_as_accepted(file: str, case: str) -> None:
    check_case(FOLDER, file, case)

"""Samples of damaged activity files: the tables as accepted."""

import pytest

from tests.files.activity.golden_tables import FOLDER
from tests.golden.tables import check_case, table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_samples_are_read_as_accepted(file: str, case: str) -> None:
    check_case(FOLDER, file, case)

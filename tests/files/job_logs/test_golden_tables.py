"""Tables of jobs, their columns, layouts and single texts: the tables as accepted."""

import pytest

from tests.files.job_logs.golden_tables import FOLDER
from tests.golden.tables import check_case, table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_tables_of_jobs_are_read_as_accepted(file: str, case: str) -> None:
    check_case(FOLDER, file, case)

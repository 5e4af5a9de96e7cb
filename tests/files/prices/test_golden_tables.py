"""Offers of random tables and damaged price lists: the tables as accepted."""

import pytest

from tests.files.prices.golden_tables import FOLDER
from tests.golden.tables import check_case, table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_offers_are_read_as_accepted(file: str, case: str) -> None:
    check_case(FOLDER, file, case)
